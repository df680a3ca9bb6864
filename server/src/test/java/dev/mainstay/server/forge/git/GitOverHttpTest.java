package dev.mainstay.server.forge.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.server.forge.ForgeLandingContractTest;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.ForgeWorld;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plain git, by http and with a password: the part of the contract that differs on that way. */
class GitOverHttpTest extends ForgeLandingContractTest {
  @TempDir Path served;
  private GitHttpServer server;

  @BeforeEach
  @Override
  public void begin() {
    server = new GitHttpServer(served);
    super.begin();
  }

  @AfterEach
  @Override
  public void end() {
    super.end();
    server.close();
  }

  @Override
  protected ForgeWorld world(Path directory) {
    return new GitWorld(served, path -> GitAddress.parse(server.address(path, "bot:s3cr3t@")));
  }

  @Test
  void a_wrong_password_is_said_to_be_wrong_and_never_shown() {
    GitWorld git = (GitWorld) world;
    for (String credentials : new String[] {"", "bot:wr0ng@", "wr0ng@"}) {
      GitAddress address = GitAddress.parse(server.address(git.repository(), credentials));
      try (var stranger = GitForge.open(address, git.caches(9), GitLimits.USUAL)) {
        assertThatThrownBy(stranger::heads)
            .isInstanceOf(ForgeUnavailable.class)
            .hasMessageContaining("credentials")
            .hasMessageNotContaining("wr0ng");
      }
    }
    assertThat(forge.heads().branches()).containsKey("main");
  }

  @Test
  void a_repository_that_is_not_there_is_said_not_to_be() {
    world.vanish();
    assertThatThrownBy(forge::heads)
        .isInstanceOf(ForgeUnavailable.class)
        .hasMessageContaining("no git repository");
  }
}
