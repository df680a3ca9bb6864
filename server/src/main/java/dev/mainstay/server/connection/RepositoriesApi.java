package dev.mainstay.server.connection;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.mainstay.core.code.RepoName;
import dev.mainstay.server.connection.ConnectionApi.WireRepo;
import dev.mainstay.server.platform.http.ApiError;
import dev.mainstay.server.platform.http.ListPage;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.platform.http.Scope;
import dev.mainstay.server.repository.RepositoryField;
import java.util.List;
import java.util.Optional;

/** The repositories of an organization. */
public final class RepositoriesApi {
  private final Connections connections;

  public RepositoriesApi(Connections connections) {
    this.connections = connections;
  }

  public List<Route> routes() {
    return List.of(
        Route.post("/v1/repositories/list", Scope.READ, this::list),
        Route.post("/v1/repositories/set", Scope.ADMIN, this::set));
  }

  record WireRepository(
      WireRepo repo, boolean connected, @JsonProperty("public_pages") boolean publicPages) {
    static WireRepository of(Connections.Listed listed) {
      return new WireRepository(
          WireRepo.of(listed.repo()), listed.connected(), listed.publicPages());
    }
  }

  record WireAnswer(WireRepository repository) {}

  record WirePage(
      List<WireRepository> repositories,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> nextCursor) {}

  private Reply list(Request request) {
    var in = request.fields();
    ListPage page = ListPage.read(in, 1);
    Optional<RepoName> only =
        in.has("repo") ? Optional.of(RepositoryField.read(in)) : Optional.empty();
    in.check();
    if (only.isPresent()) {
      List<WireRepository> found =
          connections.repository(request.caller().organizationId(), only.get()).stream()
              .map(WireRepository::of)
              .toList();
      return Reply.json(new WirePage(found, Optional.empty()));
    }
    String after = page.after().map(List::getFirst).orElse("");
    List<Connections.Listed> found =
        connections.repositories(request.caller().organizationId(), after, page.take() + 1);
    List<Connections.Listed> shown = found.subList(0, Math.min(page.take(), found.size()));
    return Reply.json(
        new WirePage(
            shown.stream().map(WireRepository::of).toList(),
            found.size() > shown.size()
                ? Optional.of(ListPage.cursor(shown.getLast().repo().key()))
                : Optional.empty()));
  }

  private Reply set(Request request) {
    var in = request.fields();
    RepoName repo = RepositoryField.read(in);
    Optional<Boolean> publicPages = in.optionalFlag("public_pages");
    if (!in.has("public_pages")) {
      in.fault("public_pages", "is required");
    }
    in.check();
    return connections
        .setPublicPages(request.caller().organizationId(), repo, publicPages.orElse(false))
        .map(listed -> Reply.json(new WireAnswer(WireRepository.of(listed))))
        .orElseThrow(
            () ->
                ApiError.notFound(
                    "repository_not_found", "The organization has no such repository."));
  }
}
