package dev.mainstay.server.forge.git;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.GitRepository.Landed;
import dev.mainstay.server.forge.GitRepository.Landing;
import dev.mainstay.server.forge.GitRepository.LandingFault;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The wishes of a host around the push of a landing. Every call may be repeated. */
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
  }

  /** Moves one branch under a lease; false where it is elsewhere, or is not to be moved. */
  @FunctionalInterface
  interface Pusher {
    boolean push(String branch, CommitSha from, CommitSha to);
  }

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
