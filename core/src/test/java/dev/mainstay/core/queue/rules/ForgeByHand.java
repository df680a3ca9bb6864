package dev.mainstay.core.queue.rules;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.PullRequestSnapshot;
import dev.mainstay.core.queue.PullRequestSnapshot.Mergeability;
import dev.mainstay.core.queue.PullRequestSnapshot.Status;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A forge in a few lines: pull requests, a target branch, and which changes do not merge. */
final class ForgeByHand {
  private final Map<PullRequestRef, PullRequestSnapshot> pullRequests = new HashMap<>();
  private final List<List<PullRequestRef>> conflicts = new ArrayList<>();
  private int pushes;
  private int commits;
  CommitSha main = new CommitSha("m0");

  PullRequestSnapshot show(PullRequestRef pr) {
    return pullRequests.computeIfAbsent(
        pr,
        p ->
            new PullRequestSnapshot(
                new CommitSha(Pr.nameOf(p) + "1"),
                "main",
                Status.OPEN,
                Mergeability.MERGEABLE,
                Optional.of(new CommitSha("m-old")),
                Set.of(),
                Instant.EPOCH));
  }

  PullRequestSnapshot change(PullRequestSnapshot next, PullRequestRef pr, Instant now) {
    var stamped =
        new PullRequestSnapshot(
            next.head(),
            next.baseBranch(),
            next.status(),
            next.mergeability(),
            next.mergeBase(),
            next.passedStatuses(),
            now.plusNanos(++pushes),
            next.heldBy(),
            next.empty(),
            next.obstacles(),
            next.author(),
            next.changedFiles());
    pullRequests.put(pr, stamped);
    return stamped;
  }

  CommitSha newCommit() {
    main = new CommitSha("m" + ++commits);
    return main;
  }

  CommitSha newHead(PullRequestRef pr) {
    return new CommitSha(Pr.nameOf(pr) + (++pushes + 1));
  }

  /** From now on these do not merge together. */
  void conflict(PullRequestRef one, PullRequestRef other) {
    conflicts.add(List.of(one, other));
  }

  /** The first of these changes that does not merge on top of those before it. */
  Optional<PullRequestRef> firstConflict(List<Change> changes) {
    var before = new ArrayList<PullRequestRef>();
    for (Change change : changes) {
      for (PullRequestRef earlier : before) {
        if (conflicts.contains(List.of(earlier, change.pr()))
            || conflicts.contains(List.of(change.pr(), earlier))) {
          return Optional.of(change.pr());
        }
      }
      before.add(change.pr());
    }
    return Optional.empty();
  }
}
