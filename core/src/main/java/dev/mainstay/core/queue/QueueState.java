package dev.mainstay.core.queue;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.QueueSettings.Mode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Everything that is open in one queue: plain data and look-ups, no decision.
 *
 * <p>{@code entries} are in the order they came; the map is handed over, not copied. {@code line}
 * holds the groups under test, first one first; {@code side} the parts of failed batches in
 * bisection. Who is PENDING and in neither waits for a slot. {@code lastId} is the last number
 * given to an entry, a group, a run, a landing or an action.
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
    entries = Collections.unmodifiableMap(entries);
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

  /** The group this pull request is tested in, in the line or in bisection. */
  public Optional<Group> groupOf(PullRequestRef pr) {
    return groups().filter(g -> g.holds(pr)).findFirst();
  }

  /** The run of this pull request's group. */
  public Optional<Run> runOf(PullRequestRef pr) {
    return groupOf(pr).flatMap(Group::run);
  }

  /** The group that a run belongs to, as long as the run is wanted. */
  public Optional<Group> groupOf(RunId run) {
    return groups().filter(g -> g.run().filter(r -> r.id().equals(run)).isPresent()).findFirst();
  }

  /** The run that tests this commit. */
  public Optional<Run> runOn(CommitSha tested) {
    return groups()
        .flatMap(g -> g.run().stream())
        .filter(r -> r.commit().equals(Optional.of(tested)))
        .findFirst();
  }

  /** Those who are let in and wait for a slot: by priority, then first come. */
  public List<Entry> waiting() {
    Set<PullRequestRef> grouped = grouped();
    var byPriority = new TreeMap<Priority, List<Entry>>();
    for (Entry entry : entries.values()) {
      if (entry.is(PullRequestState.PENDING) && !grouped.contains(entry.pr())) {
        byPriority.computeIfAbsent(entry.priority(), p -> new ArrayList<>()).add(entry);
      }
    }
    return byPriority.values().stream().flatMap(List::stream).toList();
  }

  /** Everyone in queue order: under test, in bisection, waiting, not ready. */
  public List<Entry> inOrder() {
    Stream<Entry> grouped =
        groups().flatMap(g -> g.members().stream()).flatMap(m -> entry(m.pr()).stream());
    Stream<Entry> notReady =
        entries.values().stream().filter(e -> e.is(PullRequestState.NOT_READY));
    return Stream.of(grouped, waiting().stream(), notReady).flatMap(s -> s).toList();
  }

  /** The place in the queue, counted from 1; those who are not ready have none. */
  public Optional<Integer> position(PullRequestRef pr) {
    List<Entry> order = inOrder();
    for (int i = 0; i < order.size(); i++) {
      if (order.get(i).pr().equals(pr)) {
        boolean ready = !order.get(i).is(PullRequestState.NOT_READY);
        return ready ? Optional.of(i + 1) : Optional.empty();
      }
    }
    return Optional.empty();
  }

  /** The pull requests that must be merged before this one can be. */
  public List<PullRequestRef> waitsFor(PullRequestRef pr) {
    return Lanes.waitsFor(this, pr);
  }

  /** The same for everybody in the line and waiting, of each the nearest so many. */
  public Map<PullRequestRef, List<PullRequestRef>> waitsFor(int most) {
    return Lanes.waitsFor(this, most);
  }

  /** What a test run must pass, and empty where nothing says so. */
  public Optional<List<String>> requiredStatuses() {
    return MustPass.statuses(this);
  }

  /** Whether nothing is in the queue but what has not been let in. */
  public boolean isDrained() {
    return entries.values().stream().allMatch(e -> e.is(PullRequestState.NOT_READY));
  }

  /** The entry of a pull request that is in a group: it is open, or the state is broken. */
  Entry member(PullRequestRef pr) {
    return entry(pr).orElseThrow(() -> new IllegalStateException(pr + " is tested but not open"));
  }

  boolean isLanding(GroupId group) {
    return landing.filter(l -> l.groups().contains(group)).isPresent();
  }

  private Stream<Group> groups() {
    return Stream.of(line, side).flatMap(Collection::stream);
  }

  private Set<PullRequestRef> grouped() {
    var prs = new HashSet<PullRequestRef>();
    groups().forEach(g -> g.members().forEach(m -> prs.add(m.pr())));
    return prs;
  }
}
