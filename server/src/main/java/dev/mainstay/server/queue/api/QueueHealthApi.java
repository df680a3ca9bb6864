package dev.mainstay.server.queue.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.mainstay.server.platform.http.ApiError;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.platform.http.Scope;
import dev.mainstay.server.queue.HealthWindow;
import dev.mainstay.server.queue.Outcomes;
import dev.mainstay.server.queue.QueueHealth;
import dev.mainstay.server.queue.QueueHealth.Percentiles;
import dev.mainstay.server.queue.QueueHealth.Times;
import dev.mainstay.server.queue.Queues;
import dev.mainstay.server.queue.store.QueueName;
import java.util.List;
import java.util.Optional;

/** How a queue has done over a time. */
public final class QueueHealthApi {
  private final Queues queues;

  public QueueHealthApi(Queues queues) {
    this.queues = queues;
  }

  public List<Route> routes() {
    return List.of(Route.post("/v1/getQueueHealth", Scope.READ, this::get));
  }

  record WireHealth(
      String from,
      String to,
      String step,
      WireNumbers totals,
      List<WireExits> reasons,
      List<WireStep> steps) {
    static WireHealth of(QueueHealth health) {
      return new WireHealth(
          health.window().from().toString(),
          health.window().to().toString(),
          QueueWords.of(health.window().step()),
          WireNumbers.of(health.totals()),
          health.reasons().stream().map(WireExits::of).toList(),
          health.steps().stream().map(WireStep::of).toList());
    }
  }

  record WireNumbers(
      int entered,
      int merged,
      int failed,
      int cancelled,
      int restarts,
      int bisections,
      int builds,
      int buildsSaved,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Double> buildsPerChange,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Percentiles> timeInQueueSeconds,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Percentiles> waitingSeconds,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Percentiles> testingSeconds,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Percentiles> blockedSeconds) {
    static WireNumbers of(QueueHealth.Numbers numbers) {
      return new WireNumbers(
          numbers.entered(),
          numbers.merged(),
          numbers.failed(),
          numbers.cancelled(),
          numbers.restarts(),
          numbers.bisections(),
          numbers.builds(),
          numbers.buildsSaved(),
          numbers.buildsPerChange(),
          numbers.times().map(Times::inQueue),
          numbers.times().map(Times::waiting),
          numbers.times().map(Times::testing),
          numbers.times().map(Times::blocked));
    }
  }

  record WireExits(String code, int count) {
    static WireExits of(QueueHealth.Exits exits) {
      return new WireExits(exits.code().code(), exits.count());
    }
  }

  record WireStep(
      String at,
      @JsonUnwrapped WireNumbers numbers,
      List<WireExits> left,
      int depthMax,
      double depthMean,
      int slots,
      double slotsUsedMean) {
    static WireStep of(QueueHealth.Step step) {
      return new WireStep(
          step.at().toString(),
          WireNumbers.of(step.numbers()),
          step.left().stream().map(WireExits::of).toList(),
          step.depthMax(),
          step.depthMean(),
          step.slots(),
          step.slotsUsedMean());
    }
  }

  private Reply get(Request request) {
    var in = request.fields();
    QueueName name = QueueFields.queue(request.caller(), in);
    var from = in.optionalTime("from");
    var to = in.optionalTime("to");
    var step =
        in.optionalChoice("step", List.of(HealthWindow.Step.values()), QueueWords::of)
            .orElse(HealthWindow.Step.DAY);
    in.check();
    return switch (queues.health(name, from, to, step)) {
      case Outcomes.HealthShown(var health) -> Reply.json(WireHealth.of(health));
      case Outcomes.NoSuchQueue() -> throw PullRequestApi.noSuchQueue();
      case Outcomes.BadWindow(int most) ->
          throw ApiError.invalid(
              List.of(
                  new ApiError.Fault(
                      "from",
                      "must be before to and before now, and at most %d steps before to"
                          .formatted(most))));
    };
  }
}
