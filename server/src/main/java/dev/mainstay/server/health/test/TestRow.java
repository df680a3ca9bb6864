package dev.mainstay.server.health.test;

import dev.mainstay.core.health.Quarantine;
import dev.mainstay.core.health.TestStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** A test as it is stored. Names that a report did not give are empty. */
public record TestRow(
    UUID id,
    String name,
    String variant,
    String parent,
    String file,
    String classname,
    List<String> codeowners,
    Instant firstSeenAt,
    TestStatus status,
    String reason,
    Instant statusSince,
    Optional<Instant> unhealthySince,
    Optional<Decision> decision,
    Optional<String> ticket) {

  /**
   * A decision of somebody about the quarantine of a test, and by what it ends: the first of them.
   */
  public record Decision(
      Quarantine.Choice choice, String by, String reason, Instant since, End end) {

    /**
     * The end of a decision.
     *
     * @param until a time, which is also set when it has ended otherwise
     * @param afterPasses so many passes in a row
     * @param withTicket when the ticket of the test is closed
     */
    public record End(Optional<Instant> until, Optional<Integer> afterPasses, boolean withTicket) {}

    public Optional<Instant> until() {
      return end.until();
    }

    boolean holdsAt(Instant now) {
      return end.until().map(now::isBefore).orElse(true);
    }
  }

  public Optional<Quarantine.Choice> choiceAt(Instant now) {
    return decision.filter(o -> o.holdsAt(now)).map(Decision::choice);
  }

  public boolean isFlaky() {
    return status == TestStatus.FLAKY;
  }

  public boolean isQuarantined(Quarantine.Switches switches, Instant now) {
    return Quarantine.applies(switches, status, choiceAt(now));
  }

  /** The time since which the test is quarantined, given that it is. */
  public Instant quarantinedAt(RepoView repository, Instant now) {
    Instant own =
        decision
            .filter(o -> o.holdsAt(now))
            .map(Decision::since)
            .or(() -> unhealthySince)
            .orElse(statusSince);
    Instant switched =
        choiceAt(now).isPresent()
            ? repository.quarantiningSince().orElse(Instant.EPOCH)
            : repository.automaticFrom();
    return own.isBefore(switched) ? switched : own;
  }
}
