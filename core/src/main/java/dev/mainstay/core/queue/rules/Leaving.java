package dev.mainstay.core.queue.rules;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Departure;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.GroupId;
import dev.mainstay.core.queue.Looked;
import dev.mainstay.core.queue.PullRequestSnapshot;
import dev.mainstay.core.queue.PullRequestSnapshot.Status;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Reason;
import dev.mainstay.core.queue.ReasonCode;
import dev.mainstay.core.queue.Step;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Entries that leave, and what that does to others. Cancelled, closed or merged by hand: it is
 * over. Pushed to, turned draft, its base changed or in conflict with the target branch: it is not
 * ready and may come in again. Everything that stood on a leaver is retested without it; what did
 * not, goes on, but for failures proven wrong below one that was merged by hand. A pull request
 * that is being merged stays until that is answered.
 */
final class Leaving {
  private Leaving() {}

  static Step letGo(QueueState state, Instant now) {
    var next = new NextState(state, now);
    Set<PullRequestRef> landing = beingMerged(state);
    Readiness readiness = Readiness.in(state);
    var gone = new LinkedHashSet<PullRequestRef>();
    var merged = new LinkedHashSet<PullRequestRef>();
    var staying = new HashSet<PullRequestRef>();
    for (Entry entry : unseen(state, readiness)) {
      Optional<Departure> departure = departure(entry, readiness, state);
      boolean mayBeThere = departure.isEmpty() && AlreadyThere.mayBe(entry);
      if (mayBeThere || (departure.isPresent() && landing.contains(entry.pr()))) {
        staying.add(entry.pr());
      } else if (departure.isPresent()) {
        gone.add(entry.pr());
        if (letGo(next, entry, departure.get()) == PullRequestState.MERGED) {
          merged.add(entry.pr());
        }
      }
    }
    next.seenBy(Looked.Rule.LEAVING, readiness.conditions(), staying);
    retestTheProvenBelow(next, merged);
    retestWithout(next, gone);
    return next.done();
  }

  private static List<Entry> unseen(QueueState state, Readiness readiness) {
    return state.looked().unseenBy(Looked.Rule.LEAVING, readiness.conditions(), state.entries());
  }

  private static Set<PullRequestRef> beingMerged(QueueState state) {
    if (state.landing().isEmpty()) {
      return Set.of();
    }
    var prs = new HashSet<PullRequestRef>();
    for (Group group : state.line()) {
      if (state.isLanding(group.id())) {
        prs.addAll(group.pullRequests());
      }
    }
    return prs;
  }

  private static Optional<Departure> departure(Entry entry, Readiness readiness, QueueState state) {
    Optional<Departure> over =
        ended(entry).or(entry::leaving).or(() -> AlreadyThere.seen(entry, state));
    if (over.isPresent() || entry.admission().isEmpty()) {
      return over;
    }
    if (!entry.head().equals(entry.admittedHead())) {
      var why = new Reason(ReasonCode.HEAD_MOVED, "It was pushed to.");
      return Optional.of(Departure.notReady(why));
    }
    var lost =
        entry.is(PullRequestState.PENDING) ? readiness.lost(entry) : readiness.barring(entry);
    return lost.stream().findFirst().map(Departure::notReady);
  }

  private static Optional<Departure> ended(Entry entry) {
    return switch (entry.snapshot().map(PullRequestSnapshot::status).orElse(Status.OPEN)) {
      case CLOSED -> Optional.of(Departure.cancelled(ReasonCode.CLOSED, "It was closed."));
      case MERGED ->
          Optional.of(
              Departure.merged(ReasonCode.MERGED_MANUALLY, "It was merged outside the queue."));
      case OPEN, DRAFT -> Optional.empty();
    };
  }

  /** One that would merely not be ready, and is on the target branch already, is merged. */
  private static PullRequestState letGo(NextState next, Entry entry, Departure departure) {
    if (departure.to().isEnd()) {
      next.end(entry, departure.to(), departure.why());
      return departure.to();
    }
    if (AlreadyThere.isHeld(entry, next.target)) {
      next.end(entry, PullRequestState.MERGED, AlreadyThere.reason(next.target));
      return PullRequestState.MERGED;
    }
    Entry out =
        entry.leaving(Optional.empty()).admitted(Optional.empty()).clearedWith(Optional.empty());
    next.move(out, departure.to(), departure.why());
    return departure.to();
  }

  /**
   * With optimistic merging one that is merged may have taken with it what was proven below it, by
   * a merge of ours that nobody heard of; and the target branch is another one in any case.
   */
  private static void retestTheProvenBelow(NextState next, Collection<PullRequestRef> merged) {
    if (merged.isEmpty()) {
      return;
    }
    String sentence =
        "%s moved as %s merged, so it is tested again."
            .formatted(next.target.branch(), PullRequestNames.list(merged));
    var why = new Reason(ReasonCode.TARGET_MOVED, sentence);
    List<Group> line = next.line();
    Set<GroupId> proven = Proof.byOthers(line, next.settings, next.landing);
    for (Group group : line) {
      if (group.pullRequests().stream().anyMatch(merged::contains)) {
        Lanes.below(line, group).stream()
            .filter(g -> g.failed() && proven.contains(g.id()) && !next.isLanding(g))
            .forEach(g -> next.retest(g, why, true));
      }
    }
  }

  /**
   * Takes these out of their groups; whatever stood on them needs another run, or has been tested
   * without them already.
   */
  static void retestWithout(NextState next, Collection<PullRequestRef> gone) {
    if (gone.isEmpty()) {
      return;
    }
    String sentence = "It is tested again without " + PullRequestNames.list(gone) + ".";
    var why = new Reason(ReasonCode.PREDECESSOR_LEFT, sentence);
    List<Group> line = next.line();
    Set<GroupId> left = holding(line, gone);
    Set<GroupId> shaken = Lanes.shaken(line, left);
    for (Group group : line) {
      if (left.contains(group.id())) {
        next.retestWithout(group, gone, why);
      }
    }
    if (!left.isEmpty()) {
      next.relink(next.line());
      Guesses.left(next, gone);
    }
    for (Group group : next.line()) {
      if (shaken.contains(group.id()) && !left.contains(group.id())) {
        Guesses.possible(next, group)
            .ifPresentOrElse(
                guess -> next.trust(group, guess, counts(gone)),
                () -> next.retest(group, why, false));
      }
    }
    Bisection.without(next, gone, why);
  }

  private static Reason counts(Collection<PullRequestRef> gone) {
    String sentence =
        "It was being tested without " + PullRequestNames.list(gone) + " already, which counts.";
    return new Reason(ReasonCode.PREDECESSOR_LEFT, sentence);
  }

  private static Set<GroupId> holding(List<Group> groups, Collection<PullRequestRef> prs) {
    var ids = new HashSet<GroupId>();
    for (Group group : groups) {
      if (group.members().stream().anyMatch(m -> prs.contains(m.pr()))) {
        ids.add(group.id());
      }
    }
    return ids;
  }
}
