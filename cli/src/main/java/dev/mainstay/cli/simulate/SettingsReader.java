package dev.mainstay.cli.simulate;

import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.queue.QueueSettings.Mode;
import dev.mainstay.core.queue.QueueSettings.OptimizationMode;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Makes queue settings of what users wrote; {@code where} begins every fault. */
record SettingsReader(String where, Map<String, String> texts, Faults faults) {

  QueueSettings read(int slots) {
    int batch = whole("batch-size", 1, 100);
    return QueueSettings.defaults()
        .edit()
        .mode(mode())
        .concurrency(concurrency(slots))
        .bisectionConcurrency(bisectionConcurrency())
        .testingTimeoutMinutes(whole("testing-timeout", 0, 10_080))
        .pendingFailureDepth(whole("pending-failure-depth", 0, 100))
        .canOptimisticallyMerge(flag("optimistic-merging"))
        .batch(batch > 1)
        .batchingMinSize(batch)
        .batchingMaxWaitTimeMinutes(whole("batch-wait", 0, 1440))
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
        ? Math.min(slots, 1000)
        : whole("concurrency", 1, 1000);
  }

  private Optional<Integer> bisectionConcurrency() {
    return text("bisection-concurrency").isEmpty()
        ? Optional.empty()
        : Optional.of(whole("bisection-concurrency", 1, 1000));
  }

  private boolean flag(String key) {
    return switch (text(key).toLowerCase(Locale.ROOT)) {
      case "true", "on", "yes" -> true;
      case "false", "off", "no" -> false;
      default -> {
        faults.add(option(key), "must be true or false, not '" + text(key) + "'");
        yield false;
      }
    };
  }

  private int whole(String key, int least, int most) {
    return faults.whole(option(key), text(key), least, most);
  }

  private String option(String key) {
    return where.isEmpty() ? "--" + key : where + key;
  }

  private String text(String key) {
    return texts.getOrDefault(key, "");
  }
}
