package dev.mainstay.server.queue.run;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.PullRequestSnapshot;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.queue.store.Caption;
import dev.mainstay.server.queue.store.OpenQueue;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Snapshots of pull requests: the views of a forge in the words of the engine. */
public final class Snapshots {
  private static final CommitSha UNKNOWN = new CommitSha("0".repeat(40));

  private Snapshots() {}

  /** {@code reported} are statuses of the head that passed by what CI itself has told us. */
  public static PullRequestSnapshot of(
      Forge.PullRequestView view, Set<String> reported, Instant asOf) {
    var passed = new LinkedHashSet<>(view.passedStatuses());
    passed.addAll(reported);
    return new PullRequestSnapshot(
        view.head(),
        view.baseBranch(),
        PullRequestSnapshot.Status.valueOf(view.status().name()),
        PullRequestSnapshot.Mergeability.valueOf(view.mergeability().name()),
        view.mergeBase(),
        passed,
        asOf,
        view.heldBy(),
        view.empty(),
        view.obstacles().stream().map(o -> bounded(o, 300)).limit(10).toList(),
        Optional.of(bounded(view.author(), 200)).filter(author -> !author.isBlank()),
        view.changedFiles());
  }

  public static Caption about(Forge.PullRequestView view) {
    return new Caption(
        bounded(view.title(), 500), bounded(view.author(), 200), bounded(view.url(), 2_000));
  }

  /** A snapshot that was found on the target branch may tell that the branch moved. */
  public static List<QueueEvent> moves(QueueState state, Optional<PullRequestSnapshot> snapshot) {
    return snapshot.flatMap(PullRequestSnapshot::heldBy).stream()
        .filter(head -> !state.target().head().equals(Optional.of(head)))
        .filter(head -> !state.target().earlierHeads().contains(head))
        .<QueueEvent>map(
            head -> new QueueEvent.TargetMoved(state.target().head(), head, Optional.empty()))
        .toList();
  }

  /** The event of a pull request that is gone: its last snapshot, closed. */
  public static List<QueueEvent> gone(QueueState state, PullRequestRef pr, Instant asOf) {
    return gone(state, pr, PullRequestSnapshot.Status.CLOSED, asOf);
  }

  /** The event of a pull request that is gone, and whose head is on the target branch. */
  public static List<QueueEvent> merged(QueueState state, PullRequestRef pr, Instant asOf) {
    return gone(state, pr, PullRequestSnapshot.Status.MERGED, asOf);
  }

  private static List<QueueEvent> gone(
      QueueState state, PullRequestRef pr, PullRequestSnapshot.Status end, Instant asOf) {
    return state.entry(pr).stream()
        .<QueueEvent>map(entry -> new QueueEvent.SnapshotTaken(pr, last(state, entry, end, asOf)))
        .toList();
  }

  private static PullRequestSnapshot last(
      QueueState state, Entry entry, PullRequestSnapshot.Status end, Instant asOf) {
    Optional<PullRequestSnapshot> last = entry.snapshot();
    return new PullRequestSnapshot(
        entry.head().orElse(UNKNOWN),
        last.map(PullRequestSnapshot::baseBranch).orElse(state.target().branch()),
        end,
        entry.mergeability(),
        last.flatMap(PullRequestSnapshot::mergeBase),
        last.map(PullRequestSnapshot::passedStatuses).orElse(Set.of()),
        asOf);
  }

  /** A text that the database can hold, of a length that a page can show. */
  private static String bounded(String text, int most) {
    String clean = text.replace('\0', '\uFFFD');
    return clean.length() <= most ? clean : clean.substring(0, most - 1) + "…";
  }

  /** The proposal that tells a queue what the forge showed. */
  public static Proposal request(
      PullRequestRef pr,
      Optional<Forge.PullRequestView> view,
      Function<CommitSha, Set<String>> reported,
      Instant asOf) {
    if (view.isEmpty()) {
      return Proposal.of(state -> gone(state, pr, asOf));
    }
    return Proposal.of(
            new QueueEvent.SnapshotTaken(
                pr, of(view.get(), reported.apply(view.get().head()), asOf)))
        .learning(
            pr, known -> new OpenQueue.Beside(about(view.get()), known.usedDefaultPriority()));
  }
}
