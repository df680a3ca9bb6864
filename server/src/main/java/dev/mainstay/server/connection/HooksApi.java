package dev.mainstay.server.connection;

import dev.mainstay.core.code.RepoName;
import dev.mainstay.server.forge.HookCall;
import dev.mainstay.server.platform.http.ApiError;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.platform.http.Scope;
import dev.mainstay.server.repository.RepositoryField;
import java.util.List;
import java.util.Map;

/** The hooks by which forges tell that something moved. */
public final class HooksApi {
  private static final String PLAIN = "git";
  private static final int MAX_TOKEN_LENGTH = 200;

  private final Connections connections;

  public HooksApi(Connections connections) {
    this.connections = connections;
  }

  public List<Route> routes() {
    return List.of(
        Route.post("/v1/hooks/git", Scope.QUEUE, this::moved),
        Route.post("/hooks/git", this::movedByToken),
        Route.post("/hooks/github", request -> signed("github", request)),
        Route.post("/hooks/gitea", request -> signed("gitea", request)),
        Route.post("/hooks/gitlab", request -> signed("gitlab", request)));
  }

  private Reply moved(Request request) {
    var in = request.fields();
    RepoName repo = RepositoryField.read(in);
    in.check();
    if (!connections.hook(request.caller().organizationId(), repo)) {
      throw ConnectionApi.notConnected();
    }
    return Reply.nothing();
  }

  /** A hook with a token. The body of its sender is not read: the repository itself is asked. */
  private Reply movedByToken(Request request) {
    var in = request.parameters();
    String token = in.text("token", MAX_TOKEN_LENGTH);
    in.check();
    if (!connections.hooks().byToken(PLAIN, Map.of("token", token))) {
      throw ApiError.notFound("hook_not_found", "No connected repository has this hook.");
    }
    return Reply.nothing();
  }

  /** Whoever proves nothing learns nothing: not even whether a repository is connected. */
  private Reply signed(String kind, Request request) {
    if (!connections.hooks().signed(kind, new HookCall(request::header, request.bytes()))) {
      throw ApiError.unsigned();
    }
    return Reply.nothing();
  }
}
