package dev.mainstay.server.forge;

import dev.mainstay.core.code.PullRequestRef;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A real forge with a host of the test's own, and the abilities that it is said to have. */
public record HostedForge(Forge real, Abilities abilities, Optional<Host> host) implements Forge {
  @Override
  public Look look(Optional<String> mark) {
    return real.look(mark);
  }

  @Override
  public Optional<PullRequestView> pullRequest(PullRequestRef pr, String targetBranch) {
    return real.pullRequest(pr, targetBranch);
  }

  @Override
  public Optional<List<String>> requiredStatuses(String targetBranch) {
    return real.requiredStatuses(targetBranch);
  }

  @Override
  public List<Finding> findings(Set<String> targetBranches) {
    return real.findings(targetBranches);
  }

  @Override
  public GitRepository git() {
    return real.git();
  }

  @Override
  public void close() {
    real.close();
  }
}
