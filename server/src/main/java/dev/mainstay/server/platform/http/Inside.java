package dev.mainstay.server.platform.http;

import dev.mainstay.server.platform.Json;
import io.helidon.http.WritableHeaders;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Calls of the API from within the process: the same handlers with the same rights as over the
 * wire, so that whoever calls this way can do and see nothing that a client could not.
 */
public final class Inside {
  private final Routes routes;

  public Inside(List<Route> routes) {
    this.routes = new Routes(routes);
  }

  /** The answer to a POST with this body; what the API refuses is an {@link ApiError}. */
  public JsonNode post(Caller caller, String path, Map<String, ?> body) {
    return tree(answer("POST", caller, path, "", Json.tree(body)));
  }

  /** The same, as far as this type names its fields. */
  public <T> T post(Caller caller, String path, Map<String, ?> body, Class<T> type) {
    return switch (answer("POST", caller, path, "", Json.tree(body)).content()) {
      case Reply.Value v -> Json.as(v.value(), type);
      case Reply.Bytes b -> Json.readOwn(b.bytes(), type);
      case Reply.Stream _ -> throw new IllegalStateException("a stream is no JSON");
    };
  }

  /** The answer to a GET, whatever its type, as text. */
  public String get(Caller caller, String path, String query) {
    return switch (answer("GET", caller, path, query, Json.object()).content()) {
      case Reply.Bytes b -> new String(b.bytes(), StandardCharsets.UTF_8);
      case Reply.Value v -> new String(Json.write(v.value()), StandardCharsets.UTF_8);
      case Reply.Stream _ -> throw new IllegalStateException(path + " is a stream");
    };
  }

  private Reply answer(String method, Caller caller, String path, String query, ObjectNode body) {
    Routes.Found found = routes.find(method, path);
    Door.admit(found.route(), Optional.of(caller));
    var arrival = new Arrival(path, WritableHeaders.create());
    return found
        .route()
        .handler()
        .apply(
            new Request(Optional.of(caller), arrival, found.parameters(), query, new Given(body)));
  }

  private static JsonNode tree(Reply reply) {
    return switch (reply.content()) {
      case Reply.Value v -> Json.tree(v.value());
      case Reply.Bytes b -> Json.read(b.bytes());
      case Reply.Stream _ -> throw new IllegalStateException("a stream is no JSON");
    };
  }

  /** A body that is there already. */
  private record Given(ObjectNode json) implements Sent {
    @Override
    public JsonNode anyJson() {
      return json;
    }

    @Override
    public byte[] bytes() {
      return Json.write(json);
    }

    @Override
    public void prove() {}
  }
}
