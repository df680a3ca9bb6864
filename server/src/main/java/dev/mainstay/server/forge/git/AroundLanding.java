package dev.mainstay.server.forge.git;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.GitRepository.Head;
import dev.mainstay.server.forge.GitRepository.Landed;
import dev.mainstay.server.forge.GitRepository.Landing;
import dev.mainstay.server.forge.GitRepository.LandingFault;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The wishes of a host around a landing. Every call may be repeated. */
public interface AroundLanding {
  /**
   * A landing that is about to be pushed: what each pull request becomes, and where its head is
   * now. That is another commit than was asked for only where an earlier call of ours moved it; one
   * that somebody else moved is not among them.
   */
  record Moment(
      Landing landing, List<Landed> landed, Map<PullRequestRef, CommitSha> heads, Pusher pusher) {
    public Moment {
      landed = List.copyOf(landed);
      heads = Map.copyOf(heads);
    }

    /** The same landing, of the first so many pull requests only. */
    Moment first(Landing part) {
      return new Moment(part, landed.subList(0, part.heads().size()), heads, pusher);
    }
  }

  /**
   * Moves one branch under a lease, with hints that the host knows; false where it is elsewhere, or
   * is not to be moved.
   */
  @FunctionalInterface
  interface Pusher {
    boolean push(String branch, CommitSha from, CommitSha to, List<String> hints);
  }

  /** The answer to {@link #merge}. */
  sealed interface Merging {
    record Merged(CommitSha commit) implements Merging {}

    /** The head is another one by now. */
    record HeadMoved() implements Merging {}

    /** The host does not merge it, and would not when asked again. */
    record Declined(String sentence) implements Merging {}
  }

  /**
   * Those pull requests that the host itself should merge: after a push it would not show them as
   * merged, or it takes no push.
   */
  default Set<PullRequestRef> unfitForPush(Moment moment) {
    return Set.of();
  }

  /**
   * Has the host merge one pull request, by the method of the landing and, where a commit is made,
   * with this message. Nobody guards the target branch meanwhile.
   */
  default Merging merge(Landing landing, Head head, String message) {
    return new Merging.Declined("This host is not asked to merge.");
  }

  /** The commit that the host says this pull request was merged by. */
  default Optional<CommitSha> mergedAs(PullRequestRef pr) {
    return Optional.empty();
  }

  /** The host took no push onto this branch, and then merged by itself. */
  default void takesNoPush(String targetBranch) {}

  /**
   * Just before the push. Of the commits that land, the host has those that were tested. A fault
   * keeps all from landing.
   */
  Optional<LandingFault> before(Moment moment);

  /** It does not land: takes back what {@link #before} did, in this call or an earlier one. */
  void undo(Moment moment);

  /** It landed, by this call or an earlier one: has the host show it. */
  void after(Landing landing, List<Landed> landed);
}
