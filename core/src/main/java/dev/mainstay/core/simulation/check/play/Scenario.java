package dev.mainstay.core.simulation.check.play;

import dev.mainstay.core.queue.Connection;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.QueueSettings;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * A world to put a queue through: all that is decided about it beforehand, as plain data, so that
 * it can be run again and made smaller. {@code seed} is the luck of the rest.
 */
public record Scenario(
    long seed,
    QueueSettings settings,
    Connection connection,
    FaultRates faults,
    Flaws flaws,
    Map<Integer, Subject> subjects,
    List<PlannedDeed> deeds,
    boolean forgeMergesAllOrNone,
    boolean headKnown,
    Uploads uploads) {

  /**
   * A pull request, or a push past the queue. A fresh one was made on the newest target branch;
   * targets that are told before the submission come with it.
   */
  public record Subject(ImpactedTargets targets, boolean fresh, boolean toldBefore) {}

  public Scenario {
    subjects = Collections.unmodifiableMap(new TreeMap<>(subjects));
    deeds = List.copyOf(deeds);
  }

  public Subject subject(int number) {
    return Objects.requireNonNull(subjects.get(number), () -> "Nobody knows " + number);
  }

  public Scenario with(List<PlannedDeed> fewer) {
    return new Scenario(
        seed,
        settings,
        connection,
        faults,
        flaws,
        subjects,
        fewer,
        forgeMergesAllOrNone,
        headKnown,
        uploads);
  }

  public Scenario with(FaultRates others) {
    return new Scenario(
        seed,
        settings,
        connection,
        others,
        flaws,
        subjects,
        deeds,
        forgeMergesAllOrNone,
        headKnown,
        uploads);
  }

  public Scenario with(Flaws others) {
    return new Scenario(
        seed,
        settings,
        connection,
        faults,
        others,
        subjects,
        deeds,
        forgeMergesAllOrNone,
        headKnown,
        uploads);
  }

  public Scenario with(QueueSettings others) {
    return new Scenario(
        seed,
        others,
        connection,
        faults,
        flaws,
        subjects,
        deeds,
        forgeMergesAllOrNone,
        headKnown,
        uploads);
  }

  public Scenario with(Uploads others) {
    return new Scenario(
        seed,
        settings,
        connection,
        faults,
        flaws,
        subjects,
        deeds,
        forgeMergesAllOrNone,
        headKnown,
        others);
  }
}
