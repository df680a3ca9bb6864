package dev.mainstay.server.queue.api;

import dev.mainstay.core.queue.NumberSetting;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.queue.QueueSettings.DirectMergeMode;
import dev.mainstay.core.queue.QueueSettings.MergeMethod;
import dev.mainstay.core.queue.QueueSettings.Mode;
import dev.mainstay.core.queue.QueueSettings.OptimizationMode;
import dev.mainstay.core.queue.QueueSettings.Sizing;
import dev.mainstay.server.platform.http.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Reads queue settings from a request: those it names change, the others stay. */
final class SettingsFields {
  static final int MAX_STATUSES = 100;
  static final int MAX_STATUS_LENGTH = 255;
  static final int MAX_LABEL_LENGTH = 255;

  private final List<Consumer<QueueSettings.Builder>> edits = new ArrayList<>();

  private SettingsFields(Fields in) {
    edit(choice(in, "mode", Mode.values(), QueueWords::of), QueueSettings.Builder::mode);
    edit(number(in, NumberSetting.CONCURRENCY), QueueSettings.Builder::concurrency);
    edit(
        number(in, NumberSetting.BISECTION_CONCURRENCY),
        (b, n) -> b.bisectionConcurrency(Optional.of(n)));
    edit(
        number(in, NumberSetting.TESTING_TIMEOUT_MINUTES),
        QueueSettings.Builder::testingTimeoutMinutes);
    edit(
        number(in, NumberSetting.PENDING_FAILURE_DEPTH),
        QueueSettings.Builder::pendingFailureDepth);
    edit(in.optionalFlag("canOptimisticallyMerge"), QueueSettings.Builder::canOptimisticallyMerge);
    edit(in.optionalFlag("batch"), QueueSettings.Builder::batch);
    edit(number(in, NumberSetting.BATCHING_MIN_SIZE), QueueSettings.Builder::batchingMinSize);
    edit(
        number(in, NumberSetting.BATCHING_MAX_WAIT_TIME_MINUTES),
        QueueSettings.Builder::batchingMaxWaitTimeMinutes);
    edit(
        choice(in, "mergeMethod", MergeMethod.values(), QueueWords::of),
        QueueSettings.Builder::mergeMethod);
    edit(
        choice(in, "directMergeMode", DirectMergeMode.values(), QueueWords::of),
        QueueSettings.Builder::directMergeMode);
    edit(
        choice(in, "optimizationMode", OptimizationMode.values(), QueueWords::of),
        QueueSettings.Builder::optimizationMode);
    edit(in.optionalFlag("commentsEnabled"), QueueSettings.Builder::commentsEnabled);
    edit(in.optionalFlag("commandsEnabled"), QueueSettings.Builder::commandsEnabled);
    edit(in.optionalFlag("statusCheckEnabled"), QueueSettings.Builder::statusCheckEnabled);
    edit(
        in.optionalFlag("createPrsForTestingBranches"),
        QueueSettings.Builder::createPrsForTestingBranches);
    edit(
        in.optionalFlag("rewriteHeadBranches").map(rewrites -> !rewrites),
        QueueSettings.Builder::keepHeadBranches);
    edit(in.optionalFlag("hermeticTests"), QueueSettings.Builder::hermeticTests);
    edit(number(in, NumberSetting.SPECULATION_BUDGET), QueueSettings.Builder::speculationBudget);
    edit(number(in, NumberSetting.FLAKE_RETRIES), QueueSettings.Builder::flakeRetries);
    edit(
        choice(in, "batchSizing", Sizing.values(), QueueWords::of),
        QueueSettings.Builder::batchSizing);
    edit(
        choice(in, "timeoutSizing", Sizing.values(), QueueWords::of),
        QueueSettings.Builder::timeoutSizing);
    edit(label(in), (b, label) -> b.enqueueingLabel(Optional.of(label).filter(l -> !l.isEmpty())));
    edit(in.optionalFlag("labelCommandsEnabled"), QueueSettings.Builder::labelCommandsEnabled);
    edit(in.optionalFlag("stateLabelsEnabled"), QueueSettings.Builder::stateLabelsEnabled);
    edit(prefixes(in), QueueSettings.Builder::commandPrefixes);
    edit(in.optionalFlag("extensionEnabled"), QueueSettings.Builder::extensionEnabled);
    readStatuses(in);
  }

  /** An empty text takes the label away. */
  private static Optional<String> label(Fields in) {
    return in.says("enqueueingLabel", "")
        ? Optional.of("")
        : in.optionalText("enqueueingLabel", MAX_LABEL_LENGTH);
  }

  /** In the order in which they are known, each once. */
  private static Optional<List<String>> prefixes(Fields in) {
    Optional<Set<String>> said = in.optionalTexts("commandPrefixes", 10, MAX_LABEL_LENGTH);
    List<String> known = QueueSettings.PREFIXES;
    if (said.filter(some -> some.isEmpty() || !known.containsAll(some)).isPresent()) {
      in.fault("commandPrefixes", "must be a list with " + String.join(" or ", known));
    }
    return said.map(some -> known.stream().filter(some::contains).toList());
  }

  /** The change a request asks for; good for use once {@code in} was checked. */
  static UnaryOperator<QueueSettings> read(Fields in) {
    var edits = new SettingsFields(in).edits;
    return settings -> {
      QueueSettings.Builder builder = settings.edit();
      edits.forEach(edit -> edit.accept(builder));
      return builder.build();
    };
  }

  private void readStatuses(Fields in) {
    var statuses = in.optionalTexts("requiredStatuses", MAX_STATUSES, MAX_STATUS_LENGTH);
    boolean none = in.optionalFlag("deleteRequiredStatuses").orElse(false);
    if (none && statuses.isPresent()) {
      in.fault("deleteRequiredStatuses", "cannot be true where requiredStatuses is given");
    }
    edit(statuses, (b, names) -> b.requiredStatuses(Optional.of(List.copyOf(names))));
    edit(
        Optional.of(none).filter(wanted -> wanted),
        (b, wanted) -> b.requiredStatuses(Optional.empty()));
  }

  private <T> void edit(Optional<T> value, BiConsumer<QueueSettings.Builder, T> setter) {
    value.ifPresent(v -> edits.add(builder -> setter.accept(builder, v)));
  }

  private static Optional<Integer> number(Fields in, NumberSetting setting) {
    return in.optionalInteger(setting.field(), setting.least(), setting.most());
  }

  private static <E> Optional<E> choice(
      Fields in, String field, E[] choices, Function<E, String> word) {
    return in.optionalChoice(field, List.of(choices), word);
  }
}
