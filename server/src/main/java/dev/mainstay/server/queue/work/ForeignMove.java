package dev.mainstay.server.queue.work;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.forge.GitRepository.Head;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Somebody else moved the target branch. Where that brought pull requests of the queue whose
 * targets are known, and nothing else, results of what does not meet them may be kept. Those whose
 * head is on the branch now are found by one question; of the others, which may have been squashed,
 * the first few are looked at.
 */
final class ForeignMove {
  private static final int MOST_LOOKS = 20;

  private final QueueState state;
  private final Forge forge;
  private final CommitSha to;
  private final Set<CommitSha> reached;

  ForeignMove(QueueState state, Forge forge, CommitSha to) {
    this.state = state;
    this.forge = forge;
    this.to = to;
    var heads = new HashSet<CommitSha>();
    state.entries().forEach(e -> e.head().ifPresent(heads::add));
    reached =
        state.target().head().map(from -> forge.git().reached(from, to, heads)).orElse(Set.of());
  }

  /** Heads of pull requests that came onto the target branch. */
  Set<CommitSha> reached() {
    return reached;
  }

  QueueEvent.TargetMoved event() {
    boolean matters = !state.line().isEmpty() || !state.side().isEmpty();
    return new QueueEvent.TargetMoved(
        state.target().head(), to, matters ? touched() : Optional.empty());
  }

  private Optional<ImpactedTargets> touched() {
    Optional<CommitSha> from = state.target().head();
    List<Entry> known = state.entries().values().stream().filter(ForeignMove::isKnown).toList();
    if (from.isEmpty() || known.isEmpty()) {
      return Optional.empty();
    }
    List<Entry> brought = known.stream().filter(this::isReached).toList();
    if (isAll(from.get(), brought)) {
      return Optional.of(targets(brought));
    }
    List<Entry> squashed =
        known.stream().filter(e -> !isReached(e)).limit(MOST_LOOKS).filter(this::isHeld).toList();
    List<Entry> both = Stream.concat(brought.stream(), squashed.stream()).toList();
    return !squashed.isEmpty() && isAll(from.get(), both)
        ? Optional.of(targets(both))
        : Optional.empty();
  }

  private static boolean isKnown(Entry entry) {
    return entry.knownTargets().filter(t -> !t.all()).isPresent();
  }

  private boolean isReached(Entry entry) {
    return entry.head().filter(reached::contains).isPresent();
  }

  private boolean isHeld(Entry entry) {
    return forge
        .pullRequest(entry.pr(), state.target().branch())
        .filter(v -> v.heldBy().equals(Optional.of(to)))
        .filter(v -> entry.head().equals(Optional.of(v.head())))
        .isPresent();
  }

  private boolean isAll(CommitSha from, List<Entry> brought) {
    List<Head> heads = brought.stream().map(e -> new Head(e.pr(), e.head().orElseThrow())).toList();
    return !heads.isEmpty() && forge.git().isSum(to, from, heads);
  }

  private static ImpactedTargets targets(List<Entry> brought) {
    var names = new TreeSet<String>();
    brought.forEach(e -> names.addAll(e.knownTargets().orElseThrow().names()));
    return ImpactedTargets.of(names);
  }
}
