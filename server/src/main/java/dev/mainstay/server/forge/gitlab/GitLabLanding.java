package dev.mainstay.server.forge.gitlab;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.GitRepository.Head;
import dev.mainstay.server.forge.GitRepository.How;
import dev.mainstay.server.forge.GitRepository.Landed;
import dev.mainstay.server.forge.GitRepository.Landing;
import dev.mainstay.server.forge.GitRepository.LandingFault;
import dev.mainstay.server.forge.git.AroundLanding;
import dev.mainstay.server.forge.hosted.HostJson;
import dev.mainstay.server.forge.hosted.HostMerge;
import dev.mainstay.server.forge.hosted.MovedHeads;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * GitLab shows a merge request as merged when its head is among what is pushed to its target: see
 * {@link MovedHeads}. The head that counts is the one that GitLab has taken in, some time after the
 * push of its branch: where the target were pushed before or while it does that, the merge request
 * would stay open without a commit. So that is waited for, and also where a head is put back.
 */
record GitLabLanding(
    GitLabApi api,
    GitLabBranches branches,
    MovedHeads heads,
    GitLabMerge merges,
    Patience patience,
    Cache<String, Boolean> requestsOnly)
    implements AroundLanding {
  private static final Duration BELIEVED = Duration.ofHours(1);
  private static final Duration SOON = Duration.ofSeconds(2);

  /** After that, a GitLab that never finds out whether it may merge has declined. */
  private static final Duration LONGEST = Duration.ofMinutes(10);

  private static final int MOST_BRANCHES = 1000;

  /** No pipeline of its branch is wanted for what was tested on another. */
  private static final List<String> HINTS = List.of("ci.skip");

  static GitLabLanding of(GitLabApi api, GitLabProject project, Patience patience) {
    var branches = new GitLabBranches(project);
    return new GitLabLanding(
        api,
        branches,
        new MovedHeads(api, branches, HINTS),
        new GitLabMerge(project, api.requests(), patience),
        patience,
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
    return requestsOnly.getIfPresent(moment.landing().targetBranch()) != null
        || heads.isUnfit(moment, landed);
  }

  @Override
  public Merging merge(Landing landing, Head head, String message) {
    boolean waits = api.clock().instant().isBefore(landing.at().plus(LONGEST));
    return HostMerge.of(
        api, head, () -> {}, () -> merges.merge(head, landing.method(), message, waits));
  }

  @Override
  public Optional<CommitSha> mergedAs(PullRequestRef pr) {
    return HostMerge.mergedAs(api, pr);
  }

  @Override
  public void takesNoPush(String targetBranch) {
    requestsOnly.put(targetBranch, true);
  }

  /** Heads are moved only where it can land: each of them is put back else, and that takes long. */
  @Override
  public Optional<LandingFault> before(Moment moment) {
    CommitSha onto = moment.landing().onto();
    Optional<CommitSha> target = branches.at(moment.landing().targetBranch());
    if (!target.equals(Optional.of(onto))) {
      return Optional.of(new LandingFault.TargetMoved(target.orElse(onto)));
    }
    Optional<LandingFault> fault = pushedMeanwhile(moment).or(() -> heads.move(moment));
    return fault.isPresent() ? fault : taken(moment);
  }

  /** GitLab is behind the branches for a while: one that its author moved is elsewhere already. */
  private Optional<LandingFault> pushedMeanwhile(Moment moment) {
    for (Landed landed : moment.landed()) {
      Optional<JsonNode> request = api.requests().raw(landed.pr());
      if (request.filter(GitLabRequests::isOpen).isEmpty()) {
        return Optional.of(new LandingFault.HeadMoved(landed.pr()));
      }
      CommitSha original = MovedHeads.original(moment.landing(), landed.pr());
      Optional<CommitSha> at = source(request.get());
      boolean known =
          at.isEmpty()
              || at.get().equals(original)
              || at.get().equals(landed.targetHead())
              || at.equals(Optional.ofNullable(moment.heads().get(landed.pr())));
      if (!known) {
        return Optional.of(new LandingFault.HeadMoved(landed.pr()));
      }
    }
    return Optional.empty();
  }

  private Optional<CommitSha> source(JsonNode request) {
    Optional<String> branch = HostJson.branch(request.path("source_branch"));
    return GitLabRequests.isOwn(request)
        ? branch.flatMap(branches::at)
        : branch.flatMap(b -> branches.at(request.path("source_project_id").asLong(0), b));
  }

  private Optional<LandingFault> taken(Moment moment) {
    for (Landed landed : moment.landed()) {
      if (MovedHeads.isMoved(moment.landing(), landed)) {
        Optional<LandingFault> fault = taken(moment, landed);
        if (fault.isPresent()) {
          return fault;
        }
      }
    }
    return Optional.empty();
  }

  /** A branch that could not be moved is not waited for: a comment tells what became of it. */
  private Optional<LandingFault> taken(Moment moment, Landed landed) {
    PullRequestRef pr = landed.pr();
    CommitSha to = landed.targetHead();
    CommitSha original = MovedHeads.original(moment.landing(), pr);
    Optional<CommitSha> at = api.requests().raw(pr).flatMap(this::source);
    if (!at.equals(Optional.of(to))) {
      boolean refused = at.isEmpty() || at.get().equals(original);
      return refused ? Optional.empty() : Optional.of(new LandingFault.HeadMoved(pr));
    }
    if (!patience.until(() -> shows(pr, to))) {
      throw ForgeUnavailable.notYet(
          "GitLab has not taken in the push to the branch of %s yet.".formatted(pr), SOON);
    }
    return Optional.empty();
  }

  private boolean shows(PullRequestRef pr, CommitSha commit) {
    return api.requests()
        .raw(pr)
        .flatMap(request -> HostJson.commit(request.path("sha")))
        .equals(Optional.of(commit));
  }

  /** Until GitLab has taken in that a head is back, it would look as if its author had moved it. */
  @Override
  public void undo(Moment moment) {
    heads.undo(moment);
    for (Landed landed : moment.landed()) {
      CommitSha original = MovedHeads.original(moment.landing(), landed.pr());
      Optional<JsonNode> request = api.requests().raw(landed.pr());
      boolean back =
          request
              .filter(GitLabRequests::isOpen)
              .flatMap(this::source)
              .equals(Optional.of(original));
      if (back && !patience.until(() -> shows(landed.pr(), original))) {
        throw ForgeUnavailable.notYet(
            "GitLab has not taken in that the branch of %s is back yet.".formatted(landed.pr()),
            SOON);
      }
    }
  }

  @Override
  public void after(Landing landing, List<Landed> landed) {
    heads.closeOthers(landing, landed);
  }
}
