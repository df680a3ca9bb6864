package dev.mainstay.server.forge.gitea;

import dev.mainstay.server.forge.ForgeContractTest;
import dev.mainstay.server.forge.ForgeLandingContractTest;
import dev.mainstay.server.forge.ForgeWorld;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/** A real Gitea. */
class GiteaForgeTest {
  @Nested
  @ExtendWith(NeedsGitea.class)
  class Reading extends ForgeContractTest {
    @Override
    protected ForgeWorld world(Path directory) {
      return new GiteaWorld(directory);
    }
  }

  @Nested
  @ExtendWith(NeedsGitea.class)
  class Landing extends ForgeLandingContractTest {
    @Override
    protected ForgeWorld world(Path directory) {
      return new GiteaWorld(directory);
    }
  }
}
