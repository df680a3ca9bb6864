package dev.mainstay.server.forge.github;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.forge.GitRepository.Head;
import dev.mainstay.server.forge.GitRepository.How;
import dev.mainstay.server.forge.GitRepository.Landed;
import dev.mainstay.server.forge.GitRepository.Landing;
import dev.mainstay.server.forge.GitRepository.LandingFault;
import dev.mainstay.server.forge.GitRepository.Method;
import dev.mainstay.server.forge.Host;
import dev.mainstay.server.forge.git.AroundLanding;
import dev.mainstay.server.forge.hosted.HostApi;
import dev.mainstay.server.forge.hosted.HostMerge;
import dev.mainstay.server.forge.hosted.HostedPull;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * GitHub shows a pull request as merged when its head is in the base after a push to the base. A
 * merge commit brings that by itself. For a squash or a rebase, the head branch is moved to what
 * lands, by a push before that of the target: by the same push or a later one it would be shown as
 * closed. Where the branch is not ours to move, GitHub itself is asked to merge; where it does not,
 * a comment says what it landed as, and the pull request is closed.
 */
record GitHubLanding(GitHubApi api, HeadBranches branches, Cache<String, Boolean> pullsOnly)
    implements AroundLanding {
  private static final Duration BELIEVED = Duration.ofHours(1);
  private static final int MOST_BRANCHES = 1000;

  static GitHubLanding of(GitHubApi api, HeadBranches branches) {
    return new GitHubLanding(
        api,
        branches,
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
    Landing landing = moment.landing();
    return pullsOnly.getIfPresent(landing.targetBranch()) != null
        || (landing.method() != Method.MERGE_COMMIT
            && !landed.targetHead().equals(moment.heads().get(landed.pr()))
            && (landing.keepHeads() || branch(landing, landed.pr()).isEmpty()));
  }

  private Optional<String> branch(Landing landing, PullRequestRef pr) {
    return api.plain(pr).flatMap(p -> branches.movable(p, landing.targetBranch()));
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
    for (Landed landed : moment.landed()) {
      if (isMoved(moment.landing(), landed)) {
        Optional<LandingFault> fault = move(moment, landed);
        if (fault.isPresent()) {
          return fault;
        }
      }
    }
    moment.landed().stream().map(Landed::targetHead).distinct().forEach(this::pass);
    return Optional.empty();
  }

  private static boolean isMoved(Landing landing, Landed landed) {
    return !landing.keepHeads()
        && landing.method() != Method.MERGE_COMMIT
        && landed.how() != How.ALREADY_THERE;
  }

  /** Protection may require our check on what lands. It may also be that GitHub has not got it. */
  private void pass(CommitSha commit) {
    api.ownCheck()
        .written(
            new Host.Check(
                commit, HostApi.CHECK, Host.Verdict.SUCCESS, "Landing", "", Optional.empty()));
  }

  private Optional<LandingFault> move(Moment moment, Landed landed) {
    CommitSha to = landed.targetHead();
    CommitSha from = moment.heads().getOrDefault(landed.pr(), to);
    if (from.equals(to)) {
      return Optional.empty();
    }
    Optional<String> branch = branch(moment.landing(), landed.pr());
    if (branch.isEmpty() || moment.pusher().push(branch.get(), from, to)) {
      return Optional.empty();
    }
    Optional<CommitSha> now = branches.at(branch.get());
    boolean refused = now.equals(Optional.of(from)) || now.equals(Optional.of(to));
    return refused ? Optional.empty() : Optional.of(new LandingFault.HeadMoved(landed.pr()));
  }

  @Override
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
  private static void putBack(
      Moment moment, String branch, List<CommitSha> ours, CommitSha original) {
    for (CommitSha from : ours) {
      if (!from.equals(original) && moment.pusher().push(branch, from, original)) {
        return;
      }
    }
  }

  private static CommitSha original(Landing landing, PullRequestRef pr) {
    return landing.heads().stream()
        .filter(h -> h.pr().equals(pr))
        .map(Head::commit)
        .findFirst()
        .orElseThrow();
  }

  @Override
  public void after(Landing landing, List<Landed> landed) {
    for (Landed one : landed) {
      Optional<HostedPull> pull = api.plain(one.pr());
      if (pull.isPresent() && !isShown(landing, one, pull.get())) {
        api.comment(one.pr(), sentence(landing, one));
        api.close(one.pr());
      }
    }
  }

  /** It is shown as merged, or will be in a moment: GitHub takes its time. */
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
