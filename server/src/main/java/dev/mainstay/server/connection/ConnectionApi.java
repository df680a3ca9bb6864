package dev.mainstay.server.connection;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.mainstay.core.code.RepoName;
import dev.mainstay.server.forge.Finding;
import dev.mainstay.server.forge.HostCredentials;
import dev.mainstay.server.platform.http.ApiError;
import dev.mainstay.server.platform.http.Fields;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.platform.http.Scope;
import dev.mainstay.server.repository.RepositoryField;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Connections of repositories to their forges. */
public final class ConnectionApi {
  private static final int MAX_ADDRESS_LENGTH = 2000;
  private static final int MAX_COMMAND_LENGTH = 10_000;
  private static final int MAX_TOKEN_LENGTH = 1000;
  private static final int MAX_SECRET_LENGTH = 200;
  private static final int MAX_PRIVATE_KEY_LENGTH = 20_000;
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
        Route.post("/v1/checkRepository", Scope.ADMIN, this::check),
        Route.post("/v1/rotateHookSecret", Scope.ADMIN, this::rotate));
  }

  /**
   * A connection on the wire. The address shows no password; how to prove a hook is in the answer
   * to connect alone, and so are warnings and findings.
   */
  record WireConnection(
      WireRepo repo,
      String kind,
      String address,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> testCommand,
      long testTimeoutMinutes,
      String connectedAt,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> lastSeenAt,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> fault,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> hookToken,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> hookSecret,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<List<String>> warnings,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<List<WireFinding>> findings) {

    static WireConnection of(Connections.Connected made) {
      return of(
          made.connection(),
          made.hookToken(),
          made.hookSecret(),
          Optional.of(made.warnings()),
          Optional.of(WireFinding.of(made.findings())));
    }

    static WireConnection of(ConnectionView connection) {
      return of(connection, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    private static WireConnection of(
        ConnectionView connection,
        Optional<String> hookToken,
        Optional<String> hookSecret,
        Optional<List<String>> warnings,
        Optional<List<WireFinding>> findings) {
      return new WireConnection(
          WireRepo.of(connection.repo()),
          connection.kind(),
          connection.address(),
          connection.testCommand(),
          connection.testTimeout().toMinutes(),
          connection.connectedAt().toString(),
          connection.lastSeenAt().map(Instant::toString),
          connection.fault(),
          hookToken,
          hookSecret,
          warnings,
          findings);
    }
  }

  /** Something that was looked at: GOOD, ADVICE or MISSING. */
  record WireFinding(
      String level,
      String message,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> mend) {
    static List<WireFinding> of(List<Finding> findings) {
      return findings.stream()
          .map(f -> new WireFinding(f.level().name(), f.sentence(), f.mend()))
          .toList();
    }
  }

  record WireCheck(boolean ok, List<WireFinding> findings) {}

  record WireSecret(String hookSecret) {}

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
    var kind = in.optionalChoice("kind", connections.kinds(), name -> name);
    var command = in.optionalText("testCommand", MAX_COMMAND_LENGTH);
    int minutes =
        in.optionalInteger("testTimeoutMinutes", 1, MAX_TEST_MINUTES).orElse(USUAL_TEST_MINUTES);
    Optional<Fields> secrets =
        in.has("credentials") ? Optional.of(in.object("credentials")) : Optional.empty();
    var credentials = secrets.flatMap(ConnectionApi::credentials);
    var hookSecret =
        secrets
            .filter(s -> s.has("app"))
            .flatMap(s -> s.object("app").optionalText("hookSecret", MAX_SECRET_LENGTH));
    in.check();
    var wish =
        new Wish(address, kind, credentials, hookSecret, command, Duration.ofMinutes(minutes));
    // Whoever calls over HTTP is not the operator: the command on this machine asks no one.
    connections
        .outOfReach(address)
        .ifPresent(
            sentence -> {
              throw ApiError.conflict("repository_unreachable", sentence);
            });
    return switch (connections.connect(request.caller().organizationId(), repo, wish)) {
      case Connections.Connected made -> Reply.json(WireConnection.of(made));
      case Connections.NotReachable(var sentence) ->
          throw ApiError.conflict("repository_unreachable", sentence);
    };
  }

  /** A token, or an App by its id and private key. */
  private static Optional<HostCredentials> credentials(Fields in) {
    Optional<String> token = in.optionalText("token", MAX_TOKEN_LENGTH);
    if (!in.has("app")) {
      if (token.isEmpty()) {
        in.fault("token", "must be there, or app with id and privateKey");
      }
      return token.map(HostCredentials.Token::new);
    }
    if (token.isPresent()) {
      in.fault("token", "must not be there beside app");
    }
    Fields app = in.object("app");
    String id = app.text("id", MAX_SECRET_LENGTH);
    Optional<String> key = app.optionalLooseText("privateKey", MAX_PRIVATE_KEY_LENGTH);
    if (key.isEmpty()) {
      app.fault("privateKey", "must be the App's key, as PEM");
    }
    return key.map(k -> new HostCredentials.App(id, k));
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

  private Reply check(Request request) {
    var in = request.fields();
    RepoName repo = RepositoryField.read(in);
    in.check();
    List<Finding> findings =
        connections
            .check(request.caller().organizationId(), repo)
            .orElseThrow(ConnectionApi::notConnected);
    boolean ok = findings.stream().noneMatch(f -> f.level() == Finding.Level.MISSING);
    return Reply.json(new WireCheck(ok, WireFinding.of(findings)));
  }

  private Reply rotate(Request request) {
    var in = request.fields();
    RepoName repo = RepositoryField.read(in);
    in.check();
    return connections
        .hooks()
        .rotateSecret(request.caller().organizationId(), repo)
        .map(secret -> Reply.json(new WireSecret(secret)))
        .orElseThrow(
            () ->
                ApiError.notFound(
                    "hook_not_found",
                    "This repository is not connected to a forge whose hooks are signed."));
  }

  static ApiError notConnected() {
    return ApiError.notFound(
        "connection_not_found", "The organization has no connection to this repository.");
  }
}
