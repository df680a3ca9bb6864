package dev.mainstay.server.queue.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.queue.Stall;
import dev.mainstay.server.platform.Json;
import dev.mainstay.server.platform.http.ApiError;
import dev.mainstay.server.platform.http.Fields;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.platform.http.Scope;
import dev.mainstay.server.queue.Outcomes;
import dev.mainstay.server.queue.PullRequestView;
import dev.mainstay.server.queue.QueueView;
import dev.mainstay.server.queue.Queues;
import dev.mainstay.server.queue.api.PullRequestApi.WirePullRequest;
import dev.mainstay.server.queue.store.QueueName;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Queues: make, show, change, delete. */
public final class QueueApi {
  private static final int MOST_NAMED = 20;
  private static final List<QueueLifecycle> REQUESTABLE =
      List.of(QueueLifecycle.RUNNING, QueueLifecycle.PAUSED, QueueLifecycle.DRAINING);

  private final Queues queues;
  private final RenderedQueues rendered =
      new RenderedQueues(queue -> Json.write(WireQueue.whole(queue)));

  public QueueApi(Queues queues) {
    this.queues = queues;
  }

  public List<Route> routes() {
    return List.of(
        Route.post("/v1/createQueue", Scope.QUEUE, this::create),
        Route.post("/v1/getQueue", Scope.READ, this::get),
        Route.post("/v1/updateQueue", Scope.QUEUE, this::update),
        Route.post("/v1/deleteQueue", Scope.QUEUE, this::delete));
  }

  record WireQueue(
      String state,
      String branch,
      String mode,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> nextMode,
      int concurrency,
      int bisectionConcurrency,
      boolean bisectionConcurrencyFollows,
      int testingTimeoutMinutes,
      int pendingFailureDepth,
      boolean canOptimisticallyMerge,
      boolean batch,
      int batchingMinSize,
      int batchingMaxWaitTimeMinutes,
      String mergeMethod,
      String directMergeMode,
      String optimizationMode,
      @Nullable List<String> requiredStatuses,
      boolean commentsEnabled,
      boolean commandsEnabled,
      boolean statusCheckEnabled,
      boolean createPrsForTestingBranches,
      boolean rewriteHeadBranches,
      boolean hermeticTests,
      int speculationBudget,
      int flakeRetries,
      String batchSizing,
      String timeoutSizing,
      int batchSizeInForce,
      int testingTimeoutMinutesInForce,
      @Nullable String enqueueingLabel,
      boolean labelCommandsEnabled,
      boolean stateLabelsEnabled,
      List<String> commandPrefixes,
      boolean extensionEnabled,
      List<String> warnings,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<WireStall> stalled,
      @JsonInclude(JsonInclude.Include.NON_ABSENT)
          Optional<List<WirePullRequest>> enqueuedPullRequests) {

    static WireQueue of(QueueView queue, Optional<List<WirePullRequest>> pullRequests) {
      QueueSettings settings = queue.settings();
      return new WireQueue(
          QueueWords.of(queue.state()),
          queue.branch(),
          QueueWords.of(settings.mode()),
          queue.nextMode().map(QueueWords::of),
          settings.concurrency(),
          settings.bisectionSlots(),
          settings.bisectionConcurrency().isEmpty(),
          settings.testingTimeoutMinutes(),
          settings.pendingFailureDepth(),
          settings.canOptimisticallyMerge(),
          settings.batch(),
          settings.batchingMinSize(),
          settings.batchingMaxWaitTimeMinutes(),
          QueueWords.of(settings.mergeMethod()),
          QueueWords.of(settings.directMergeMode()),
          QueueWords.of(settings.optimizationMode()),
          settings.requiredStatuses().orElse(null),
          settings.commentsEnabled(),
          settings.commandsEnabled(),
          settings.statusCheckEnabled(),
          settings.createPrsForTestingBranches(),
          !settings.keepHeadBranches(),
          settings.hermeticTests(),
          settings.speculationBudget(),
          settings.flakeRetries(),
          QueueWords.of(settings.batchSizing()),
          QueueWords.of(settings.timeoutSizing()),
          queue.inForce().batchSize(),
          queue.inForce().testingTimeoutMinutes(),
          settings.enqueueingLabel().orElse(null),
          settings.labelCommandsEnabled(),
          settings.stateLabelsEnabled(),
          settings.prefixes(),
          settings.extensionEnabled(),
          queue.warnings(),
          queue.stall().map(WireStall::of),
          pullRequests);
    }

    static WireQueue alone(QueueView queue) {
      return of(queue, Optional.empty());
    }

    static WireQueue whole(QueueView queue) {
      return of(
          queue, Optional.of(queue.pullRequests().stream().map(WirePullRequest::of).toList()));
    }
  }

  record WireStall(String since, String cause, String message) {
    static WireStall of(Stall stall) {
      return new WireStall(
          stall.since().toString(), QueueWords.of(stall.cause()), stall.sentence());
    }
  }

  private Reply create(Request request) {
    var in = request.fields();
    QueueName name = QueueFields.queue(request.caller(), in);
    QueueFields.checkNew(in, name.branch());
    var edit = SettingsFields.read(in);
    in.check();
    return switch (queues.create(name, edit.apply(queues.firstSettings(name)))) {
      case Outcomes.Created(var queue) -> Reply.json(WireQueue.alone(queue));
      case Outcomes.QueueExists() -> throw exists();
    };
  }

  static ApiError exists() {
    return ApiError.conflict("queue_exists", "This branch of this repository has a queue already.");
  }

  private Reply get(Request request) {
    var in = request.fields();
    QueueName name = QueueFields.queue(request.caller(), in);
    in.check();
    return queues.find(name).map(rendered::of).orElseThrow(PullRequestApi::noSuchQueue);
  }

  private Reply update(Request request) {
    var in = request.fields();
    QueueName name = QueueFields.queue(request.caller(), in);
    var edit = SettingsFields.read(in);
    var lifecycle = lifecycle(in);
    in.check();
    return switch (queues.update(name, edit, in.has("mode"), lifecycle)) {
      case Outcomes.Updated(var queue) -> Reply.json(WireQueue.alone(queue));
      case Outcomes.NoSuchQueue() -> throw PullRequestApi.noSuchQueue();
    };
  }

  /** The state that a request asks for. */
  static Optional<QueueLifecycle> lifecycle(Fields in) {
    return in.optionalChoice("state", REQUESTABLE, QueueWords::of);
  }

  private Reply delete(Request request) {
    var in = request.fields();
    QueueName name = QueueFields.queue(request.caller(), in);
    in.check();
    return switch (queues.delete(name)) {
      case Outcomes.Deleted() -> Reply.nothing();
      case Outcomes.NoSuchQueue() -> throw PullRequestApi.noSuchQueue();
      case Outcomes.NotEmpty(var left) -> throw ApiError.conflict("queue_not_empty", stillIn(left));
    };
  }

  static String stillIn(List<PullRequestView> left) {
    String names =
        left.stream()
            .limit(MOST_NAMED)
            .map(pr -> "#%d (%s)".formatted(pr.number(), pr.state()))
            .collect(Collectors.joining(", "));
    String more =
        left.size() > MOST_NAMED ? " and %d more".formatted(left.size() - MOST_NAMED) : "";
    return "Still in the queue: %s%s. Cancel them or let them merge, then delete it."
        .formatted(names, more);
  }
}
