package dev.mainstay.core.simulation.check;

import dev.mainstay.core.queue.Connection;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.simulation.check.play.Deed;
import dev.mainstay.core.simulation.check.play.FaultRates;
import dev.mainstay.core.simulation.check.play.Flaws;
import dev.mainstay.core.simulation.check.play.Patch;
import dev.mainstay.core.simulation.check.play.Scenario;
import dev.mainstay.core.simulation.check.play.TraceWords;
import java.util.ArrayList;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** A failure, told so that people can follow it and see it again. */
public final class Story {
  private Story() {}

  /**
   * A failure: the invariant that was broken, in which world, how it came about, and how to see it
   * again.
   */
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
    var lines = new ArrayList<String>();
    lines.add("queue   " + TraceWords.of(scenario.settings()));
    lines.add("forge   " + forge(scenario));
    if (!scenario.faults().equals(FaultRates.NONE)) {
      lines.add("faults  " + faults(scenario.faults()));
    }
    if (!scenario.flaws().equals(Flaws.NONE)) {
      lines.add("flaws   " + flaws(scenario.flaws()));
    }
    lines.add("targets " + targets(scenario));
    return String.join(System.lineSeparator(), lines);
  }

  private static String forge(Scenario scenario) {
    Connection connection = scenario.connection();
    return "requires %s, %s test command, merges %s"
        .formatted(
            connection.protectionStatuses(),
            connection.hasTestCommand() ? "has a" : "no",
            scenario.forgeMergesAllOrNone() ? "all or none" : "one by one");
  }

  private static String flaws(Flaws flaws) {
    var named = new ArrayList<String>();
    flaws.broken().forEach(b -> named.add(new Patch(b.pr(), 1) + " is broken"));
    flaws.clashes().forEach(p -> named.add(pair(p) + " fail together"));
    flaws.conflicts().forEach(p -> named.add(pair(p) + " do not merge"));
    return String.join(", ", named);
  }

  private static String pair(Flaws.Pair pair) {
    return new Patch(pair.one(), 1) + " and " + new Patch(pair.other(), 1);
  }

  private static String faults(FaultRates faults) {
    var named = new ArrayList<String>();
    for (FaultRates.Kind kind : FaultRates.Kind.values()) {
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
    scenario.deeds().forEach(d -> Deed.about(d.deed()).ifPresent(used::add));
    var named = new ArrayList<String>();
    for (int number : used) {
      ImpactedTargets targets = scenario.subject(number).targets();
      named.add(new Patch(number, 1) + " " + (targets.all() ? "ALL" : targets.names().toString()));
    }
    return String.join(", ", named);
  }
}
