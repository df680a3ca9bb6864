package dev.mainstay.server.forge.gitea;

import dev.mainstay.server.forge.TalkContractTest;
import dev.mainstay.server.forge.TalkWorld;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.ExtendWith;

/** People at a real Gitea command a queue, and read how their pull requests stand. */
@ExtendWith(NeedsGitea.class)
class TalkOnGiteaTest extends TalkContractTest {
  @Override
  protected TalkWorld world(Path directory) {
    return new GiteaTalkers(new GiteaWorld(directory));
  }
}
