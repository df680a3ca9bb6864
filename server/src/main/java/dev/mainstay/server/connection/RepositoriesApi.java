package dev.mainstay.server.connection;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.mainstay.server.connection.ConnectionApi.WireRepo;
import dev.mainstay.server.platform.http.ListPage;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.platform.http.Scope;
import java.util.List;
import java.util.Optional;

/** The repositories of an organization. */
public final class RepositoriesApi {
  private final Connections connections;

  public RepositoriesApi(Connections connections) {
    this.connections = connections;
  }

  public List<Route> routes() {
    return List.of(Route.post("/v1/repositories/list", Scope.READ, this::list));
  }

  record WireRepository(WireRepo repo, boolean connected) {}

  record WirePage(
      List<WireRepository> repositories,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> nextCursor) {}

  private Reply list(Request request) {
    var in = request.fields();
    ListPage page = ListPage.read(in, 1);
    in.check();
    String after = page.after().map(List::getFirst).orElse("");
    List<Connections.Listed> found =
        connections.repositories(request.caller().organizationId(), after, page.take() + 1);
    List<Connections.Listed> shown = found.subList(0, Math.min(page.take(), found.size()));
    return Reply.json(
        new WirePage(
            shown.stream()
                .map(r -> new WireRepository(WireRepo.of(r.repo()), r.connected()))
                .toList(),
            found.size() > shown.size()
                ? Optional.of(ListPage.cursor(shown.getLast().repo().key()))
                : Optional.empty()));
  }
}
