package dev.mainstay.server.connection;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.mainstay.core.code.RepoName;
import dev.mainstay.server.platform.http.ApiError;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.platform.http.Scope;
import dev.mainstay.server.repository.RepositoryField;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Connections of repositories to their forges, and the hooks that tell that something moved there.
 */
public final class ConnectionApi {
  private static final String KIND = "git";
  private static final int MAX_ADDRESS_LENGTH = 2000;
  private static final int MAX_COMMAND_LENGTH = 10_000;
  private static final int MAX_TOKEN_LENGTH = 200;
  private static final int MAX_TEST_MINUTES = 1440;
  private static final int USUAL_TEST_MINUTES = 60;

  private final Connections connections;

  public ConnectionApi(Connections connections) {
    this.connections = connections;
  }

  public List<Route> routes() {
    return List.of(
        Route.post("/v1/connectRepository", Scope.ADMIN, this::connect),
        Route.post("/v1/disconnectRepository", Scope.ADMIN, this::disconnect),
        Route.post("/v1/getRepositoryConnection", Scope.ADMIN, this::get),
        Route.post("/v1/hooks/git", Scope.QUEUE, this::moved),
        Route.post("/hooks/git", this::movedByToken));
  }

  /**
   * A connection on the wire. The address shows no password; the token of the hook is in the answer
   * to connect alone, and so are the warnings.
   */
  record WireConnection(
      WireRepo repo,
      String address,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> testCommand,
      long testTimeoutMinutes,
      String connectedAt,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> lastSeenAt,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> fault,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> hookToken,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<List<String>> warnings) {

    static WireConnection of(ConnectionView connection) {
      return of(connection, Optional.empty(), Optional.empty());
    }

    static WireConnection of(
        ConnectionView connection, Optional<String> hookToken, Optional<List<String>> warnings) {
      return new WireConnection(
          WireRepo.of(connection.repo()),
          connection.address(),
          connection.testCommand(),
          connection.testTimeout().toMinutes(),
          connection.connectedAt().toString(),
          connection.lastSeenAt().map(Instant::toString),
          connection.fault(),
          hookToken,
          warnings);
    }
  }

  record WireRepo(String host, String owner, String name) {
    static WireRepo of(RepoName repo) {
      return new WireRepo(repo.host(), repo.owner(), repo.name());
    }
  }

  private Reply connect(Request request) {
    var in = request.fields();
    RepoName repo = RepositoryField.read(in);
    String address = in.text("address", MAX_ADDRESS_LENGTH);
    if (!address.isEmpty()) {
      connections.fault(address).ifPresent(sentence -> in.fault("address", sentence));
    }
    var command = in.optionalText("testCommand", MAX_COMMAND_LENGTH);
    int minutes =
        in.optionalInteger("testTimeoutMinutes", 1, MAX_TEST_MINUTES).orElse(USUAL_TEST_MINUTES);
    in.check();
    return switch (connections.connect(
        request.caller().organizationId(), repo, address, command, Duration.ofMinutes(minutes))) {
      case Connections.Connected(var connection, var token, var warnings) ->
          Reply.json(WireConnection.of(connection, Optional.of(token), Optional.of(warnings)));
      case Connections.NotReachable(var sentence) ->
          throw ApiError.conflict("repository_unreachable", sentence);
    };
  }

  private Reply disconnect(Request request) {
    var in = request.fields();
    RepoName repo = RepositoryField.read(in);
    in.check();
    if (!connections.disconnect(request.caller().organizationId(), repo)) {
      throw notConnected();
    }
    return Reply.nothing();
  }

  private Reply get(Request request) {
    var in = request.fields();
    RepoName repo = RepositoryField.read(in);
    in.check();
    return connections
        .find(request.caller().organizationId(), repo)
        .map(connection -> Reply.json(WireConnection.of(connection)))
        .orElseThrow(ConnectionApi::notConnected);
  }

  private Reply moved(Request request) {
    var in = request.fields();
    RepoName repo = RepositoryField.read(in);
    in.check();
    if (!connections.hook(request.caller().organizationId(), repo)) {
      throw notConnected();
    }
    return Reply.nothing();
  }

  /** A hook with a token. The body of its sender is not read: the repository itself is asked. */
  private Reply movedByToken(Request request) {
    var in = request.parameters();
    String token = in.text("token", MAX_TOKEN_LENGTH);
    in.check();
    if (!connections.hook(KIND, Map.of("token", token))) {
      throw ApiError.notFound("hook_not_found", "No connected repository has this hook.");
    }
    return Reply.nothing();
  }

  private static ApiError notConnected() {
    return ApiError.notFound(
        "connection_not_found", "The organization has no connection to this repository.");
  }
}
