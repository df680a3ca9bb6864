package dev.mainstay.server.forge.git;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.Abilities;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.forge.GitRepository;
import dev.mainstay.server.forge.Host;
import dev.mainstay.server.forge.git.copy.FarSide;
import dev.mainstay.server.forge.git.copy.GitLimits;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A repository of plain git, which knows nothing of pull requests: number N is what {@code
 * refs/pull/N/head} points to, and closed when that is gone. It has no host.
 */
final class GitForge implements Forge {
  private final CopiedRepository copy;

  private GitForge(CopiedRepository copy) {
    this.copy = copy;
  }

  /** Asks the repository nothing yet. The copy of it is kept below {@code caches}. */
  static GitForge open(FarSide far, Path caches, GitLimits limits) {
    return open(far, caches, limits, Map.of());
  }

  static GitForge open(
      FarSide far, Path caches, GitLimits limits, Map<String, String> environment) {
    return new GitForge(CopiedRepository.open(far, caches, limits, environment));
  }

  @Override
  public Look look(Optional<String> mark) {
    Look.Seen seen = copy.with(remote -> new HeadsReading(remote, copy.metas()).read());
    return mark.equals(Optional.of(seen.mark())) ? new Look.Unchanged() : seen;
  }

  @Override
  public Optional<PullRequestView> pullRequest(PullRequestRef pr, String targetBranch) {
    return copy.with(remote -> new PullRequestReading(remote, copy.metas()).read(pr, targetBranch));
  }

  @Override
  public Optional<List<String>> requiredStatuses(String targetBranch) {
    return Optional.empty();
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
  public void close() {
    copy.close();
  }
}
