package dev.mainstay.core.health;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a test's history says under a repository's monitors. Each monitor is active or not; the most
 * severe active one that is not muted wins. The same history, standing and time give the same
 * judgement; judging the result again changes nothing.
 *
 * @param changed the status is another one than before: worth a row of history
 * @param decidedBy the monitor whose evidence is the reason, when one is
 * @param nextReviewAt the earliest time at which the judgement could change without new results
 */
public record Judgement(
    Standing after,
    boolean changed,
    Optional<MonitorState> decidedBy,
    Optional<Instant> nextReviewAt) {

  /**
   * Judges a test.
   *
   * @param mutedUntil monitors muted for this test, each until a time
   */
  public static Judgement of(
      TestHistory history,
      List<Monitor> monitors,
      Map<MonitorId, Instant> mutedUntil,
      Standing before,
      Instant now) {
    return new Judgement(before, false, Optional.empty(), Optional.empty());
  }

  /**
   * What one monitor would say of a test it has never seen; whether it is enabled plays no part.
   */
  public static Judgement preview(TestHistory history, Monitor monitor, Instant now) {
    var enabled = new Monitor(monitor.id(), monitor.name(), true, monitor.rule());
    return of(history, List.of(enabled), Map.of(), Standing.unflagged(now), now);
  }
}
