package dev.mainstay.server.forge.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.Edit;
import dev.mainstay.server.forge.ForgeLandingContractTest;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.ForgeWorld;
import dev.mainstay.server.forge.GitRepository.BuildResult;
import dev.mainstay.server.forge.GitRepository.Head;
import dev.mainstay.server.forge.GitRepository.Landing;
import dev.mainstay.server.forge.GitRepository.Method;
import dev.mainstay.server.forge.Reach;
import dev.mainstay.server.forge.git.copy.FarSide;
import dev.mainstay.server.forge.git.copy.GitCredentials;
import dev.mainstay.server.forge.git.copy.GitLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
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
    return new GitWorld(served, path -> GitWorld.at(server.address(path, "bot:s3cr3t@")));
  }

  @Test
  void a_wrong_password_is_said_to_be_wrong_and_never_shown() {
    GitWorld git = (GitWorld) world;
    for (String credentials : new String[] {"", "bot:wr0ng@", "wr0ng@"}) {
      FarSide address = GitWorld.at(server.address(git.repository(), credentials));
      try (var stranger = GitForge.open(address, git.caches(9), GitLimits.USUAL)) {
        assertThatThrownBy(stranger::heads)
            .isInstanceOf(CredentialsRefused.class)
            .hasMessageContaining("credentials")
            .hasMessageNotContaining("wr0ng");
      }
    }
    assertThat(forge.heads().branches()).containsKey("main");
  }

  @Test
  void a_password_that_changes_is_used_by_the_next_call() {
    GitWorld git = (GitWorld) world;
    var password = new AtomicReference<>("s3cr3t");
    var changing =
        new FarSide(
            git.address().address(),
            () -> Optional.of(new GitCredentials("bot", password.get())),
            Reach.usual());
    try (var node = GitForge.open(changing, git.caches(9), GitLimits.USUAL)) {
      assertThat(node.heads().branches()).containsKey("main");
      server.password("n3xt");
      assertThatThrownBy(node::heads).isInstanceOf(CredentialsRefused.class);
      password.set("n3xt");
      assertThat(node.heads().branches()).containsKey("main");
      Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
      assertThat(node.git().build(branch("mainstay/main/r1", main, one)))
          .isInstanceOf(BuildResult.Built.class);
    }
  }

  @Test
  void who_may_only_read_is_refused_what_writes_and_nothing_happens() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    CommitSha tested = built("mainstay/main/r1", main, one);
    server.takePushes(false);
    Landing landing = landing(Method.SQUASH, main, Optional.of(tested), one);
    for (Runnable write :
        List.<Runnable>of(
            () -> forge.git().build(branch("mainstay/main/r2", main, one)),
            () -> forge.git().land(landing),
            () -> forge.git().deleteTestBranches(List.of("mainstay/main/r1")))) {
      assertThatThrownBy(write::run)
          .isInstanceOf(CredentialsRefused.class)
          .hasMessageContaining("does not let us in")
          .hasMessageNotContaining("s3cr3t");
    }
    assertThat(forge.heads().branches()).containsOnlyKeys("main", "mainstay/main/r1");
    assertThat(world.branch("main")).contains(main);
    server.takePushes(true);
    assertThat(forge.git().land(landing).fault()).isEmpty();
  }

  @Test
  void a_host_that_fails_is_told_from_a_repository_that_is_not_there() {
    for (int status : new int[] {429, 500, 503}) {
      server.answer(status);
      assertThat(unavailable().isOfHost()).as("%d", status).isTrue();
    }
    server.answer(200);
    world.vanish();
    assertThat(unavailable()).hasMessageContaining("no git repository");
    assertThat(unavailable().isOfHost()).isFalse();
    server.close();
    assertThat(unavailable().isOfHost()).isTrue();
  }

  @Test
  void a_copy_that_lost_a_file_is_made_again_for_a_checkout() throws IOException {
    GitWorld git = (GitWorld) world;
    CommitSha built =
        built("mainstay/main/r1", main, head(1, Edit.on(main).file("one.txt", "1\n")));
    assertThat(server.clones()).isEqualTo(1);
    String lost = GitWorld.run(git.repository(), new byte[0], "rev-parse", built + ":one.txt");
    String file = "/objects/" + lost.substring(0, 2) + "/" + lost.substring(2).strip();
    try (Stream<Path> files = Files.walk(git.caches(0))) {
      Files.delete(files.filter(f -> f.toString().endsWith(file)).findFirst().orElseThrow());
    }
    Path checkout = Files.createDirectory(served.resolve("checkout"));
    assertThat(forge.git().checkout(built, checkout)).isEmpty();
    assertThat(checkout.resolve("one.txt")).hasContent("1");
    assertThat(server.clones()).isEqualTo(2);
  }

  private ForgeUnavailable unavailable() {
    return assertThrows(ForgeUnavailable.class, forge::heads);
  }
}
