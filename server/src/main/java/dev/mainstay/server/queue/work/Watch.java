package dev.mainstay.server.queue.work;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.queue.Connection;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.PullRequestSnapshot;
import dev.mainstay.core.queue.PullRequestSnapshot.Mergeability;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.server.connection.ConnectionStore;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.queue.run.Evidence;
import dev.mainstay.server.queue.run.Proposal;
import dev.mainstay.server.queue.run.Snapshots;
import dev.mainstay.server.queue.store.HeadStatusStore;
import dev.mainstay.server.queue.store.OpenQueue;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The news that one look at a repository brings to one of its queues, as the queue was before the
 * look: a target branch that moved, entries that were pushed to or are gone, entries of which the
 * forge has not said all yet, and statuses of its runs. Some entries whose snapshot is old are
 * looked at again each time, since titles, drafts and bases change without a push. Entries beyond
 * the bound of one look wait for the next. Where somebody moved the target branch, those whose head
 * is on it now are merged, and the first few that are not under test are looked at: their changes
 * may be there, too.
 */
final class Watch {
  private static final Duration OLD = Duration.ofMinutes(5);
  private static final int MOST_AGAIN = 5;
  private static final int MOST_AT_ONCE = 50;
  private static final int MOST_UNSURE = 10;

  private final OpenQueue queue;
  private final QueueState state;
  private final ConnectionStore.Row how;
  private final Forge forge;
  private final Clock clock;
  private final Database database;
  private final Evidence evidence;
  private final List<Proposal> news = new ArrayList<>();
  private boolean moved;
  private Set<CommitSha> reached = Set.of();
  private int unsure = MOST_UNSURE;

  Watch(
      OpenQueue queue,
      ConnectionStore.Row how,
      Forge forge,
      Clock clock,
      Database database,
      Evidence evidence) {
    this.queue = queue;
    this.state = queue.state();
    this.how = how;
    this.forge = forge;
    this.clock = clock;
    this.database = database;
    this.evidence = evidence;
  }

  /** All news; without heads, those of a repository where nothing moved. */
  List<Proposal> news(Optional<Forge.Heads> heads, Instant asOf) {
    connection().ifPresent(event -> news.add(Proposal.of(event)));
    boolean targetMoved = heads.isPresent() && targetMoved(heads.get());
    for (Entry entry : state.entries().values()) {
      if (isLanding(entry)) {
        continue;
      }
      if (heads.isPresent() && !heads.get().pullRequests().containsKey(entry.pr())) {
        boolean merged = entry.head().filter(reached::contains).isPresent();
        news.add(
            Proposal.of(
                s ->
                    merged
                        ? Snapshots.merged(s, entry.pr(), asOf)
                        : Snapshots.gone(s, entry.pr(), asOf)));
        moved = true;
      } else {
        boolean pushed = heads.isPresent() && isPushed(entry, heads.get());
        moved |= pushed;
        boolean asks =
            pushed || isOpenQuestion(entry, targetMoved) || (targetMoved && mayBeThere(entry));
        boolean merged = entry.head().filter(reached::contains).isPresent();
        if (merged || (asks && news.size() < MOST_AT_ONCE)) {
          news.add(look(entry));
        }
      }
    }
    again(asOf).forEach(entry -> news.add(look(entry)));
    news.addAll(new Statuses(queue, forge, clock, database, evidence).news());
    return news;
  }

  /** True where something was not where the queue believed it. */
  boolean hasMoved() {
    return moved;
  }

  private boolean targetMoved(Forge.Heads heads) {
    Optional<CommitSha> head = Optional.ofNullable(heads.branches().get(state.target().branch()));
    if (head.isEmpty() != state.target().missing()) {
      news.add(Proposal.of(new QueueEvent.TargetBranchSeen(head.isPresent())));
    }
    if (head.isEmpty() || head.equals(state.target().head())) {
      return false;
    }
    var move = new ForeignMove(state, forge, head.get());
    news.add(Proposal.of(move.event()));
    moved = true;
    reached = move.reached();
    return true;
  }

  /** A landing may move the head of its pull requests, and finds out itself who else did. */
  private boolean isLanding(Entry entry) {
    return state
        .landing()
        .flatMap(l -> state.groupOf(entry.pr()).filter(g -> l.groups().contains(g.id())))
        .isPresent();
  }

  /** An entry under test is built anew when the target branch moves, and that tells. */
  private boolean mayBeThere(Entry entry) {
    return state.groupOf(entry.pr()).isEmpty() && --unsure >= 0;
  }

  private static boolean isPushed(Entry entry, Forge.Heads heads) {
    return !entry.head().equals(Optional.ofNullable(heads.pullRequests().get(entry.pr())));
  }

  private Optional<QueueEvent> connection() {
    List<String> required = forge.requiredStatuses(state.target().branch()).orElse(List.of());
    var connection = new Connection(true, required, how.testCommand().isPresent());
    return connection.equals(state.connection()) || isConnectedAnew()
        ? Optional.empty()
        : Optional.of(new QueueEvent.ConnectionChanged(connection));
  }

  /** Then the queue was told how, and this look knows only how it was before. */
  private boolean isConnectedAnew() {
    return !database.inTransaction(handle -> ConnectionStore.stays(handle, how));
  }

  /** A conflict with the target branch may be over when that has moved. */
  private static boolean isOpenQuestion(Entry entry, boolean moved) {
    if (!entry.is(PullRequestState.NOT_READY)) {
      return false;
    }
    Mergeability answer =
        entry.snapshot().map(PullRequestSnapshot::mergeability).orElse(Mergeability.UNSPECIFIED);
    return switch (answer) {
      case UNSPECIFIED, IN_PROGRESS -> true;
      case NOT_MERGEABLE -> moved;
      case MERGEABLE -> false;
    };
  }

  private List<Entry> again(Instant now) {
    return state.entries().values().stream()
        .filter(e -> e.snapshot().filter(s -> s.asOf().isBefore(now.minus(OLD))).isPresent())
        .sorted(Comparator.comparing(e -> e.snapshot().orElseThrow().asOf()))
        .limit(MOST_AGAIN)
        .toList();
  }

  private Proposal look(Entry entry) {
    Instant asOf = clock.instant();
    return Snapshots.request(
        entry.pr(),
        forge.pullRequest(entry.pr(), queue.state().target().branch()),
        head -> database.query(h -> HeadStatusStore.passed(h, queue.id(), head)),
        asOf);
  }
}
