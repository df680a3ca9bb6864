package dev.mainstay.server.forge.git;

import dev.mainstay.server.forge.ForgeContractTest;
import dev.mainstay.server.forge.ForgeLandingContractTest;
import dev.mainstay.server.forge.ForgeWorld;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;

/** Plain git, by the path of a bare repository. */
class GitForgeTest {
  static ForgeWorld atPath(Path directory) {
    return new GitWorld(directory, path -> GitWorld.at(path.toString()));
  }

  @Nested
  class Reading extends ForgeContractTest {
    @Override
    protected ForgeWorld world(Path directory) {
      return atPath(directory);
    }
  }

  @Nested
  class Landing extends ForgeLandingContractTest {
    @Override
    protected ForgeWorld world(Path directory) {
      return atPath(directory);
    }
  }
}
