package dev.mainstay.core.queue;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.QueueSettings.Mode;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that is open in one queue: plain data and look-ups, no decision.
 *
 * <p>{@code entries} are in the order they came. {@code line} holds the groups under test, first
 * one first; {@code side} the parts of failed batches in bisection. Who is in neither waits.
 */
public record QueueState(
    QueueSettings settings,
    QueueLifecycle lifecycle,
    Optional<Mode> switchingTo,
    Connection connection,
    Target target,
    Map<PullRequestRef, Entry> entries,
    List<Group> line,
    List<Group> side,
    Optional<LandingInFlight> landing,
    Optional<Instant> wakeAt,
    long lastId) {

  public QueueState {
    entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
    line = List.copyOf(line);
    side = List.copyOf(side);
  }

  /** An empty queue for this branch, running. */
  public static QueueState empty(
      String branch, Optional<CommitSha> head, QueueSettings settings, Connection connection) {
    return new QueueState(
        settings,
        QueueLifecycle.RUNNING,
        Optional.empty(),
        connection,
        new Target(branch, head, List.of()),
        Map.of(),
        List.of(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        0);
  }

  /** The open entry of this pull request. */
  public Optional<Entry> entry(PullRequestRef pr) {
    return Optional.ofNullable(entries.get(pr));
  }
}
