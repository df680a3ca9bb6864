package dev.mainstay.server.web.queue;

import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.web.page.Address;
import dev.mainstay.server.web.page.Repo;
import dev.mainstay.server.web.page.Visit;
import dev.mainstay.server.web.queue.Answers.Listed;
import dev.mainstay.server.web.queue.Summaries.Summary;
import java.util.List;
import java.util.Map;

/** A repository: its queues and its tests at a glance. */
public final class OverviewPage {
  private OverviewPage() {}

  public record Model(Repo repo, Summary summary, List<Listed> queues, Address at) {
    public String spark() {
      return Sparks.failures(summary);
    }
  }

  static Reply show(Visit visit) {
    Repo repo = visit.repo();
    Summary summary = Summaries.of(visit, repo);
    List<Listed> queues =
        visit
            .ask("/v1/listQueues", Map.of("repo", repo.asked(), "take", 100), Answers.Queues.class)
            .queues();
    String here = visit.address().repository(repo);
    return visit.page(
        "overview",
        visit.frame(repo.text(), repo, here, List.of()),
        new Model(repo, summary, queues, visit.address()));
  }
}
