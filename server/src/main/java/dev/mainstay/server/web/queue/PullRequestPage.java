package dev.mainstay.server.web.queue;

import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.web.page.Address;
import dev.mainstay.server.web.page.Form;
import dev.mainstay.server.web.page.Frame;
import dev.mainstay.server.web.page.Notice;
import dev.mainstay.server.web.page.Repo;
import dev.mainstay.server.web.page.Visit;
import dev.mainstay.server.web.queue.Answers.FailedTest;
import dev.mainstay.server.web.queue.Answers.PullRequest;
import dev.mainstay.server.web.queue.Answers.RunLog;
import dev.mainstay.server.web.queue.Answers.Story;
import dev.mainstay.server.web.queue.Answers.Submission;
import dev.mainstay.server.web.queue.Answers.TestRun;
import dev.mainstay.server.web.queue.Answers.TestRuns;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A pull request: why it is where it is, in one sentence, and then the whole story. */
public final class PullRequestPage {
  private static final int LAST_LINES = 40;
  private static final int MOST_RUNS = 12;

  private PullRequestPage() {}

  /** Evidence of a run that decided: what failed in it. */
  public record Evidence(TestRun run, RunLog log) {
    public List<Answers.Check> failedChecks() {
      return run.checks().stream().filter(c -> c.state().equals("FAILURE")).toList();
    }

    /** Whether all that failed was known to be flaky. */
    public boolean allFlaky() {
      return !log.failedTests().isEmpty()
          && log.failedTests().stream().allMatch(PullRequestPage::isKnownFlaky);
    }
  }

  public record Model(
      PullRequest pr,
      Repo repo,
      String branch,
      Address at,
      List<Submission> submissions,
      List<TestRun> runs,
      Optional<Evidence> evidence,
      String advice) {
    public String href(int number) {
      return at.pullRequest(repo, branch, number);
    }

    public String here() {
      return href(pr.prNumber());
    }

    public boolean canCancel() {
      return pr.isCurrentlySubmittedToQueue();
    }

    public boolean canRestart() {
      return List.of("PENDING", "TESTING", "TESTS_PASSED", "PENDING_FAILURE").contains(pr.state());
    }
  }

  static boolean isKnownFlaky(FailedTest test) {
    return test.quarantined() || test.status().filter(s -> !s.equals("healthy")).isPresent();
  }

  static Reply show(Visit visit) {
    int number = visit.number("number");
    var asked = asked(visit, number);
    Story story = visit.ask("/v1/getPullRequestHistory", asked, Story.class);
    List<TestRun> runs = runs(visit, story);
    Optional<Evidence> evidence = evidence(visit, story.pullRequest(), runs);
    var model =
        new Model(
            story.pullRequest(),
            visit.repo(),
            visit.branch(),
            visit.address(),
            story.submissions(),
            runs,
            evidence,
            Advice.of(story.pullRequest(), evidence.map(Evidence::allFlaky).orElse(false)));
    String here = visit.address().pullRequest(visit.repo(), visit.branch(), number);
    var crumbs = List.of(new Frame.Crumb("#" + number, here));
    return visit.page("pull-request", QueuePage.frame(visit, visit.branch(), crumbs), model);
  }

  private static Map<String, Object> asked(Visit visit, int number) {
    return Form.body(QueuePage.asked(visit), Map.of("pr", Map.of("number", number)));
  }

  /** The runs of its newest submission, the newest first. */
  private static List<TestRun> runs(Visit visit, Story story) {
    var runs = new ArrayList<TestRun>();
    story.submissions().stream()
        .findFirst()
        .map(Submission::testRunIds)
        .orElse(List.of())
        .reversed()
        .stream()
        .limit(MOST_RUNS)
        .forEach(id -> runs.addAll(run(visit, visit.branch(), id)));
    return runs;
  }

  static List<TestRun> run(Visit visit, String branch, String id) {
    var asked = Map.of("repo", visit.repo().asked(), "targetBranch", branch, "testRunId", id);
    return visit.ask("/v1/getMergeQueueTestingDetails", asked, TestRuns.class).testRuns();
  }

  static RunLog log(Visit visit, String branch, String id, int lines) {
    var asked =
        Map.of(
            "repo", visit.repo().asked(), "targetBranch", branch, "testRunId", id, "lines", lines);
    return visit.ask("/v1/getTestRunLog", asked, RunLog.class);
  }

  /** The newest run that failed, where the pull request has failed or is about to. */
  private static Optional<Evidence> evidence(Visit visit, PullRequest pr, List<TestRun> runs) {
    if (!pr.state().equals("FAILED") && !pr.state().equals("PENDING_FAILURE")) {
      return Optional.empty();
    }
    return runs.stream()
        .filter(run -> run.status().equals("FAILED"))
        .findFirst()
        .map(run -> new Evidence(run, log(visit, visit.branch(), run.testRunId(), LAST_LINES)));
  }

  static Reply act(Visit visit, Form form) {
    int number = visit.number("number");
    var asked = asked(visit, number);
    Notice notice =
        switch (form.needed("do")) {
          case "cancel" -> {
            visit.act("/v1/cancelPullRequest", asked);
            yield Notice.CANCELLED;
          }
          case "restart" -> {
            visit.act("/v1/restartTestsOnPullRequest", asked);
            yield Notice.RESTARTED;
          }
          case "submit" -> {
            visit.act("/v1/submitPullRequest", asked);
            yield Notice.SUBMITTED;
          }
          case "priority" -> {
            var body = new LinkedHashMap<>(asked);
            body.put("priority", form.needed("priority"));
            visit.act("/v1/submitPullRequest", body);
            yield Notice.PRIORITY;
          }
          default -> throw Visit.nothingHere();
        };
    return Visit.back(visit.address().pullRequest(visit.repo(), visit.branch(), number), notice);
  }
}
