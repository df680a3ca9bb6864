package dev.mainstay.core.simulation.check;

import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.QueueSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** A failure, told so that people can follow it and see it again. */
public final class Story {
  private Story() {}

  /** What was broken, in which world, how it came about, and how to see it again. */
  public static String failure(long seed, Failure failure) {
    var lines = new ArrayList<String>();
    lines.add("BROKEN  " + failure.invariant() + ": " + failure.invariant().sentence());
    lines.add("        " + failure.detail());
    lines.add(world(failure.scenario()));
    lines.addAll(failure.trace());
    lines.add("        " + failure.detail());
    lines.add("Replay: ./mainstay simulate --check --seed " + seed);
    return String.join(System.lineSeparator(), lines);
  }

  /** The settings and all that is special about the world. */
  public static String world(Scenario scenario) {
    QueueSettings s = scenario.settings();
    var lines = new ArrayList<String>();
    lines.add(
        "queue   mode %s, concurrency %d, bisection %d, timeout %d min, failure depth %d, %s, %s, %s, %s"
            .formatted(
                s.mode().name().toLowerCase(Locale.ROOT),
                s.concurrency(),
                s.bisectionSlots(),
                s.testingTimeoutMinutes(),
                s.pendingFailureDepth(),
                s.canOptimisticallyMerge() ? "optimistic" : "not optimistic",
                s.batch()
                    ? "batches of %d within %d min"
                        .formatted(s.batchingMinSize(), s.batchingMaxWaitTimeMinutes())
                    : "no batches",
                "direct merge " + s.directMergeMode(),
                s.skipsRedundantTests() ? "skips redundant tests" : "skips no tests"));
    lines.add(
        "needs   "
            + s.requiredStatuses()
                .map(List::toString)
                .orElse("what the forge requires: " + scenario.connection().protectionStatuses()));
    if (!scenario.faults().equals(Faults.NONE)) {
      lines.add("faults  " + faults(scenario.faults()));
    }
    if (!scenario.flaws().equals(Flaws.NONE)) {
      lines.add("flaws   " + scenario.flaws());
    }
    lines.add("targets " + targets(scenario));
    return String.join(System.lineSeparator(), lines);
  }

  private static String faults(Faults faults) {
    var named = new ArrayList<String>();
    for (Faults.Kind kind : Faults.Kind.values()) {
      if (faults.of(kind) > 0) {
        named.add(
            "%s %.0f %%"
                .formatted(
                    kind.name().toLowerCase(Locale.ROOT).replace('_', ' '), 100 * faults.of(kind)));
      }
    }
    return String.join(", ", named);
  }

  private static String targets(Scenario scenario) {
    Set<Integer> used = new TreeSet<>();
    scenario.decisions().forEach(d -> Deed.about(d.deed()).ifPresent(used::add));
    var named = new ArrayList<String>();
    for (int number : used) {
      ImpactedTargets targets = scenario.subject(number).targets();
      named.add(new Patch(number, 1) + " " + (targets.all() ? "ALL" : targets.names().toString()));
    }
    return String.join(", ", named);
  }
}
