package dev.mainstay.server.web.queue;

import dev.mainstay.server.platform.http.ApiError;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.web.page.Address;
import dev.mainstay.server.web.page.Frame;
import dev.mainstay.server.web.page.Repo;
import dev.mainstay.server.web.page.Visit;
import dev.mainstay.server.web.queue.Answers.Listed;
import dev.mainstay.server.web.queue.Answers.RunLog;
import dev.mainstay.server.web.queue.Answers.TestRun;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A test run: its members, its checks, its output, and the tests that failed in it. */
public final class RunPage {
  private static final int MOST_LINES = 2000;

  private RunPage() {}

  public record Model(TestRun run, RunLog log, Repo repo, String branch, Address at) {
    /** The purpose of the run, in a few words. */
    public String about() {
      return switch (run.kind()) {
        case "BISECTION" -> "A bisection: finds which of a batch failed";
        case "TARGET" -> "Tests the target branch by itself";
        default -> "Tests what will land";
      };
    }

    public String href(int number) {
      return at.pullRequest(repo, branch, number);
    }
  }

  static Reply show(Visit visit) {
    String id = visit.request().path("run");
    for (Listed queue : queues(visit)) {
      Optional<TestRun> run = found(visit, queue.branch(), id);
      if (run.isPresent()) {
        return show(visit, queue.branch(), run.get());
      }
    }
    throw Visit.nothingHere();
  }

  private static List<Listed> queues(Visit visit) {
    return visit
        .ask(
            "/v1/listQueues",
            Map.of("repo", visit.repo().asked(), "take", 100),
            Answers.Queues.class)
        .queues();
  }

  private static Optional<TestRun> found(Visit visit, String branch, String id) {
    try {
      return PullRequestPage.run(visit, branch, id).stream().findFirst();
    } catch (ApiError e) {
      if (e.status() == 404 || e.status() == 400) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private static Reply show(Visit visit, String branch, TestRun run) {
    RunLog log = PullRequestPage.log(visit, branch, run.testRunId(), MOST_LINES);
    String here = visit.address().run(visit.repo(), run.testRunId());
    var crumbs = List.of(new Frame.Crumb("Run " + run.testRunId(), here));
    return visit.page(
        "run",
        QueuePage.frame(visit, branch, crumbs),
        new Model(run, log, visit.repo(), branch, visit.address()));
  }
}
