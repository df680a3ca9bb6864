package dev.mainstay.server.queue.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.RepoName;
import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.server.platform.http.ApiError;
import dev.mainstay.server.platform.http.Fields;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.platform.http.Scope;
import dev.mainstay.server.queue.FailedTest;
import dev.mainstay.server.queue.HeadReports;
import dev.mainstay.server.queue.Outcomes;
import dev.mainstay.server.queue.RunLog;
import dev.mainstay.server.queue.TestRunView;
import dev.mainstay.server.queue.TestRunView.TestedPullRequest;
import dev.mainstay.server.queue.TestRuns;
import dev.mainstay.server.queue.store.QueueName;
import dev.mainstay.server.queue.store.TestRunStore;
import dev.mainstay.server.repository.RepositoryField;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Test runs of a queue: details, the output of test commands, and the reports of CI systems. */
public final class TestRunApi {
  private static final int MAX_ID_LENGTH = 200;
  private static final int MAX_URL_LENGTH = 2000;
  private static final int MAX_LINES = 10_000;
  private static final List<CheckState> TOLD =
      List.of(CheckState.PENDING, CheckState.SUCCESS, CheckState.FAILURE);

  private final TestRuns testRuns;
  private final HeadReports headReports;

  public TestRunApi(TestRuns testRuns, HeadReports headReports) {
    this.testRuns = testRuns;
    this.headReports = headReports;
  }

  public List<Route> routes() {
    return List.of(
        Route.post("/v1/getMergeQueueTestingDetails", Scope.READ, this::details),
        Route.post("/v1/reportTestStatus", Scope.QUEUE, this::report),
        Route.post("/v1/getTestRunLog", Scope.READ, this::log),
        Route.get("/v1/getTestRunOutput", Scope.READ, this::output));
  }

  /** {@code impactedTargets} is a list, or the text ALL. */
  record WireTestRun(
      String testRunId,
      String status,
      String kind,
      String testBranch,
      String testBranchSha,
      String baseSha,
      String createdAt,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> endedAt,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> outcome,
      List<String> requiredStatuses,
      String requiredStatusesSource,
      List<WireMissing> missingStatuses,
      List<WireCheck> checks,
      List<WireTested> testedPullRequests,
      List<WireTested> dependentPrs,
      WireAssumption assumes,
      Object impactedTargets) {

    static WireTestRun of(TestRunView run) {
      ImpactedTargets targets = run.impactedTargets();
      return new WireTestRun(
          run.id(),
          QueueWords.of(run.status()),
          QueueWords.of(run.kind()),
          run.testBranch(),
          run.testBranchSha().orElse(""),
          run.baseSha(),
          run.createdAt().toString(),
          run.endedAt().map(Instant::toString),
          run.outcome(),
          run.requiredStatuses(),
          QueueWords.of(run.requiredStatusesSource()),
          run.missingStatuses().stream().map(WireMissing::of).toList(),
          run.checks().stream().map(WireCheck::of).toList(),
          run.tested().stream().map(WireTested::of).toList(),
          run.dependsOn().stream().map(WireTested::of).toList(),
          WireAssumption.of(run),
          targets.all() ? "ALL" : targets.names());
    }
  }

  /** Pull requests ahead, by their numbers: those that it holds, and those it was made without. */
  record WireAssumption(List<Integer> lands, List<Integer> leaves) {
    static WireAssumption of(TestRunView run) {
      return new WireAssumption(
          run.dependsOn().stream().map(TestedPullRequest::number).toList(), run.leavesOut());
    }
  }

  record WireMissing(String name, String since) {
    static WireMissing of(TestRunView.Missing missing) {
      return new WireMissing(missing.name(), missing.since().toString());
    }
  }

  record WireCheck(String name, String url, String state) {
    static WireCheck of(TestRunStore.Check check) {
      return new WireCheck(check.name(), check.url().orElse(""), QueueWords.of(check.state()));
    }
  }

  record WireTested(int prNumber, String prUrl, String title) {
    static WireTested of(TestedPullRequest pr) {
      return new WireTested(pr.number(), pr.url(), pr.title());
    }
  }

  /** {@code complete} is false while more output may come. */
  record WireRunLog(
      String testRunId,
      String status,
      boolean complete,
      String output,
      List<WireCheck> checks,
      List<WireFailedTest> failedTests) {

    static WireRunLog of(TestRunView run, RunLog log, Optional<Integer> lines) {
      return new WireRunLog(
          run.id(),
          QueueWords.of(run.status()),
          log.complete(),
          lines.map(log::lastLines).orElse(log.output()),
          run.checks().stream().map(WireCheck::of).toList(),
          log.failedTests().stream().map(WireFailedTest::of).toList());
    }
  }

  record WireFailedTest(
      String testId,
      String name,
      String classname,
      String file,
      String message,
      boolean quarantined,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> status) {

    static WireFailedTest of(FailedTest test) {
      return new WireFailedTest(
          test.id(),
          test.name(),
          test.classname(),
          test.file(),
          test.message(),
          test.quarantined(),
          test.status());
    }
  }

  private Reply log(Request request) {
    var in = request.fields();
    QueueName name = QueueFields.queue(request.caller(), in);
    var id = in.optionalText("testRunId", MAX_ID_LENGTH);
    var pr = QueueFields.optionalPullRequest(in);
    var lines = in.optionalInteger("lines", 1, MAX_LINES);
    if (in.has("testRunId") == in.has("pr")) {
      in.fault("testRunId", "is required, or pr.number instead of it, but not both");
    }
    in.check();
    return switch (testRuns.testingDetails(name, id, pr)) {
      case Outcomes.RunsFound(var runs) when !runs.isEmpty() ->
          Reply.json(WireRunLog.of(runs.getFirst(), testRuns.log(name, runs.getFirst()), lines));
      case Outcomes.RunsFound _, Outcomes.NoSuchRun _ -> throw noSuchRun();
      case Outcomes.NoSuchQueue() -> throw PullRequestApi.noSuchQueue();
      case Outcomes.NeverSubmitted() -> throw PullRequestApi.neverSubmitted();
    };
  }

  private Reply details(Request request) {
    var in = request.fields();
    QueueName name = QueueFields.queue(request.caller(), in);
    var id = in.optionalText("testRunId", MAX_ID_LENGTH);
    var pr = QueueFields.optionalPullRequest(in);
    in.check();
    return switch (testRuns.testingDetails(name, id, pr)) {
      case Outcomes.RunsFound(var runs) ->
          Reply.json(Map.of("testRuns", runs.stream().map(WireTestRun::of).toList()));
      case Outcomes.NoSuchQueue() -> throw PullRequestApi.noSuchQueue();
      case Outcomes.NoSuchRun() -> throw noSuchRun();
      case Outcomes.NeverSubmitted() -> throw PullRequestApi.neverSubmitted();
    };
  }

  private Reply report(Request request) {
    var in = request.fields();
    QueueName name = QueueFields.queue(request.caller(), in);
    var id = in.optionalText("testRunId", MAX_ID_LENGTH);
    var sha = QueueFields.sha(in, "testBranchSha");
    boolean ofHead = !in.has("testRunId") && !in.has("testBranchSha") && in.has("pr");
    var head = ofHead ? QueueFields.requiredHead(in) : Optional.<CommitSha>empty();
    if (!ofHead && in.has("testRunId") == in.has("testBranchSha")) {
      in.fault("testRunId", "is required, or testBranchSha or pr.sha instead of it, but not both");
    }
    String check = in.text("name", SettingsFields.MAX_STATUS_LENGTH);
    CheckState state = state(in);
    var url = url(in);
    in.check();
    if (head.isPresent()) {
      return reported(headReports.report(name, head.get(), check, state));
    }
    return reported(
        sha.isPresent()
            ? testRuns.reportTestStatus(name, sha.get(), check, state, url)
            : testRuns.reportTestStatus(name, id.orElseThrow(), check, state, url));
  }

  private static Reply reported(Outcomes.Report outcome) {
    return switch (outcome) {
      case Outcomes.Reported() -> Reply.nothing();
      case Outcomes.NoSuchQueue() -> throw PullRequestApi.noSuchQueue();
      case Outcomes.NoSuchRun() -> throw noSuchRun();
      case Outcomes.TooManyStatuses(int most) ->
          throw ApiError.conflict(
              "too_many_statuses", "A commit has at most %,d statuses.".formatted(most));
    };
  }

  private static CheckState state(Fields in) {
    if (!in.has("state")) {
      in.fault("state", "is required");
    }
    return in.optionalChoice("state", TOLD, QueueWords::of).orElse(CheckState.PENDING);
  }

  private static Optional<String> url(Fields in) {
    var url = in.optionalText("url", MAX_URL_LENGTH);
    if (url.isPresent() && !url.get().matches("(?i)https?://\\S+")) {
      in.fault("url", "must be an http or https address");
    }
    return url;
  }

  private Reply output(Request request) {
    var in = request.parameters();
    RepoName repo = RepositoryField.parameters(in);
    String branch = QueueFields.branch(in);
    String id = in.text("testRunId", MAX_ID_LENGTH);
    in.check();
    var name = new QueueName(request.caller().organizationId(), repo, branch);
    RunLog log = testRuns.testOutput(name, id).orElseThrow(TestRunApi::noSuchOutput);
    return Reply.text(200, log.output())
        .with(Map.of("x-output-complete", String.valueOf(log.complete())));
  }

  private static ApiError noSuchRun() {
    return ApiError.notFound("test_run_not_found", "The queue has no such test run.");
  }

  private static ApiError noSuchOutput() {
    return ApiError.notFound(
        "output_not_found", "No test run of this id printed anything in such a queue.");
  }
}
