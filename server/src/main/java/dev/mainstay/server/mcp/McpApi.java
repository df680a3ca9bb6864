package dev.mainstay.server.mcp;

import dev.mainstay.server.platform.Json;
import dev.mainstay.server.platform.http.ApiError;
import dev.mainstay.server.platform.http.Arrival;
import dev.mainstay.server.platform.http.Caller;
import dev.mainstay.server.platform.http.Inside;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.platform.http.Surface;
import dev.mainstay.server.platform.http.V1;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;

/**
 * The protocol over HTTP: each message is a request of its own and is answered at once, as JSON.
 * There are no sessions and no streams, so that any node can answer any message.
 */
public final class McpApi {
  private static final String PATH = "/mcp";

  private final Methods methods;
  private final String ownOrigin;

  public McpApi(Inside inside, URI publicUrl, Clock clock) {
    methods = new Methods(inside, clock);
    ownOrigin =
        "%s://%s"
            .formatted(publicUrl.getScheme(), publicUrl.getAuthority())
            .toLowerCase(Locale.ROOT);
  }

  public List<Route> routes() {
    return List.of(Route.post(PATH, this::answer));
  }

  /** A wire of its own: keys as at /v1, and every error one of JSON-RPC. */
  public Surface surface(Function<String, Optional<Caller>> owner) {
    Surface.Authentication keys = V1.byKey(owner);
    return new Surface(
        PATH,
        arrival -> {
          refuseForeignPages(arrival);
          return keys.caller(arrival);
        },
        Surface.FOR_PROGRAMS,
        McpApi::error,
        Json::write);
  }

  record WireResult(String jsonrpc, JsonNode id, Map<String, Object> result) {}

  /** Its id is null where the message could not be read that far. */
  record WireError(String jsonrpc, JsonNode id, RpcError error) {
    static WireError of(Optional<JsonNode> id, RpcError error) {
      return new WireError("2.0", id.orElse(NullNode.instance), error);
    }
  }

  private Reply answer(Request request) {
    return switch (Message.read(request.json())) {
      case Message.Malformed(var error) -> refused(Optional.empty(), error);
      case Message.Notice _ ->
          Terms.fault(request)
              .map(error -> refused(Optional.empty(), error))
              .orElseGet(() -> Reply.text(202, ""));
      case Message.Call call -> answer(request, call);
    };
  }

  private Reply answer(Request request, Message.Call call) {
    return switch (Terms.of(request, call)) {
      case Terms.Refused(var error) -> refused(Optional.of(call.id()), error);
      case Terms.Known(var revision) ->
          switch (methods.answer(request.caller(), revision, call)) {
            case Methods.Result(var fields) -> Reply.json(new WireResult("2.0", call.id(), fields));
            case Methods.Failed(var error) when revision.isWithoutHandshake() ->
                refused(Optional.of(call.id()), error);
            case Methods.Failed(var error) ->
                Reply.json(WireError.of(Optional.of(call.id()), error));
          };
    };
  }

  private static Reply refused(Optional<JsonNode> id, RpcError error) {
    return Reply.json(WireError.of(id, error)).with(error.status());
  }

  /** What the door refuses, before there is a message. */
  private static Reply error(ApiError error, Arrival arrival, String requestId) {
    int code =
        error.status() >= 500
            ? RpcError.BROKEN
            : error.code().equals("invalid_json") ? RpcError.NO_JSON : RpcError.NO_MESSAGE;
    Map<String, Object> data =
        Map.of("status", error.status(), "code", error.code(), "requestId", requestId);
    return Reply.json(WireError.of(Optional.empty(), new RpcError(code, error.detail(), data)))
        .with(error.status())
        .with(error.headers());
  }

  /**
   * A page of somebody else, in a browser that can reach this server, may have had its own name
   * lead here: only the name that it comes from tells.
   */
  private void refuseForeignPages(Arrival arrival) {
    Optional<String> origin = arrival.header("Origin");
    if (origin.isPresent() && !origin.get().toLowerCase(Locale.ROOT).equals(ownOrigin)) {
      throw ApiError.of(
          403,
          "foreign_origin",
          "A page from elsewhere must not speak for you here: only programs, and pages of %s."
              .formatted(ownOrigin));
    }
  }
}
