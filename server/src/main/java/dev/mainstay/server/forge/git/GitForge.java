package dev.mainstay.server.forge.git;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.Abilities;
import dev.mainstay.server.forge.Finding;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.forge.GitRepository;
import dev.mainstay.server.forge.Host;
import dev.mainstay.server.forge.git.copy.FarSide;
import dev.mainstay.server.forge.git.copy.GitLimits;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A repository of plain git, which knows nothing of pull requests: number N is what {@code
 * refs/pull/N/head} points to, and closed when that is gone. It has no host.
 */
final class GitForge implements Forge {
  private final KnownMetas metas = new KnownMetas();
  private final CopiedRepository copy;

  /** The mark of the listing that this node has read last. */
  private volatile Optional<String> read = Optional.empty();

  private GitForge(FarSide far, Path caches, GitLimits limits, Map<String, String> environment) {
    this.copy = CopiedRepository.plain(far, caches, limits, environment, metas);
  }

  /** Asks the repository nothing yet. The copy of it is kept below {@code caches}. */
  static GitForge open(FarSide far, Path caches, GitLimits limits) {
    return open(far, caches, limits, Map.of());
  }

  static GitForge open(
      FarSide far, Path caches, GitLimits limits, Map<String, String> environment) {
    return new GitForge(far, caches, limits, environment);
  }

  @Override
  public Look look(Optional<String> mark) {
    Optional<String> known = mark.equals(read) ? mark : Optional.empty();
    Look look = copy.with(remote -> new HeadsReading(remote, metas).read(known));
    if (look instanceof Look.Seen seen) {
      read = Optional.of(seen.mark());
      return mark.equals(read) ? new Look.Unchanged() : seen;
    }
    return look;
  }

  @Override
  public Optional<PullRequestView> pullRequest(PullRequestRef pr, String targetBranch) {
    return copy.with(remote -> new PullRequestReading(remote, metas).read(pr, targetBranch));
  }

  @Override
  public Optional<Map<PullRequestRef, PullRequestView>> pullRequests(
      Set<PullRequestRef> prs, String targetBranch) {
    return Optional.of(
        copy.with(remote -> new PullRequestReading(remote, metas).readAll(prs, targetBranch)));
  }

  @Override
  public Optional<List<String>> requiredStatuses(String targetBranch) {
    return Optional.empty();
  }

  @Override
  public List<Finding> findings(Set<String> targetBranches) {
    Set<String> there = copy.branches().keySet();
    return targetBranches.stream()
        .map(
            branch ->
                there.contains(branch)
                    ? Finding.good("The branch %s is there.".formatted(branch))
                    : Finding.missing(
                        "The repository has no branch %s.".formatted(branch),
                        "Push it, or make the queue for another branch."))
        .toList();
  }

  @Override
  public GitRepository git() {
    return copy;
  }

  @Override
  public Abilities abilities() {
    return Abilities.NONE;
  }

  @Override
  public Optional<Host> host() {
    return Optional.empty();
  }

  @Override
  public boolean retire() {
    return copy.retire();
  }

  @Override
  public void close() {
    copy.close();
  }
}
