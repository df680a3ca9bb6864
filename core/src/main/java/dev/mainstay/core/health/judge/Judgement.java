package dev.mainstay.core.health.judge;

import dev.mainstay.core.health.Monitor;
import dev.mainstay.core.health.MonitorId;
import dev.mainstay.core.health.MonitorRule;
import dev.mainstay.core.health.MonitorState;
import dev.mainstay.core.health.Standing;
import dev.mainstay.core.health.TestHistory;
import dev.mainstay.core.health.TestStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The judgement of a test by its history, under a repository's monitors. Each monitor is active or
 * not; the most severe active one that is not muted wins. The same history, standing and time give
 * the same judgement; judging the result again changes nothing.
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
    var states = new ArrayList<MonitorState>();
    var reviews = new ArrayList<Instant>();
    for (Monitor monitor : monitors) {
      if (monitor.enabled()) {
        Optional<MonitorState> was = before.of(monitor.id());
        Finding finding = look(history, monitor.rule(), was, now);
        state(monitor.id(), finding, was, now).ifPresent(states::add);
        finding.nextReviewAt().ifPresent(reviews::add);
        if (finding.active()) {
          endOfMute(mutedUntil, monitor.id(), now).ifPresent(reviews::add);
        }
      }
    }
    Optional<MonitorState> worst =
        states.stream()
            .filter(MonitorState::active)
            .filter(state -> endOfMute(mutedUntil, state.monitor(), now).isEmpty())
            .min(MOST_SEVERE_FIRST);
    String reason =
        worst
            .map(state -> state.evidence().sentence())
            .orElseGet(() -> whyHealthy(states, monitors, mutedUntil, before));
    TestStatus status = worst.map(MonitorState::status).orElse(TestStatus.HEALTHY);
    boolean changed = status != before.status();
    var after = new Standing(status, reason, changed ? now : before.since(), states);
    return new Judgement(after, changed, worst, reviews.stream().min(Comparator.naturalOrder()));
  }

  /** The judgement of one monitor, enabled or not, on a test it has never seen. */
  public static Judgement preview(TestHistory history, Monitor monitor, Instant now) {
    var enabled = new Monitor(monitor.id(), monitor.name(), true, monitor.rule());
    return of(history, List.of(enabled), Map.of(), Standing.unflagged(now), now);
  }

  private static final Comparator<MonitorState> MOST_SEVERE_FIRST =
      Comparator.comparing(MonitorState::status).reversed().thenComparing(MonitorState::since);

  private static Finding look(
      TestHistory history, MonitorRule rule, Optional<MonitorState> was, Instant now) {
    boolean wasActive = was.isPresent() && was.get().active();
    return switch (rule) {
      case MonitorRule.PassOnRetry retry -> RetryWatch.look(history, retry, now);
      case MonitorRule.FailureRate rate -> RateWatch.look(history, rate, wasActive, now);
      case MonitorRule.FailureCount count -> CountWatch.look(history, count, wasActive, now);
      case MonitorRule.Bayesian bayesian -> BayesianWatch.look(history, bayesian, was, now);
    };
  }

  private static Optional<MonitorState> state(
      MonitorId id, Finding finding, Optional<MonitorState> was, Instant now) {
    if (finding.active()) {
      Instant since =
          was.filter(state -> state.active() && state.status() == finding.status())
              .map(MonitorState::since)
              .orElse(now);
      return Optional.of(new MonitorState(id, true, finding.status(), since, finding.evidence()));
    }
    return was.map(
        state ->
            state.active()
                ? new MonitorState(id, false, state.status(), now, finding.evidence())
                : state);
  }

  private static String whyHealthy(
      List<MonitorState> states,
      List<Monitor> monitors,
      Map<MonitorId, Instant> mutedUntil,
      Standing before) {
    for (MonitorState state : states) {
      if (state.active()) {
        return Phrases.muted(
            nameOf(state.monitor(), monitors),
            mutedUntil.getOrDefault(state.monitor(), state.since()),
            state.evidence().sentence());
      }
    }
    if (!states.isEmpty()) {
      MonitorState last = Collections.max(states, Comparator.comparing(MonitorState::since));
      return "Recovered: " + last.evidence().sentence();
    }
    boolean unwatched =
        before.status() != TestStatus.HEALTHY || before.reason().equals(Standing.WATCHED_NO_MORE);
    return unwatched ? Standing.WATCHED_NO_MORE : Standing.NEVER_FLAGGED;
  }

  private static String nameOf(MonitorId id, List<Monitor> monitors) {
    return monitors.stream()
        .filter(monitor -> monitor.id().equals(id))
        .map(Monitor::name)
        .findFirst()
        .orElseThrow();
  }

  private static Optional<Instant> endOfMute(
      Map<MonitorId, Instant> mutedUntil, MonitorId id, Instant now) {
    return Optional.ofNullable(mutedUntil.get(id)).filter(until -> until.isAfter(now));
  }
}
