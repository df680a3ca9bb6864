package dev.mainstay.core.simulation.check;

import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.PullRequestSnapshot;
import dev.mainstay.core.queue.PullRequestSnapshot.Mergeability;
import dev.mainstay.core.queue.PullRequestSnapshot.Status;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.simulation.check.invariant.Invariant;
import dev.mainstay.core.simulation.check.invariant.InvariantBroken;
import dev.mainstay.core.simulation.check.play.Deed;
import dev.mainstay.core.simulation.check.play.FakeForge;
import dev.mainstay.core.simulation.check.play.FakePullRequest;
import dev.mainstay.core.simulation.check.play.People;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * People tidy up in a quiet world: they put right what keeps their pull requests out of the queue.
 * Whatever waits although nothing is left to be put right waits forever.
 */
final class Tidying {
  private final FakeForge forge;
  private final People people;

  Tidying(FakeForge forge, People people) {
    this.forge = forge;
    this.people = people;
  }

  void round(QueueState state) {
    var stuck = new ArrayList<Entry>();
    List<Entry> entries = List.copyOf(state.entries().values());
    for (Entry entry : entries) {
      if (!entry.is(PullRequestState.NOT_READY) || !helped(entry, state)) {
        stuck.add(entry);
      }
    }
    if (stuck.size() == entries.size()) {
      throw new InvariantBroken(
          Invariant.EVERY_WAIT_ENDS,
          "%s waits in %s forever: %s"
              .formatted(
                  stuck.getFirst().pr(),
                  stuck.getFirst().state(),
                  stuck.getFirst().reason().sentence()));
    }
  }

  private boolean helped(Entry entry, QueueState state) {
    FakePullRequest pr = forge.pr(entry.pr());
    Optional<Deed> deed = deed(pr, entry);
    if (deed.isPresent()) {
      people.perform(deed.get());
      return true;
    }
    if (isStale(entry, pr)) {
      people.show(pr.number);
      return true;
    }
    if (state.settings().isParallel() && entry.knownTargets().isEmpty()) {
      people.tellTargets(pr.number, false);
      return true;
    }
    return false;
  }

  private Optional<Deed> deed(FakePullRequest pr, Entry entry) {
    if (pr.status == Status.DRAFT) {
      return Optional.of(new Deed.SetDraft(pr.number, false));
    }
    if (!pr.onOurBranch && pr.status == Status.OPEN) {
      return Optional.of(new Deed.ChangeBase(pr.number, true));
    }
    boolean conflicts = forge.mergeability(pr) == Mergeability.NOT_MERGEABLE;
    boolean blamed =
        entry.conflictedHead().equals(Optional.of(pr.patch().head()))
            && entry.head().equals(entry.conflictedHead());
    return pr.status == Status.OPEN && (conflicts || blamed)
        ? Optional.of(new Deed.Push(pr.number))
        : Optional.empty();
  }

  private boolean isStale(Entry entry, FakePullRequest pr) {
    Optional<PullRequestSnapshot> seen = entry.snapshot();
    return seen.isEmpty()
        || !seen.get().head().equals(pr.patch().head())
        || seen.get().status() != pr.status
        || seen.get().heldBy().isPresent() != forge.isThere(pr)
        || seen.get().baseBranch().equals(FakeForge.BRANCH) != pr.onOurBranch
        || seen.get().mergeability() != forge.mergeability(pr);
  }
}
