package dev.mainstay.server.queue.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.server.platform.http.ApiError;
import dev.mainstay.server.platform.http.Fields;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.platform.http.Scope;
import dev.mainstay.server.queue.store.QueueName;
import dev.mainstay.server.queue.whatif.Answer;
import dev.mainstay.server.queue.whatif.Question;
import dev.mainstay.server.queue.whatif.WhatIfs;
import java.util.List;
import java.util.Optional;

/** What other settings would have made of a queue's past. */
public final class WhatIfApi {
  private static final int MOST_POLICIES = 8;

  private final WhatIfs whatIfs;

  public WhatIfApi(WhatIfs whatIfs) {
    this.whatIfs = whatIfs;
  }

  public List<Route> routes() {
    return List.of(Route.post("/v1/simulateQueue", Scope.READ, this::simulate));
  }

  record WireAnswer(
      String from,
      String to,
      int fewestChanges,
      int changes,
      int known,
      int guessed,
      List<Answer.LeftOut> leftOut,
      Answer.Found found,
      List<String> notes,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<WireFigures> asItWas,
      List<WireRow> rows) {
    static WireAnswer of(Answer.Shown shown) {
      return new WireAnswer(
          shown.from().toString(),
          shown.to().toString(),
          WhatIfs.FEWEST_CHANGES,
          shown.changes(),
          shown.known(),
          shown.guessed(),
          shown.leftOut(),
          shown.found(),
          shown.notes(),
          shown.asItWas().map(figures -> WireFigures.of(figures, Optional.empty())),
          shown.rows().stream().map(WireRow::of).toList());
    }
  }

  record WireRow(
      String kind,
      String label,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<WireSettings> settings,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<WireFigures> figures) {
    static WireRow of(Answer.Row row) {
      return new WireRow(
          QueueWords.of(row.kind()),
          row.label(),
          row.settings().map(WireSettings::of),
          row.figures().map(f -> WireFigures.of(f, Optional.of(f.greenShare()))));
    }
  }

  record WireTurnaround(double p50, double p95, double p99) {}

  record WireFigures(
      int changes,
      int landed,
      int rejected,
      WireTurnaround turnaroundMinutes,
      double buildsPerChange,
      double buildMinutesPerChange,
      int falseEjections,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Double> greenShare) {
    static WireFigures of(Answer.Figures f, Optional<Double> greenShare) {
      return new WireFigures(
          f.changes(),
          f.landed(),
          f.rejected(),
          new WireTurnaround(f.p50(), f.p95(), f.p99()),
          f.buildsPerChange(),
          f.buildMinutesPerChange(),
          f.falseEjections(),
          greenShare);
    }
  }

  /** The settings of {@link VariantFields#NAMES}. */
  record WireSettings(
      String mode,
      int concurrency,
      int bisectionConcurrency,
      int testingTimeoutMinutes,
      int pendingFailureDepth,
      boolean canOptimisticallyMerge,
      boolean batch,
      int batchingMinSize,
      int batchingMaxWaitTimeMinutes,
      String optimizationMode,
      boolean hermeticTests,
      int speculationBudget,
      int flakeRetries,
      String batchSizing,
      String timeoutSizing) {
    static WireSettings of(QueueSettings s) {
      return new WireSettings(
          QueueWords.of(s.mode()),
          s.concurrency(),
          s.bisectionSlots(),
          s.testingTimeoutMinutes(),
          s.pendingFailureDepth(),
          s.canOptimisticallyMerge(),
          s.batch(),
          s.batchingMinSize(),
          s.batchingMaxWaitTimeMinutes(),
          QueueWords.of(s.optimizationMode()),
          s.hermeticTests(),
          s.speculationBudget(),
          s.flakeRetries(),
          QueueWords.of(s.batchSizing()),
          QueueWords.of(s.timeoutSizing()));
    }
  }

  private Reply simulate(Request request) {
    var sent = request.object();
    var in = new Fields(sent);
    QueueName name = QueueFields.queue(request.caller(), in);
    var question =
        new Question(
            in.optionalTime("from"),
            in.optionalTime("to"),
            VariantFields.read(sent, in),
            in.optionalFlag("usual").orElse(true),
            in.optionalList("policies", MOST_POLICIES, Question::policy, Question.POLICIES)
                .orElse(List.of()));
    in.check();
    return switch (whatIfs.ask(name, question)) {
      case Answer.Shown shown -> Reply.json(WireAnswer.of(shown));
      case Answer.NoSuchQueue() -> throw PullRequestApi.noSuchQueue();
      case Answer.Busy() -> throw ApiError.busy();
      case Answer.BadWindow(long most) ->
          throw ApiError.invalid(
              List.of(
                  new ApiError.Fault(
                      "from",
                      "must be before to and before now, and at most %d days before to"
                          .formatted(most))));
    };
  }
}
