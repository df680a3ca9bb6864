package dev.mainstay.core.health;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * The part of a test's past that some monitors look at, so that no more is read. A time that is
 * absent is not looked at. A test that is healthy and has no failure since {@code hoursSince} and
 * no split commit since {@code splitsSince} stays healthy: it needs no judgement.
 *
 * @param runsSince for {@link TestHistory#runs()}
 */
public record HistoryNeed(
    Optional<Instant> hoursSince, Optional<Instant> splitsSince, Optional<Instant> runsSince) {

  public static HistoryNeed of(List<Monitor> monitors, Instant now) {
    var need = new HistoryNeed(Optional.empty(), Optional.empty(), Optional.empty());
    for (Monitor monitor : monitors) {
      if (monitor.enabled()) {
        need = need.and(of(monitor.rule(), now));
      }
    }
    return need;
  }

  public static HistoryNeed of(MonitorRule rule, Instant now) {
    Optional<Instant> since = Optional.of(before(now, rule.lookBack()));
    return switch (rule) {
      case MonitorRule.PassOnRetry r -> new HistoryNeed(Optional.empty(), since, Optional.empty());
      case MonitorRule.FailureRate r -> new HistoryNeed(since, Optional.empty(), Optional.empty());
      case MonitorRule.FailureCount r -> new HistoryNeed(since, Optional.empty(), Optional.empty());
      case MonitorRule.Bayesian r -> new HistoryNeed(since, since, since);
    };
  }

  private HistoryNeed and(HistoryNeed other) {
    return new HistoryNeed(
        earlier(hoursSince, other.hoursSince),
        earlier(splitsSince, other.splitsSince),
        earlier(runsSince, other.runsSince));
  }

  private static Instant before(Instant now, Duration lookBack) {
    return now.minus(lookBack).truncatedTo(ChronoUnit.HOURS);
  }

  private static Optional<Instant> earlier(Optional<Instant> one, Optional<Instant> other) {
    if (one.isEmpty() || other.isEmpty()) {
      return one.or(() -> other);
    }
    return one.get().isBefore(other.get()) ? one : other;
  }
}
