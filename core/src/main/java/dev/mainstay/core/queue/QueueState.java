package dev.mainstay.core.queue;

import dev.mainstay.core.chance.Learned;
import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.QueueSettings.Mode;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Everything that is open in one queue: plain data and look-ups, no decision.
 *
 * <p>{@code line} holds the groups under test, first one first; {@code side} the parts of failed
 * batches in bisection. Who is PENDING and in neither waits for a slot. {@code lastId} is the last
 * number given to an entry, a group, a run, a landing or an action.
 */
public record QueueState(
    QueueSettings settings,
    QueueLifecycle lifecycle,
    Optional<Mode> switchingTo,
    Connection connection,
    Target target,
    Entries entries,
    List<Group> line,
    List<Group> side,
    Optional<LandingInFlight> landing,
    Optional<Instant> wakeAt,
    long lastId,
    Progress progress,
    Doubt doubt,
    Looked looked,
    Learned learned) {

  public QueueState {
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
        new Target(branch, head, List.of(), false, Optional.empty()),
        Entries.of(List.of()),
        List.of(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        0,
        Progress.NONE,
        Doubt.NONE,
        Looked.AT_NOBODY,
        Learned.NOTHING);
  }

  /** The same, whose next number is the one after this. */
  public QueueState numberedFrom(long last) {
    return with(last, looked);
  }

  /** The same, at which no rule has looked yet. */
  public QueueState unseen() {
    return with(lastId, Looked.AT_NOBODY);
  }

  private QueueState with(long last, Looked seen) {
    return new QueueState(
        settings,
        lifecycle,
        switchingTo,
        connection,
        target,
        entries,
        line,
        side,
        landing,
        wakeAt,
        last,
        progress,
        doubt,
        seen,
        learned);
  }

  /** The open entry of this pull request. */
  public Optional<Entry> entry(PullRequestRef pr) {
    return entries.find(pr);
  }

  /** The group this pull request is tested in, in the line or in bisection. */
  public Optional<Group> groupOf(PullRequestRef pr) {
    return first(g -> g.holds(pr));
  }

  /** The run of this pull request's group. */
  public Optional<Run> runOf(PullRequestRef pr) {
    return groupOf(pr).flatMap(Group::run);
  }

  /** The group that a run belongs to, as long as the run is wanted. */
  public Optional<Group> groupOf(RunId run) {
    return first(g -> g.run(run).isPresent());
  }

  /** The run that tests this commit. */
  public Optional<Run> runOn(CommitSha tested) {
    return groups()
        .flatMap(g -> g.runs().stream())
        .filter(r -> r.commit().equals(Optional.of(tested)))
        .findFirst();
  }

  /** Those who are let in and wait for a slot: by priority, then first come. */
  public List<Entry> waiting() {
    if (entries.pending().isEmpty()) {
      return List.of();
    }
    Set<PullRequestRef> inGroups = pendingInGroups();
    return inGroups.isEmpty()
        ? entries.pending()
        : entries.pending().stream().filter(e -> !inGroups.contains(e.pr())).toList();
  }

  /** No entry has been let in: all that are open are not ready. */
  public boolean isDrained() {
    for (Entry entry : entries) {
      if (!entry.is(PullRequestState.NOT_READY)) {
        return false;
      }
    }
    return true;
  }

  /** The time since which nothing has moved; empty where nobody has been let in. */
  public Optional<Instant> idleSince() {
    return entries.values().stream()
        .filter(e -> !e.is(PullRequestState.NOT_READY))
        .findFirst()
        .map(first -> progress.movedAt().orElse(first.stateChangedAt()));
  }

  /** The entry of a pull request that is in a group: it is open, or the state is broken. */
  public Entry member(PullRequestRef pr) {
    return entry(pr).orElseThrow(() -> new IllegalStateException(pr + " is tested but not open"));
  }

  public boolean isLanding(GroupId group) {
    return landing.isPresent() && landing.get().groups().contains(group);
  }

  /** Those in the line, then those in bisection. */
  public Stream<Group> groups() {
    return side.isEmpty() ? line.stream() : Stream.concat(line.stream(), side.stream());
  }

  private Optional<Group> first(Predicate<Group> wanted) {
    for (Group group : line) {
      if (wanted.test(group)) {
        return Optional.of(group);
      }
    }
    for (Group group : side) {
      if (wanted.test(group)) {
        return Optional.of(group);
      }
    }
    return Optional.empty();
  }

  /** Those who lost their run and keep their place. */
  private Set<PullRequestRef> pendingInGroups() {
    var prs = new HashSet<PullRequestRef>();
    for (Group group : line) {
      addPending(prs, group);
    }
    for (Group group : side) {
      addPending(prs, group);
    }
    return prs;
  }

  private void addPending(Set<PullRequestRef> prs, Group group) {
    for (Change change : group.members()) {
      if (member(change.pr()).is(PullRequestState.PENDING)) {
        prs.add(change.pr());
      }
    }
  }
}
