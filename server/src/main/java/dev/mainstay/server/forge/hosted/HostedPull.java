package dev.mainstay.server.forge.hosted;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.Forge;
import java.util.List;
import java.util.Optional;

/**
 * A pull request as its host shows it. {@code obstacles} are sentences: what the host itself asks
 * for before it would merge, such as an approval. {@code headBranch} is there where the head is a
 * branch of the same repository, {@code mergedAs} where the host says by which commit it merged,
 * {@code changedFiles} where it counts them.
 */
public record HostedPull(
    PullRequestRef pr,
    CommitSha head,
    String title,
    String description,
    String author,
    String url,
    String baseBranch,
    Forge.Status status,
    List<String> obstacles,
    Optional<String> headBranch,
    Optional<CommitSha> mergedAs,
    Optional<Integer> changedFiles) {
  public HostedPull {
    obstacles = List.copyOf(obstacles);
  }
}
