package dev.mainstay.cli.simulate;

import dev.mainstay.core.queue.NumberSetting;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.queue.QueueSettings.Mode;
import dev.mainstay.core.queue.QueueSettings.OptimizationMode;
import dev.mainstay.core.queue.QueueSettings.Sizing;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Makes queue settings of what users wrote; {@code where} begins every fault. */
record SettingsReader(String where, Map<String, String> texts, Faults faults) {

  QueueSettings read(int slots) {
    QueueSettings usual = QueueSettings.defaults();
    boolean sizesBatches = text("batch-size").equals("auto");
    int batch =
        sizesBatches
            ? usual.batchingMinSize()
            : whole("batch-size", NumberSetting.BATCHING_MIN_SIZE);
    boolean sizesTimeouts = text("testing-timeout").equals("auto");
    return usual
        .edit()
        .mode(mode())
        .concurrency(concurrency(slots))
        .bisectionConcurrency(bisectionConcurrency())
        .testingTimeoutMinutes(
            sizesTimeouts
                ? usual.testingTimeoutMinutes()
                : whole("testing-timeout", NumberSetting.TESTING_TIMEOUT_MINUTES))
        .timeoutSizing(sizesTimeouts ? Sizing.AUTO : Sizing.FIXED)
        .batchSizing(sizesBatches ? Sizing.AUTO : Sizing.FIXED)
        .pendingFailureDepth(whole("pending-failure-depth", NumberSetting.PENDING_FAILURE_DEPTH))
        .speculationBudget(whole("speculation-budget", NumberSetting.SPECULATION_BUDGET))
        .flakeRetries(whole("flake-retries", NumberSetting.FLAKE_RETRIES))
        .hermeticTests(flag("hermetic-tests"))
        .canOptimisticallyMerge(flag("optimistic-merging"))
        .batch(batch > 1)
        .batchingMinSize(batch)
        .batchingMaxWaitTimeMinutes(
            whole("batch-wait", NumberSetting.BATCHING_MAX_WAIT_TIME_MINUTES))
        .optimizationMode(
            flag("skip-redundant-tests")
                ? OptimizationMode.BISECTION_SKIP_REDUNDANT_TESTS
                : OptimizationMode.OFF)
        .build();
  }

  private Mode mode() {
    return switch (text("mode").toLowerCase(Locale.ROOT)) {
      case "single" -> Mode.SINGLE;
      case "parallel" -> Mode.PARALLEL;
      default -> {
        faults.add(option("mode"), "must be single or parallel, not '" + text("mode") + "'");
        yield Mode.SINGLE;
      }
    };
  }

  private int concurrency(int slots) {
    return text("concurrency").equals("slots")
        ? Math.min(slots, NumberSetting.CONCURRENCY.most())
        : whole("concurrency", NumberSetting.CONCURRENCY);
  }

  private Optional<Integer> bisectionConcurrency() {
    return text("bisection-concurrency").isEmpty()
        ? Optional.empty()
        : Optional.of(whole("bisection-concurrency", NumberSetting.BISECTION_CONCURRENCY));
  }

  boolean flag(String key) {
    return switch (text(key).toLowerCase(Locale.ROOT)) {
      case "true", "on", "yes" -> true;
      case "false", "off", "no" -> false;
      default -> {
        faults.add(option(key), "must be true or false, not '" + text(key) + "'");
        yield false;
      }
    };
  }

  private int whole(String key, NumberSetting setting) {
    return faults.whole(option(key), text(key), setting.least(), setting.most());
  }

  private String option(String key) {
    return where.isEmpty() ? "--" + key : where + key;
  }

  private String text(String key) {
    return texts.getOrDefault(key, "");
  }
}
