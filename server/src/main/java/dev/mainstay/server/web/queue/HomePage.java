package dev.mainstay.server.web.queue;

import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Scope;
import dev.mainstay.server.web.page.Address;
import dev.mainstay.server.web.page.Repo;
import dev.mainstay.server.web.page.Visit;
import dev.mainstay.server.web.queue.Answers.Endpoint;
import dev.mainstay.server.web.queue.Answers.Listed;
import dev.mainstay.server.web.queue.Summaries.Summary;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The first page: every repository of the organization, with its queues and its tests. */
public final class HomePage {
  private HomePage() {}

  /** A repository and its queues. */
  public record Row(Summary summary, List<Listed> queues) {
    public int depth() {
      return queues.stream().mapToInt(Listed::enqueuedCount).sum();
    }
  }

  /** {@code off} are endpoints that we switched off, for whoever can mend them. */
  public record Model(List<Row> rows, Optional<String> next, List<Endpoint> off, Address at) {
    public String spark(Row row) {
      return Sparks.failures(row.summary());
    }
  }

  static Reply show(Visit visit) {
    Summaries.Page page = Summaries.page(visit, visit.query("cursor"));
    List<Listed> queues =
        visit.ask("/v1/listQueues", Map.of("take", 100), Answers.Queues.class).queues();
    List<Row> rows =
        page.repositories().stream()
            .map(summary -> new Row(summary, of(queues, summary.repo())))
            .toList();
    return visit.page(
        "home",
        visit.firstFrame(),
        new Model(rows, page.nextCursor(), off(visit), visit.address()));
  }

  private static List<Endpoint> off(Visit visit) {
    if (!visit.may(Scope.ADMIN)) {
      return List.of();
    }
    return visit.ask("/v1/webhooks/list", Map.of(), Answers.Endpoints.class).webhooks().stream()
        .filter(endpoint -> endpoint.switchedOffAt().isPresent())
        .toList();
  }

  private static List<Listed> of(List<Listed> queues, Repo repo) {
    return queues.stream().filter(q -> q.repo().equals(repo)).toList();
  }
}
