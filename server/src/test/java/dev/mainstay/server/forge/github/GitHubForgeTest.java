package dev.mainstay.server.forge.github;

import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.forge.ForgeContractTest;
import dev.mainstay.server.forge.ForgeLandingContractTest;
import dev.mainstay.server.forge.ForgeWorld;
import dev.mainstay.server.forge.HostCredentials;
import dev.mainstay.server.forge.Reach;
import dev.mainstay.server.forge.git.copy.GitLimits;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;

/** GitHub keeps the contract of every forge, for pull requests of forks and of its own branches. */
@Order(1)
class GitHubForgeTest {
  static GitHubWorld world(Path directory, boolean forks) {
    return new GitHubWorld(directory, forks, GitHubForgeTest::byToken);
  }

  static Forge byToken(FakeGitHub github, Path caches) {
    return kind(caches)
        .open(
            github.address() + "/acme/app",
            () -> Optional.of(new HostCredentials.Token(FakeGitHub.TOKEN).stored()));
  }

  static GitHubKind kind(Path caches) {
    return new GitHubKind(caches, GitLimits.USUAL, InstantSource.system(), Reach.usual());
  }

  @Nested
  class Reading extends ForgeContractTest {
    @Override
    protected ForgeWorld world(Path directory) {
      return GitHubForgeTest.world(directory, true);
    }
  }

  @Nested
  class Landing extends ForgeLandingContractTest {
    @Override
    protected ForgeWorld world(Path directory) {
      return GitHubForgeTest.world(directory, false);
    }
  }
}
