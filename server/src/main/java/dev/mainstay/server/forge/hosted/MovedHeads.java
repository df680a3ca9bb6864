package dev.mainstay.server.forge.hosted;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.forge.GitRepository.Head;
import dev.mainstay.server.forge.GitRepository.How;
import dev.mainstay.server.forge.GitRepository.Landed;
import dev.mainstay.server.forge.GitRepository.Landing;
import dev.mainstay.server.forge.GitRepository.LandingFault;
import dev.mainstay.server.forge.GitRepository.Method;
import dev.mainstay.server.forge.git.AroundLanding.Moment;
import java.util.List;
import java.util.Optional;

/**
 * Branches of heads that are moved to what lands, for hosts that show a pull request as merged when
 * its head is in the base after a push to the base. A merge commit brings that by itself. For a
 * squash or a rebase, the head branch is moved by a push before that of the target: by the same
 * push or a later one it would be shown as closed. {@code hints} go along with each such push.
 */
public record MovedHeads(HostApi api, Branches branches, List<String> hints) {
  /** The branches of the repository, as its host has them now. */
  public interface Branches {
    /** The branch of a head that is there for this pull request alone, and ours to move. */
    Optional<String> movable(HostedPull pull, String targetBranch);

    Optional<CommitSha> at(String branch);
  }

  /** True where a push would not show it as merged, since its branch is not to be moved. */
  public boolean isUnfit(Moment moment, Landed landed) {
    Landing landing = moment.landing();
    return landing.method() != Method.MERGE_COMMIT
        && !landed.targetHead().equals(moment.heads().get(landed.pr()))
        && (landing.keepHeads() || branch(landing, landed.pr()).isEmpty());
  }

  private Optional<String> branch(Landing landing, PullRequestRef pr) {
    return api.plain(pr).flatMap(p -> branches.movable(p, landing.targetBranch()));
  }

  public Optional<LandingFault> move(Moment moment) {
    for (Landed landed : moment.landed()) {
      if (isMoved(moment.landing(), landed)) {
        Optional<LandingFault> fault = move(moment, landed);
        if (fault.isPresent()) {
          return fault;
        }
      }
    }
    return Optional.empty();
  }

  public static boolean isMoved(Landing landing, Landed landed) {
    return !landing.keepHeads()
        && landing.method() != Method.MERGE_COMMIT
        && landed.how() != How.ALREADY_THERE;
  }

  private Optional<LandingFault> move(Moment moment, Landed landed) {
    CommitSha to = landed.targetHead();
    CommitSha from = moment.heads().getOrDefault(landed.pr(), to);
    if (from.equals(to)) {
      return Optional.empty();
    }
    Optional<String> branch = branch(moment.landing(), landed.pr());
    if (branch.isEmpty() || moment.pusher().push(branch.get(), from, to, hints)) {
      return Optional.empty();
    }
    Optional<CommitSha> now = branches.at(branch.get());
    boolean refused = now.equals(Optional.of(from)) || now.equals(Optional.of(to));
    return refused ? Optional.empty() : Optional.of(new LandingFault.HeadMoved(landed.pr()));
  }

  /** Puts back what was moved by this call or an earlier one. */
  public void undo(Moment moment) {
    for (Landed landed : moment.landed()) {
      CommitSha original = original(moment.landing(), landed.pr());
      CommitSha before = moment.heads().getOrDefault(landed.pr(), original);
      boolean may = isMoved(moment.landing(), landed) || !before.equals(original);
      Optional<String> branch =
          may ? api.plain(landed.pr()).flatMap(HostedPull::headBranch) : Optional.empty();
      if (branch.isPresent() && !branches.at(branch.get()).equals(Optional.of(original))) {
        putBack(moment, branch.get(), List.of(landed.targetHead(), before), original);
      }
    }
  }

  /** Under a lease on what is ours: whatever somebody else pushed meanwhile stays. */
  private void putBack(Moment moment, String branch, List<CommitSha> ours, CommitSha original) {
    for (CommitSha from : ours) {
      if (!from.equals(original) && moment.pusher().push(branch, from, original, hints)) {
        return;
      }
    }
  }

  public static CommitSha original(Landing landing, PullRequestRef pr) {
    return landing.heads().stream()
        .filter(h -> h.pr().equals(pr))
        .map(Head::commit)
        .findFirst()
        .orElseThrow();
  }

  /** Closes what landed and is not shown as merged, with a comment that says where it is. */
  public void closeOthers(Landing landing, List<Landed> landed) {
    for (Landed one : landed) {
      Optional<HostedPull> pull = api.plain(one.pr());
      if (pull.isPresent() && !isShown(landing, one, pull.get())) {
        api.comment(one.pr(), sentence(landing, one));
        api.close(one.pr());
      }
    }
  }

  /** It is shown as merged, or will be in a moment: hosts take their time. */
  private boolean isShown(Landing landing, Landed landed, HostedPull pull) {
    if (pull.status() == Forge.Status.MERGED) {
      return true;
    }
    boolean brought =
        (landing.method() == Method.MERGE_COMMIT && landed.how() != How.ALREADY_THERE)
            || pull.head().equals(landed.targetHead())
            || pull.headBranch().flatMap(branches::at).equals(Optional.of(landed.targetHead()));
    return brought
        && pull.status() != Forge.Status.CLOSED
        && pull.baseBranch().equals(landing.targetBranch());
  }

  private static String sentence(Landing landing, Landed landed) {
    return landed.how() == How.ALREADY_THERE
        ? "All that this changes was in `%s` already, at %s."
            .formatted(landing.targetBranch(), landed.targetHead())
        : "This landed on `%s` as %s.".formatted(landing.targetBranch(), landed.targetHead());
  }
}
