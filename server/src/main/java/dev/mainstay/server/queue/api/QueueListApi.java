package dev.mainstay.server.queue.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.mainstay.core.code.RepoName;
import dev.mainstay.server.platform.http.ApiError;
import dev.mainstay.server.platform.http.ListPage;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.platform.http.Scope;
import dev.mainstay.server.queue.Queues;
import dev.mainstay.server.queue.api.QueueApi.WireQueue;
import dev.mainstay.server.repository.RepositoryField;
import java.util.List;
import java.util.Optional;

/** The queues of an organization. */
public final class QueueListApi {
  private final Queues queues;

  public QueueListApi(Queues queues) {
    this.queues = queues;
  }

  public List<Route> routes() {
    return List.of(Route.post("/v1/listQueues", Scope.READ, this::list));
  }

  record WireRepo(String host, String owner, String name) {}

  /** A queue without its pull requests, but how many there are. */
  record WireListed(WireRepo repo, int enqueuedCount, @JsonUnwrapped WireQueue queue) {
    static WireListed of(Queues.Listed listed) {
      RepoName repo = listed.repo();
      return new WireListed(
          new WireRepo(repo.host(), repo.owner(), repo.name()),
          listed.queue().pullRequests().size(),
          WireQueue.alone(listed.queue()));
    }
  }

  record WirePage(
      List<WireListed> queues,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> nextCursor) {}

  private Reply list(Request request) {
    var in = request.fields();
    Optional<RepoName> repo =
        in.has("repo") ? Optional.of(RepositoryField.read(in)) : Optional.empty();
    ListPage page = ListPage.read(in, 2);
    in.check();
    var after =
        new Queues.Place(
            page.after().map(List::getFirst).orElse(""),
            page.after().map(List::getLast).orElse(""));
    Queues.ListedPage found =
        queues
            .list(request.caller().organizationId(), repo, after, page.take())
            .orElseThrow(QueueListApi::noSuchRepository);
    return Reply.json(
        new WirePage(
            found.queues().stream().map(WireListed::of).toList(),
            found.last().map(place -> ListPage.cursor(place.key(), place.branch()))));
  }

  private static ApiError noSuchRepository() {
    return ApiError.notFound("repository_not_found", "The organization has no such repository.");
  }
}
