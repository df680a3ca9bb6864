package dev.mainstay.server.queue.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.code.RepoName;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.Priority;
import dev.mainstay.core.queue.Reason;
import dev.mainstay.server.platform.http.ApiError;
import dev.mainstay.server.platform.http.Fields;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.platform.http.Scope;
import dev.mainstay.server.queue.ForkTargets;
import dev.mainstay.server.queue.Outcomes;
import dev.mainstay.server.queue.PullRequestView;
import dev.mainstay.server.queue.PullRequests;
import dev.mainstay.server.queue.store.QueueName;
import dev.mainstay.server.repository.RepositoryField;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Pull requests in a queue: submit, cancel, restart, show, and their impacted targets. */
public final class PullRequestApi {
  private static final int MAX_TARGETS = 4_000_000;
  private static final int MAX_TARGET_LENGTH = 2000;
  private static final Pattern RUN_ID = Pattern.compile("[1-9][0-9]{0,17}");

  private final PullRequests pullRequests;
  private final ForkTargets forkTargets;

  public PullRequestApi(PullRequests pullRequests, ForkTargets forkTargets) {
    this.pullRequests = pullRequests;
    this.forkTargets = forkTargets;
  }

  public List<Route> routes() {
    return List.of(
        Route.post("/v1/submitPullRequest", Scope.QUEUE, this::submit),
        Route.post("/v1/cancelPullRequest", Scope.QUEUE, this::cancel),
        Route.post("/v1/restartTestsOnPullRequest", Scope.QUEUE, this::restart),
        Route.post("/v1/getSubmittedPullRequest", Scope.READ, this::get),
        Route.post("/v1/setImpactedTargets", Scope.QUEUE, this::setTargets)
            .withoutKey(this::setForkTargets));
  }

  /**
   * An entry on the wire. Title, head, base branch and author are empty until a forge has told
   * them.
   */
  record WirePullRequest(
      String id,
      String state,
      String stateChangedAt,
      int priorityValue,
      String priorityName,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> usedDefaultPriorityName,
      boolean skipTheLine,
      boolean noBatch,
      boolean forceEnqueued,
      boolean isCurrentlySubmittedToQueue,
      int prNumber,
      String prTitle,
      String prSha,
      String prBaseBranch,
      String prAuthor,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> url,
      String submittedAt,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> endedAt,
      WireReadiness readiness,
      WireReason reason,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Integer> position,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> testRunId,
      List<Integer> waitsFor,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<WireLanded> landed,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<WireChance> chance,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<WireExpected> expected) {
    static WirePullRequest of(PullRequestView pr) {
      String priority = nameOf(pr.priority());
      return new WirePullRequest(
          pr.id(),
          QueueWords.of(pr.state()),
          pr.stateChangedAt().toString(),
          pr.priority().value(),
          priority,
          pr.usedDefaultPriority() ? Optional.of(priority) : Optional.empty(),
          pr.priority().isUrgent(),
          pr.noBatch(),
          false,
          pr.open(),
          pr.number(),
          pr.title(),
          pr.sha().orElse(""),
          pr.baseBranch().orElse(""),
          pr.author(),
          Optional.of(pr.url()).filter(url -> !url.isEmpty()),
          pr.submittedAt().toString(),
          pr.endedAt().map(Instant::toString),
          WireReadiness.of(pr.readiness()),
          WireReason.of(pr.reason()),
          pr.position(),
          pr.testRunId(),
          pr.waitsFor(),
          pr.landed().map(l -> new WireLanded(l.sha(), QueueWords.of(l.how()))),
          pr.chance().map(WireChance::of),
          pr.expected().map(WireExpected::of));
    }
  }

  record WireLanded(String sha, String how) {}

  record WireChance(double passes, List<WireDriver> drivenBy) {
    static WireChance of(PullRequestView.Chance chance) {
      return new WireChance(
          rounded(chance.passes()), chance.drivers().stream().map(WireDriver::of).toList());
    }
  }

  record WireDriver(String trait, String value, double moves) {
    static WireDriver of(PullRequestView.Driver driver) {
      return new WireDriver(driver.trait(), driver.value(), rounded(driver.moves()));
    }
  }

  record WireExpected(String likelyBy, String lateBy) {
    static WireExpected of(PullRequestView.Expected expected) {
      return new WireExpected(
          expected.likely().truncatedTo(ChronoUnit.SECONDS).toString(),
          expected.late().truncatedTo(ChronoUnit.SECONDS).toString());
    }
  }

  private static double rounded(double share) {
    return Math.round(share * 1000) / 1000.0;
  }

  record WireReadiness(
      boolean hasImpactedTargets,
      boolean requiresImpactedTargets,
      boolean doesBaseBranchMatch,
      String mergeability,
      List<String> waitingFor) {
    static WireReadiness of(PullRequestView.Readiness readiness) {
      return new WireReadiness(
          readiness.hasImpactedTargets(),
          readiness.requiresImpactedTargets(),
          readiness.doesBaseBranchMatch(),
          QueueWords.of(readiness.mergeability()),
          readiness.waitingFor());
    }
  }

  record WireReason(String code, String message) {
    static WireReason of(Reason reason) {
      return new WireReason(reason.code().code(), reason.sentence());
    }
  }

  /** The name of a priority; of one that has none, its number, which a request may name too. */
  private static String nameOf(Priority priority) {
    return priority.name().orElseGet(() -> String.valueOf(priority.value()));
  }

  private Reply submit(Request request) {
    var in = request.fields();
    QueueName name = QueueFields.queue(request.caller(), in);
    PullRequestRef pr = QueueFields.pullRequest(in);
    var priority = QueueFields.priority(in);
    var noBatch = in.optionalFlag("noBatch");
    in.check();
    return switch (pullRequests.submit(name, pr, priority, noBatch)) {
      case Outcomes.Submitted(var submitted) -> Reply.json(WirePullRequest.of(submitted));
      case Outcomes.NoSuchQueue() -> throw noSuchQueue();
      case Outcomes.NoSuchPullRequest() -> throw noSuchPullRequest(pr);
    };
  }

  private Reply cancel(Request request) {
    var in = request.fields();
    QueueName name = QueueFields.queue(request.caller(), in);
    PullRequestRef pr = QueueFields.pullRequest(in);
    in.check();
    return switch (pullRequests.cancel(name, pr)) {
      case Outcomes.Cancelled(var _) -> Reply.nothing();
      case Outcomes.NoSuchQueue() -> throw noSuchQueue();
      case Outcomes.NeverSubmitted() -> throw neverSubmitted();
      case Outcomes.AlreadyEnded(var ended) ->
          throw ApiError.conflict(
              "pull_request_ended",
              "Pull request %s is %s already: it cannot be cancelled."
                  .formatted(pr, ended.state()));
    };
  }

  private Reply restart(Request request) {
    var in = request.fields();
    QueueName name = QueueFields.queue(request.caller(), in);
    PullRequestRef pr = QueueFields.pullRequest(in);
    in.check();
    return switch (pullRequests.restart(name, pr)) {
      case Outcomes.Restarted(var _) -> Reply.nothing();
      case Outcomes.NoSuchQueue() -> throw noSuchQueue();
      case Outcomes.NeverSubmitted() -> throw neverSubmitted();
      case Outcomes.NotTested(var found) ->
          throw ApiError.conflict(
              "not_tested",
              "Pull request %s is %s: it has no test to run again.".formatted(pr, found.state()));
      case Outcomes.BeingMerged(var _) ->
          throw ApiError.conflict(
              "being_merged",
              "Pull request %s has passed and is being merged: it is too late.".formatted(pr));
    };
  }

  private Reply get(Request request) {
    var in = request.fields();
    QueueName name = QueueFields.queue(request.caller(), in);
    PullRequestRef pr = QueueFields.pullRequest(in);
    in.check();
    return switch (pullRequests.pullRequest(name, pr)) {
      case Outcomes.Shown(var shown) -> Reply.json(WirePullRequest.of(shown));
      case Outcomes.NoSuchQueue() -> throw noSuchQueue();
      case Outcomes.NeverSubmitted() -> throw neverSubmitted();
    };
  }

  private Reply setTargets(Request request) {
    var in = request.fields();
    QueueName name = QueueFields.queue(request.caller(), in);
    PullRequestRef pr = QueueFields.pullRequest(in);
    var head = QueueFields.head(in);
    ImpactedTargets targets = targets(in);
    in.check();
    return switch (pullRequests.setImpactedTargets(name, pr, head, targets)) {
      case Outcomes.TargetsSet() -> Reply.nothing();
      case Outcomes.NoSuchQueue() -> throw noSuchQueue();
      case Outcomes.NoSuchPullRequest() -> throw noSuchPullRequest(pr);
      case Outcomes.HeadUnknown() ->
          throw ApiError.conflict(
              "head_unknown",
              "Name the head commit in pr.sha: no forge is connected that would know it.");
    };
  }

  /** A call without a key: the run that it names is to prove it. */
  private Reply setForkTargets(Request request) {
    long run =
        request
            .header("x-forked-workflow-run-id")
            .filter(id -> RUN_ID.matcher(id).matches())
            .map(Long::parseLong)
            .orElseThrow(ApiError::unproven);
    var in = request.fields();
    RepoName repo = RepositoryField.read(in);
    String branch = QueueFields.branch(in);
    PullRequestRef pr = QueueFields.pullRequest(in);
    Optional<CommitSha> head = QueueFields.requiredHead(in);
    ImpactedTargets targets = targets(in);
    in.check();
    return switch (forkTargets.set(repo, branch, pr, head.orElseThrow(), run, targets)) {
      case Outcomes.TargetsSet() -> Reply.nothing();
      case Outcomes.NoSuchQueue() -> throw noSuchQueue();
      case Outcomes.Unproven() -> throw ApiError.unproven();
      case Outcomes.TooManyRuns() ->
          throw ApiError.tooMany(
              "too_many_runs",
              "Too many runs were named for this repository without a key: wait a minute.",
              60);
    };
  }

  private static ImpactedTargets targets(Fields in) {
    if (in.says("impactedTargets", "ALL")) {
      return ImpactedTargets.ALL;
    }
    if (!in.has("impactedTargets") || in.anyText("impactedTargets").isPresent()) {
      in.fault("impactedTargets", "must be a list of texts, or \"ALL\"");
      return ImpactedTargets.NONE;
    }
    return in.optionalTexts("impactedTargets", MAX_TARGETS, MAX_TARGET_LENGTH)
        .map(PullRequestApi::targets)
        .orElse(ImpactedTargets.NONE);
  }

  /** A list that names ALL is everything, whatever else it names. */
  private static ImpactedTargets targets(Set<String> names) {
    boolean all = names.contains("ALL") || (names.size() == 1 && names.contains("all"));
    return all ? ImpactedTargets.ALL : ImpactedTargets.of(names);
  }

  private static ApiError noSuchPullRequest(PullRequestRef pr) {
    return ApiError.notFound(
        "pull_request_not_found", "The forge has no pull request %s.".formatted(pr));
  }

  static ApiError noSuchQueue() {
    return ApiError.notFound(
        "queue_not_found", "The organization has no queue for this branch of this repository.");
  }

  static ApiError neverSubmitted() {
    return ApiError.notFound(
        "pull_request_not_found",
        "This pull request was never submitted to this queue, or longer ago than the organization keeps.");
  }
}
