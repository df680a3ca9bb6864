package dev.mainstay.server.forge.git;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.GitRepository.Head;
import dev.mainstay.server.forge.GitRepository.How;
import dev.mainstay.server.forge.GitRepository.Landed;
import dev.mainstay.server.forge.GitRepository.Landing;
import dev.mainstay.server.forge.GitRepository.LandingFault;
import dev.mainstay.server.forge.GitRepository.LandingResult;
import dev.mainstay.server.forge.RefNames;
import dev.mainstay.server.forge.git.AroundLanding.Merging;
import dev.mainstay.server.forge.git.AroundLanding.Moment;
import dev.mainstay.server.forge.git.copy.Commit;
import dev.mainstay.server.forge.git.copy.Remote;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A landing at a host, which has its wishes around it. It is by pushes, as long as those show the
 * pull requests as merged and are taken; else the host merges one by itself, and the tree of that
 * is compared with the tested one. What comes after that one is made anew on it.
 */
record HostedLanding(Remote remote, Texts known, AroundLanding host, Landing landing) {
  LandingResult land() {
    var landed = new ArrayList<Landed>();
    Optional<LandingFault> fault = Optional.empty();
    while (fault.isEmpty() && landed.size() < landing.heads().size()) {
      LandingResult part = part(rest(landed));
      landed.addAll(part.landed());
      fault = part.fault();
    }
    if (!landed.isEmpty()) {
      host.after(landing, landed);
    }
    return new LandingResult(landed, fault);
  }

  private Landing rest(List<Landed> landed) {
    return landed.isEmpty()
        ? landing
        : with(
            landed.getLast().targetHead(),
            landing.heads().subList(landed.size(), landing.heads().size()),
            landing.tested());
  }

  private Landing with(CommitSha onto, List<Head> heads, Optional<CommitSha> tested) {
    return new Landing(
        landing.id(),
        landing.targetBranch(),
        onto,
        heads,
        tested,
        landing.exactTree(),
        landing.method(),
        landing.keepHeads(),
        landing.at());
  }

  private GitLanding git(Landing some) {
    return new GitLanding(remote, known, some);
  }

  /** Lands the first of the rest, or more; or tells why not. */
  private LandingResult part(Landing rest) {
    return switch (git(rest).prepared()) {
      case GitLanding.Prepared.Ready(var chain) -> unlessMerged(rest, chain, part(rest, chain));
      case GitLanding.Prepared.Ended(var result) -> result;
    };
  }

  private LandingResult part(Landing rest, List<Landed> chain) {
    HeadProof.Seen seen = new HeadProof(remote, rest).look();
    var moment = new Moment(rest, chain, seen.heads(), git(rest)::push);
    if (seen.moved().isPresent()) {
      return undone(moment, git(rest).lookedUp(new LandingFault.HeadMoved(seen.moved().get())));
    }
    Set<PullRequestRef> unfit = host.unfitForPush(moment);
    int fit = 0;
    while (fit < chain.size() && !unfit.contains(chain.get(fit).pr())) {
      fit++;
    }
    return fit == 0 ? merged(moment, Optional.empty()) : pushed(first(moment, fit));
  }

  /** A result that is none may be that an earlier call had the host merge the first of them. */
  private LandingResult unlessMerged(Landing rest, List<Landed> chain, LandingResult result) {
    return result.landed().isEmpty()
        ? mergedBefore(rest, chain.getFirst(), git(rest).targetNow()).orElse(result)
        : result;
  }

  private Optional<LandingResult> mergedBefore(Landing rest, Landed planned, String now) {
    return host.mergedAs(planned.pr())
        .filter(commit -> isAbove(rest, now, commit))
        .map(commit -> compared(planned, commit));
  }

  /** The first so many, which are tested by the commit that they end in. */
  private Moment first(Moment moment, int count) {
    Landing rest = moment.landing();
    Optional<CommitSha> tested =
        moment.landed().subList(0, count).stream()
            .filter(l -> l.how() == How.TESTED_COMMIT)
            .map(Landed::targetHead)
            .reduce((one, other) -> other)
            .or(rest::tested);
    return moment.first(with(rest.onto(), rest.heads().subList(0, count), tested));
  }

  private LandingResult pushed(Moment moment) {
    LandingResult result = pushedOrNot(moment);
    if (result.landed().isEmpty()
        && result.fault().orElse(null) instanceof LandingFault.Refused refused) {
      boolean madeAnew = !landing.exactTree() && landing.tested().isPresent();
      return madeAnew
          ? GitLanding.failed(new LandingFault.TreeDiffered())
          : merged(moment, Optional.of(refused));
    }
    return result;
  }

  private LandingResult pushedOrNot(Moment moment) {
    Optional<LandingFault> unwilling = host.before(moment);
    GitLanding git = git(moment.landing());
    return undone(
        moment,
        unwilling.isPresent()
            ? git.lookedUp(unwilling.get())
            : git.push(moment.landed(), List.of()));
  }

  private LandingResult undone(Moment moment, LandingResult result) {
    if (result.landed().isEmpty()) {
      host.undo(moment);
    }
    return result;
  }

  /** The host merges the first; a push of it is tried after that, unless it was refused before. */
  private LandingResult merged(Moment moment, Optional<LandingFault.Refused> refused) {
    Landing rest = moment.landing();
    Head head = rest.heads().getFirst();
    Landed planned = moment.landed().getFirst();
    String now = git(rest).targetNow();
    if (!now.equals(rest.onto().value())) {
      return mergedBefore(rest, planned, now)
          .orElseGet(() -> git(rest).lookedUp(new LandingFault.TargetMoved(new CommitSha(now))));
    }
    return switch (host.merge(rest, head, message(planned))) {
      case Merging.Merged(CommitSha commit) -> {
        refused.ifPresent(any -> host.takesNoPush(rest.targetBranch()));
        yield isAbove(rest, git(rest).targetNow(), commit)
            ? compared(planned, commit)
            : GitLanding.failed(new LandingFault.HeadMoved(head.pr()));
      }
      case Merging.HeadMoved() -> GitLanding.failed(new LandingFault.HeadMoved(head.pr()));
      case Merging.Declined(String sentence) ->
          refused.isPresent()
              ? GitLanding.failed(both(refused.get(), sentence))
              : pushedOrNot(first(moment, 1));
    };
  }

  private static LandingFault both(LandingFault.Refused push, String sentence) {
    return new LandingFault.Refused(push.pr(), push.sentence() + " " + sentence);
  }

  private boolean isAbove(Landing rest, String now, CommitSha commit) {
    return remote
        .cache()
        .commits(now, List.of(rest.onto().value()), List.of("--first-parent"))
        .contains(commit.value());
  }

  private String message(Landed planned) {
    Commit commit = remote.cache().knownCommit(planned.targetHead().value());
    return commit.readable(commit.message());
  }

  private LandingResult compared(Landed planned, CommitSha commit) {
    remote.bring(List.of(commit.value()), List.of(RefNames.branch(landing.targetBranch())));
    String tree = remote.cache().knownCommit(commit.value()).tree();
    boolean same = tree.equals(remote.cache().knownCommit(planned.targetHead().value()).tree());
    return new LandingResult(
        List.of(new Landed(planned.pr(), commit, How.BY_FORGE)),
        same ? Optional.empty() : Optional.of(untested(planned, commit)));
  }

  private LandingFault untested(Landed planned, CommitSha commit) {
    return new LandingFault.Untested(
        "%s was merged into %s by its host as %s, and that is not what was tested (%s). Look at what is there; then let the queue go on by the state RUNNING."
            .formatted(planned.pr(), landing.targetBranch(), commit, planned.targetHead()));
  }
}
