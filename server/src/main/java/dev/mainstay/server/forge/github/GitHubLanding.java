package dev.mainstay.server.forge.github;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.GitRepository.Head;
import dev.mainstay.server.forge.GitRepository.How;
import dev.mainstay.server.forge.GitRepository.Landed;
import dev.mainstay.server.forge.GitRepository.Landing;
import dev.mainstay.server.forge.GitRepository.LandingFault;
import dev.mainstay.server.forge.Host;
import dev.mainstay.server.forge.git.AroundLanding;
import dev.mainstay.server.forge.hosted.HostApi;
import dev.mainstay.server.forge.hosted.HostMerge;
import dev.mainstay.server.forge.hosted.MovedHeads;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * GitHub shows a pull request as merged when its head is in the base after a push to the base: see
 * {@link MovedHeads}. Where the branch is not ours to move, GitHub itself is asked to merge; where
 * it does not, a comment says what it landed as, and the pull request is closed.
 */
record GitHubLanding(GitHubApi api, MovedHeads heads, Cache<String, Boolean> pullsOnly)
    implements AroundLanding {
  private static final Duration BELIEVED = Duration.ofHours(1);
  private static final int MOST_BRANCHES = 1000;

  static GitHubLanding of(GitHubApi api, HeadBranches branches) {
    return new GitHubLanding(
        api,
        new MovedHeads(api, branches, List.of()),
        Caffeine.newBuilder().expireAfterWrite(BELIEVED).maximumSize(MOST_BRANCHES).build());
  }

  @Override
  public Set<PullRequestRef> unfitForPush(Moment moment) {
    return moment.landed().stream()
        .filter(l -> l.how() != How.ALREADY_THERE && isUnfit(moment, l))
        .map(Landed::pr)
        .collect(Collectors.toSet());
  }

  private boolean isUnfit(Moment moment, Landed landed) {
    return pullsOnly.getIfPresent(moment.landing().targetBranch()) != null
        || heads.isUnfit(moment, landed);
  }

  /** Protection may require our check on the head. */
  @Override
  public Merging merge(Landing landing, Head head, String message) {
    return HostMerge.of(
        api,
        head,
        () -> pass(head.commit()),
        () -> api.pulls().merge(head, landing.method(), message));
  }

  @Override
  public Optional<CommitSha> mergedAs(PullRequestRef pr) {
    return HostMerge.mergedAs(api, pr);
  }

  @Override
  public void takesNoPush(String targetBranch) {
    pullsOnly.put(targetBranch, true);
  }

  @Override
  public Optional<LandingFault> before(Moment moment) {
    Optional<LandingFault> fault = heads.move(moment);
    if (fault.isEmpty()) {
      moment.landed().stream().map(Landed::targetHead).distinct().forEach(this::pass);
    }
    return fault;
  }

  /** Protection may require our check on what lands. It may also be that GitHub has not got it. */
  private void pass(CommitSha commit) {
    api.ownCheck()
        .written(
            new Host.Check(
                commit, HostApi.CHECK, Host.Verdict.SUCCESS, "Landing", "", Optional.empty()));
  }

  @Override
  public void undo(Moment moment) {
    heads.undo(moment);
  }

  @Override
  public void after(Landing landing, List<Landed> landed) {
    heads.closeOthers(landing, landed);
  }
}
