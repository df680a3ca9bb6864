package dev.mainstay.server.forge.gitea;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.GitRepository.Head;
import dev.mainstay.server.forge.GitRepository.How;
import dev.mainstay.server.forge.GitRepository.Landed;
import dev.mainstay.server.forge.GitRepository.Landing;
import dev.mainstay.server.forge.GitRepository.LandingFault;
import dev.mainstay.server.forge.Host.Check;
import dev.mainstay.server.forge.Host.Marking;
import dev.mainstay.server.forge.Host.Verdict;
import dev.mainstay.server.forge.git.AroundLanding;
import dev.mainstay.server.forge.hosted.HostApi;
import dev.mainstay.server.forge.hosted.HostMerge;
import java.util.List;
import java.util.Optional;

/**
 * A landing at Gitea: our check is green on what is pushed, and each pull request is marked as
 * merged by its commit afterwards. Where it takes no push, it merges by itself. Gitea moves {@code
 * refs/pull} some time after a push: so each pull request itself is asked once more where its head
 * is.
 */
record GiteaLanding(GiteaApi api) implements AroundLanding {
  @Override
  public Optional<LandingFault> before(Moment moment) {
    for (Head head : moment.landing().heads()) {
      if (!api.openHead(head.pr()).equals(Optional.of(head.commit()))) {
        return Optional.of(new LandingFault.HeadMoved(head.pr()));
      }
    }
    tested(moment).forEach(commit -> check(commit, Verdict.SUCCESS, "Tested and merged."));
    return Optional.empty();
  }

  @Override
  public void undo(Moment moment) {
    tested(moment).forEach(commit -> check(commit, Verdict.PENDING, "Tested, and not merged."));
  }

  /** Gitea computes for a while whether something merges, and asks to try again until it knows. */
  @Override
  public Merging merge(Landing landing, Head head, String message) {
    return HostMerge.of(
        api,
        head,
        () -> check(head.commit(), Verdict.SUCCESS, "Tested."),
        () -> api.pulls().merge(head, landing.method(), message));
  }

  @Override
  public Optional<CommitSha> mergedAs(PullRequestRef pr) {
    return HostMerge.mergedAs(api, pr);
  }

  /** The commits that the host has before the push. */
  private static List<CommitSha> tested(Moment moment) {
    return commits(moment.landed(), How.TESTED_COMMIT);
  }

  private static List<CommitSha> commits(List<Landed> landed, How how) {
    return landed.stream().filter(l -> l.how() == how).map(Landed::targetHead).distinct().toList();
  }

  private void check(CommitSha commit, Verdict verdict, String title) {
    api.write(new Check(commit, HostApi.CHECK, verdict, title, "", Optional.empty()));
  }

  @Override
  public void after(Landing landing, List<Landed> landed) {
    commits(landed, How.REBUILT)
        .forEach(commit -> check(commit, Verdict.SUCCESS, "Tested and merged."));
    for (Landed one : landed) {
      Marking marking = api.markMerged(one.pr(), one.targetHead());
      if (marking instanceof Marking.Declined) {
        closeAsLanded(one);
      }
    }
  }

  /** The host does not show it as merged, so that people are told what became of it. */
  private void closeAsLanded(Landed landed) {
    if (api.openHead(landed.pr()).isPresent()) {
      api.comment(landed.pr(), "Landed as %s.".formatted(landed.targetHead()));
      api.close(landed.pr());
    }
  }
}
