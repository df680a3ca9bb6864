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
import dev.mainstay.server.queue.run.Proposal;
import dev.mainstay.server.queue.run.Snapshots;
import dev.mainstay.server.queue.store.OpenQueue;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

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
  private final Function<CommitSha, Set<String>> reported;
  private final List<Proposal> news = new ArrayList<>();
  private boolean moved;
  private Set<CommitSha> reached = Set.of();
  private int unsure = MOST_UNSURE;

  /** {@code reported} are the statuses of a head that passed by what CI itself has told. */
  Watch(
      OpenQueue queue,
      ConnectionStore.Row how,
      Forge forge,
      Clock clock,
      Function<CommitSha, Set<String>> reported) {
    this.queue = queue;
    this.state = queue.state();
    this.how = how;
    this.forge = forge;
    this.clock = clock;
    this.reported = reported;
  }

  /** All news; without heads, those of a repository where nothing moved. */
  List<Proposal> news(Optional<Forge.Heads> heads, Instant asOf) {
    connection().ifPresent(event -> news.add(Proposal.of(event)));
    boolean targetMoved = heads.isPresent() && targetMoved(heads.get());
    for (Entry entry : state.entries().values()) {
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
    news.addAll(new Statuses(queue, forge, clock).news());
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
    news.add(
        Proposal.of(
            new QueueEvent.TargetMoved(state.target().head(), head.get(), Optional.empty())));
    moved = true;
    reached = reached(head.get());
    return true;
  }

  /** Heads that came onto the target branch by somebody else's hand: one question for all. */
  private Set<CommitSha> reached(CommitSha to) {
    var heads = new HashSet<CommitSha>();
    state.entries().forEach(e -> e.head().ifPresent(heads::add));
    return state.target().head().map(from -> forge.git().reached(from, to, heads)).orElse(Set.of());
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
    return connection.equals(state.connection())
        ? Optional.empty()
        : Optional.of(new QueueEvent.ConnectionChanged(connection));
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
        entry.pr(), forge.pullRequest(entry.pr(), queue.state().target().branch()), reported, asOf);
  }
}
