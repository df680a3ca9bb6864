package dev.mainstay.server.forge.gitlab;

import dev.mainstay.server.forge.ForgeContractTest;
import dev.mainstay.server.forge.ForgeLandingContractTest;
import dev.mainstay.server.forge.ForgeWorld;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;

/** GitLab keeps the contract of every forge, for merge requests of forks and of own branches. */
@Order(1)
class GitLabForgeTest {
  @Nested
  class Reading extends ForgeContractTest {
    @Override
    protected ForgeWorld world(Path directory) {
      return new GitLabWorld(directory, true);
    }
  }

  @Nested
  class Landing extends ForgeLandingContractTest {
    @Override
    protected ForgeWorld world(Path directory) {
      return new GitLabWorld(directory, false);
    }
  }
}
