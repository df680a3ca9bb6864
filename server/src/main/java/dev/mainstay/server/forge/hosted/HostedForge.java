package dev.mainstay.server.forge.hosted;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.Abilities;
import dev.mainstay.server.forge.Finding;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.GitRepository;
import dev.mainstay.server.forge.Host;
import dev.mainstay.server.forge.HostUsage;
import dev.mainstay.server.forge.git.AroundLanding;
import dev.mainstay.server.forge.git.CopiedRepository;
import dev.mainstay.server.forge.git.PullRequestText;
import dev.mainstay.server.forge.git.Standing;
import dev.mainstay.server.forge.git.copy.FarSide;
import dev.mainstay.server.forge.git.copy.GitLimits;
import dev.mainstay.server.platform.Sha256;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A repository at a host: git for branches, commits and pushes, the host's API for pull requests
 * and all else. Whether something merges, git says: hosts take their time to find out.
 */
public final class HostedForge implements Forge {
  private final HostApi host;
  private final CopiedRepository copy;

  private HostedForge(HostApi host, CopiedRepository copy) {
    this.host = host;
    this.copy = copy;
  }

  /** Asks nothing yet. */
  public static HostedForge open(
      HostApi host, AroundLanding around, FarSide far, Path caches, GitLimits limits) {
    return new HostedForge(
        host, CopiedRepository.hosted(far, caches, limits, pr -> text(host, pr), around));
  }

  private static PullRequestText text(HostApi host, PullRequestRef pr) {
    HostedPull pull =
        host.plain(pr)
            .orElseThrow(
                () -> new ForgeUnavailable("The host shows no pull request %s.".formatted(pr)));
    return new PullRequestText(
        pull.title(), pull.description(), Optional.of(pull.baseBranch()), false, host.sign());
  }

  /** A mark is the digest of all branches, then the host's own mark. */
  @Override
  public Look look(Optional<String> mark) {
    Map<String, CommitSha> branches = copy.branches();
    String digest = HexFormat.of().formatHex(Sha256.of(branches.toString()));
    Optional<String> before = mark.filter(m -> m.startsWith(digest + " "));
    return switch (host.opened(before.map(m -> m.substring(digest.length() + 1)))) {
      case HostApi.Opened.Unchanged() -> new Look.Unchanged();
      case HostApi.Opened.Seen(var heads, var next) ->
          new Look.Seen(new Heads(heads, branches), digest + " " + next);
    };
  }

  @Override
  public Optional<PullRequestView> pullRequest(PullRequestRef pr, String targetBranch) {
    return host.pull(pr).map(pull -> view(pull, targetBranch));
  }

  private PullRequestView view(HostedPull pull, String targetBranch) {
    boolean over = pull.status() == Status.CLOSED || pull.status() == Status.MERGED;
    Optional<Standing> standing =
        over ? Optional.empty() : copy.standing(pull.pr(), pull.head(), targetBranch);
    return new PullRequestView(
        pull.head(),
        pull.title(),
        pull.description(),
        pull.author(),
        pull.url(),
        pull.baseBranch(),
        standing.filter(Standing::merged).isPresent() ? Status.MERGED : pull.status(),
        standing.map(Standing::mergeability).orElse(Mergeability.IN_PROGRESS),
        standing.flatMap(Standing::mergeBase),
        standing.filter(Standing::upToDate).map(any -> passed(pull)).orElse(List.of()),
        standing.flatMap(Standing::heldBy),
        standing.filter(Standing::empty).isPresent(),
        pull.obstacles(),
        pull.changedFiles());
  }

  /** Statuses of the head: only what is up to date may merge by them, without a test. */
  private List<String> passed(HostedPull pull) {
    return pull.status() == Status.OPEN && host.abilities().has(Abilities.Ability.STATUSES)
        ? host.statuses(pull.head()).stream()
            .filter(s -> s.verdict() == Host.Verdict.SUCCESS)
            .map(Host.Status::name)
            .toList()
        : List.of();
  }

  @Override
  public Optional<List<String>> requiredStatuses(String targetBranch) {
    return host.requiredStatuses(targetBranch);
  }

  @Override
  public List<Finding> findings(Set<String> targetBranches) {
    return host.findings(targetBranches);
  }

  @Override
  public GitRepository git() {
    return copy;
  }

  @Override
  public Abilities abilities() {
    return host.abilities();
  }

  @Override
  public Optional<String> notice() {
    return host.notice();
  }

  @Override
  public Optional<HostUsage> usage() {
    return Optional.of(host.usage());
  }

  @Override
  public Optional<Host> host() {
    return Optional.of(host);
  }

  @Override
  public boolean retire() {
    boolean over = copy.retire();
    if (over) {
      host.close();
    }
    return over;
  }

  @Override
  public void close() {
    host.close();
    copy.close();
  }
}
