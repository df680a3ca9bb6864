package dev.mainstay.core.simulation.check.play;

import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.queue.QueueSettings.DirectMergeMode;
import dev.mainstay.core.queue.QueueSettings.Mode;
import dev.mainstay.core.queue.QueueSettings.OptimizationMode;
import java.util.List;
import java.util.Optional;

/** One setting changed by hand. */
final class Tweaks {
  private static final int[] TIMEOUTS = {0, 120, 150, 200, 250, 300};

  private Tweaks() {}

  static QueueSettings apply(Deed.Configure deed, QueueSettings s, boolean flawless) {
    int n = deed.value();
    boolean odd = n % 2 == 1;
    var edit = s.edit();
    return switch (deed.tweak()) {
      case MODE -> edit.mode(s.isParallel() ? Mode.SINGLE : Mode.PARALLEL).build();
      case CONCURRENCY -> edit.concurrency(1 + n).build();
      case BISECTION_CONCURRENCY -> edit.bisectionConcurrency(Optional.of(1 + n / 2)).build();
      case TIMEOUT -> edit.testingTimeoutMinutes(TIMEOUTS[n]).build();
      case PENDING_FAILURE_DEPTH -> edit.pendingFailureDepth(n / 2).build();
      case OPTIMISTIC_MERGING -> edit.canOptimisticallyMerge(!s.canOptimisticallyMerge()).build();
      case BATCHING -> edit.batch(!s.batch()).build();
      case BATCH_SIZE -> edit.batchingMinSize(1 + n).build();
      case BATCH_WAIT -> edit.batchingMaxWaitTimeMinutes(5 * n).build();
      case DIRECT_MERGE ->
          edit.directMergeMode(odd ? DirectMergeMode.ALWAYS : DirectMergeMode.OFF).build();
      case OPTIMIZATION ->
          edit.optimizationMode(
                  odd ? OptimizationMode.BISECTION_SKIP_REDUNDANT_TESTS : OptimizationMode.OFF)
              .build();
      case HERMETIC_TESTS -> edit.hermeticTests(!s.hermeticTests()).build();
      case SPECULATION_BUDGET -> edit.speculationBudget(n / 2).build();
      case FLAKE_RETRIES -> edit.flakeRetries(n / 2).build();
      case REQUIRED_STATUSES -> edit.requiredStatuses(required(n, flawless)).build();
    };
  }

  /** A queue that requires nothing merges broken changes: only for a world without any. */
  private static Optional<List<String>> required(int n, boolean flawless) {
    return switch (n) {
      case 0 -> flawless ? Optional.of(List.of()) : Optional.empty();
      case 1 -> Optional.empty();
      case 2, 3 -> Optional.of(List.of("lint"));
      default -> Optional.of(List.of("build", "test"));
    };
  }
}
