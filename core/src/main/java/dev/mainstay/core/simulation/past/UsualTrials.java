package dev.mainstay.core.simulation.past;

import dev.mainstay.core.queue.NumberSetting;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.queue.QueueSettings.Mode;
import dev.mainstay.core.queue.QueueSettings.Sizing;
import dev.mainstay.core.simulation.past.Trial.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/** What is often asked for, each beside the present settings: one thing changed at a time. */
public final class UsualTrials {
  private static final List<Integer> BUDGETS = List.of(1, 2);

  private final QueueSettings present;
  private final boolean knowsFlakes;
  private final List<Trial> trials = new ArrayList<>();

  private UsualTrials(QueueSettings present, boolean knowsFlakes) {
    this.present = present;
    this.knowsFlakes = knowsFlakes;
  }

  /** Modes are compared only where targets are known: else everything meets everything. */
  public static List<Trial> of(QueueSettings present, boolean targetsKnown, boolean knowsFlakes) {
    var usual = new UsualTrials(present, knowsFlakes);
    usual.budgets();
    usual.batches();
    boolean optimistic = !present.canOptimisticallyMerge();
    usual.add("canOptimisticallyMerge=" + optimistic, b -> b.canOptimisticallyMerge(optimistic));
    if (targetsKnown) {
      Mode other = present.isParallel() ? Mode.SINGLE : Mode.PARALLEL;
      usual.add("mode=" + other.name().toLowerCase(Locale.ROOT), b -> b.mode(other));
    }
    int doubled = Math.min(2 * present.concurrency(), NumberSetting.CONCURRENCY.most());
    usual.add("concurrency=" + doubled, b -> b.concurrency(doubled));
    return List.copyOf(usual.trials);
  }

  private void budgets() {
    for (int budget : BUDGETS) {
      add("speculationBudget=" + budget, b -> b.speculationBudget(budget));
    }
  }

  private void batches() {
    if (present.batch()) {
      add("batch=false", b -> b.batch(false));
      Sizing other = present.batchSizing() == Sizing.AUTO ? Sizing.FIXED : Sizing.AUTO;
      add("batchSizing=" + other.name(), b -> b.batchSizing(other));
    } else {
      add("batch=true", b -> b.batch(true).batchSizing(Sizing.FIXED));
      add("batch=true, batchSizing=AUTO", b -> b.batch(true).batchSizing(Sizing.AUTO));
    }
  }

  /** Unless that is how it is set already. */
  private void add(String label, UnaryOperator<QueueSettings.Builder> edit) {
    QueueSettings changed = edit.apply(present.edit()).build();
    if (!changed.equals(present)) {
      trials.add(Trial.of(Kind.USUAL, label, changed, knowsFlakes));
    }
  }
}
