package dev.mainstay.server.queue.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.ReasonCode;
import dev.mainstay.server.platform.http.ApiError;
import dev.mainstay.server.platform.http.Fields;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.platform.http.Scope;
import dev.mainstay.server.queue.Outcomes;
import dev.mainstay.server.queue.PullRequestStory;
import dev.mainstay.server.queue.PullRequests;
import dev.mainstay.server.queue.api.PullRequestApi.WirePullRequest;
import dev.mainstay.server.queue.api.PullRequestApi.WireReason;
import dev.mainstay.server.queue.store.PullRequestStore;
import dev.mainstay.server.queue.store.QueueName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What became of pull requests: the list of all submissions, and the story of one. */
public final class PullRequestHistoryApi {
  private static final int MAX_CURSOR_LENGTH = 500;
  private static final int MAX_PAGE = 100;
  private static final int USUAL_PAGE = 50;
  private static final int MOST_TARGETS = 100;

  private final PullRequests pullRequests;

  public PullRequestHistoryApi(PullRequests pullRequests) {
    this.pullRequests = pullRequests;
  }

  public List<Route> routes() {
    return List.of(
        Route.post("/v1/listPullRequests", Scope.READ, this::list),
        Route.post("/v1/getPullRequestHistory", Scope.READ, this::story));
  }

  record WirePage(
      List<WirePullRequest> pullRequests,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> nextCursor) {}

  record WireStory(WireSubject pullRequest, List<WireSubmission> submissions) {
    static WireStory of(PullRequestStory story) {
      return new WireStory(
          new WireSubject(
              WirePullRequest.of(story.pullRequest()),
              story.impactedTargets().map(PullRequestHistoryApi::some)),
          story.submissions().stream().map(WireSubmission::of).toList());
    }
  }

  /** {@code impactedTargets} is a list, or the text ALL. */
  record WireSubject(
      @JsonUnwrapped WirePullRequest pullRequest,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Object> impactedTargets) {}

  record WireSubmission(
      String id,
      String submittedAt,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> endedAt,
      String state,
      WireReason reason,
      List<WireTransition> transitions,
      List<String> testRunIds) {
    static WireSubmission of(PullRequestStory.Submission submission) {
      return new WireSubmission(
          submission.id(),
          submission.submittedAt().toString(),
          submission.endedAt().map(Instant::toString),
          QueueWords.of(submission.state()),
          WireReason.of(submission.reason()),
          submission.moves().stream().map(WireTransition::of).toList(),
          submission.testRunIds());
    }
  }

  record WireTransition(
      String at,
      String state,
      WireReason reason,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> testRunId) {
    static WireTransition of(PullRequestStory.Move move) {
      return new WireTransition(
          move.at().toString(),
          QueueWords.of(move.state()),
          WireReason.of(move.reason()),
          move.testRunId());
    }
  }

  private static Object some(ImpactedTargets targets) {
    return targets.all() ? "ALL" : targets.names().stream().limit(MOST_TARGETS).toList();
  }

  private Reply list(Request request) {
    var in = request.fields();
    QueueName name = QueueFields.queue(request.caller(), in);
    var wanted = wanted(in);
    var cursor = in.optionalText("cursor", MAX_CURSOR_LENGTH);
    int take = in.optionalInteger("take", 1, MAX_PAGE).orElse(USUAL_PAGE);
    in.check();
    return switch (pullRequests.history(name, wanted, cursor, take)) {
      case Outcomes.Page(var pullRequests, var next) ->
          Reply.json(new WirePage(pullRequests.stream().map(WirePullRequest::of).toList(), next));
      case Outcomes.NoSuchQueue() -> throw PullRequestApi.noSuchQueue();
      case Outcomes.BadCursor() ->
          throw ApiError.invalid(
              List.of(new ApiError.Fault("cursor", "must be the nextCursor of an earlier answer")));
    };
  }

  private static PullRequestStore.Wanted wanted(Fields in) {
    return new PullRequestStore.Wanted(
        in.optionalChoice("state", List.of(PullRequestState.values()), QueueWords::of),
        in.optionalChoice("reasonCode", List.of(ReasonCode.values()), ReasonCode::code),
        in.optionalTime("since"),
        in.optionalTime("until"),
        in.optionalFlag("ended").orElse(false));
  }

  private Reply story(Request request) {
    var in = request.fields();
    QueueName name = QueueFields.queue(request.caller(), in);
    PullRequestRef pr = QueueFields.pullRequest(in);
    in.check();
    return switch (pullRequests.story(name, pr)) {
      case Outcomes.Told(var story) -> Reply.json(WireStory.of(story));
      case Outcomes.NoSuchQueue() -> throw PullRequestApi.noSuchQueue();
      case Outcomes.NeverSubmitted() -> throw PullRequestApi.neverSubmitted();
    };
  }
}
