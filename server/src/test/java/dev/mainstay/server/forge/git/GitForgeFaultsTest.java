package dev.mainstay.server.forge.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.server.forge.Edit;
import dev.mainstay.server.forge.ForgeScene;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.ForgeWorld;
import dev.mainstay.server.forge.GitRepository;
import dev.mainstay.server.forge.GitRepository.Head;
import dev.mainstay.server.forge.GitRepository.Landing;
import dev.mainstay.server.forge.GitRepository.LandingFault;
import dev.mainstay.server.forge.GitRepository.Method;
import dev.mainstay.server.forge.git.copy.CacheDirectory;
import dev.mainstay.server.forge.git.copy.Commit;
import dev.mainstay.server.forge.git.copy.GitCache;
import dev.mainstay.server.forge.git.copy.GitLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Plain git that breaks, hangs or lies. */
class GitForgeFaultsTest extends ForgeScene {
  private static final GitLimits SHORT =
      new GitLimits(Duration.ofMinutes(1), Duration.ofSeconds(3));

  @Override
  protected ForgeWorld world(Path directory) {
    return new GitWorld(directory, path -> GitWorld.at(path.toString()));
  }

  private GitWorld git() {
    return (GitWorld) world;
  }

  @Test
  void a_copy_that_was_deleted_is_made_again() throws IOException {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    built("mainstay/main/r1", main, one);
    CacheDirectory.deleteRecursively(git().caches(0));
    assertThat(forge.pullRequest(ONE, "main")).isPresent();
    built("mainstay/main/r2", main, one);
    CacheDirectory.deleteRecursively(copy());
    CommitSha tested = built("mainstay/main/r1", main, one);
    CacheDirectory.deleteRecursively(copy());
    assertThat(forge.git().land(landing(Method.SQUASH, main, Optional.of(tested), one)).fault())
        .isEmpty();
  }

  @Test
  void a_copy_that_is_broken_is_made_again() throws IOException {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    built("mainstay/main/r1", main, one);
    forge.close();
    try (Stream<Path> files = Files.walk(copy().resolve("objects"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.delete(file);
        Files.writeString(file, "rubbish");
      }
    }
    forge = GitForge.open(git().address(), git().caches(0), GitLimits.USUAL);
    CommitSha tested = built("mainstay/main/r1", main, one);
    assertThat(forge.git().land(landing(Method.REBASE, main, Optional.of(tested), one)).fault())
        .isEmpty();
    forge.close();
  }

  @Test
  void nodes_on_one_disk_keep_out_of_each_others_way() throws IOException {
    try (var second = GitForge.open(git().address(), git().caches(0), GitLimits.USUAL)) {
      Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
      CommitSha built = built("mainstay/main/r1", main, one);
      assertThat(second.git().build(branch("mainstay/main/r1", main, one)))
          .isEqualTo(new GitRepository.BuildResult.Built(built, List.of()));
      try (Stream<Path> copies = Files.list(git().caches(0))) {
        assertThat(copies).hasSize(2);
      }
    }
  }

  @Test
  void tidying_keeps_what_is_in_use() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    try (var place = CacheDirectory.take(directory.resolve("tidy"), git().address().address());
        var cache = GitCache.open(place, git().address(), GitLimits.USUAL, Map.of())) {
      String merged = cache.merge(main.value(), one.commit().value(), false).orElseThrow();
      String commit = cache.write(Commit.ours(merged, List.of(main.value()), AT, "Merge\n"));
      cache.tidy();
      assertThat(cache.directory().resolve("gc.pid")).doesNotExist();
      assertThat(cache.knownCommit(commit).tree()).isEqualTo(merged);
      assertThat(cache.push(List.of(), List.of(commit + ":refs/heads/mainstay/x")).ok()).isTrue();
    }
  }

  @Test
  void a_server_that_never_answers_is_given_up() throws IOException {
    try (var silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        var node =
            GitForge.open(
                GitWorld.at("http://127.0.0.1:" + silent.getLocalPort() + "/app.git"),
                directory.resolve("silent"),
                SHORT)) {
      assertThatThrownBy(node::heads)
          .isInstanceOf(ForgeUnavailable.class)
          .hasMessageContaining("did not answer in time");
    }
  }

  @Test
  void an_ssh_that_hangs_is_ended_with_its_children() throws IOException {
    Path pid = directory.resolve("pid");
    Path ssh = directory.resolve("ssh");
    Files.writeString(ssh, "#!/bin/sh\nsleep 1000 & echo $! > " + pid + "\nwait\n");
    assertThat(ssh.toFile().setExecutable(true)).isTrue();
    try (var node =
        GitForge.open(
            GitWorld.at("git@example.org:app.git"),
            directory.resolve("ssh-node"),
            SHORT,
            Map.of("GIT_SSH_COMMAND", ssh.toString()))) {
      assertThatThrownBy(node::heads).isInstanceOf(ForgeUnavailable.class);
    }
    ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()))
        .ifPresent(child -> child.onExit().orTimeout(5, TimeUnit.MINUTES).join());
  }

  @Test
  void a_push_that_arrived_without_an_answer_is_found() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    forge = git().node(SHORT, Map.of());
    forge.pullRequest(ONE, "main");
    git().hook("post-receive", "exec sleep 1000 >/dev/null 2>&1\n");
    Landing landing = landing(Method.SQUASH, main, Optional.empty(), one);
    var result = forge.git().land(landing);
    assertThat(result.fault()).isEmpty();
    assertThat(result.landed().getLast().targetHead())
        .isEqualTo(world.branch("main").orElseThrow());
  }

  @Test
  void a_push_that_may_still_arrive_is_not_guessed() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    forge = git().node(SHORT, Map.of());
    forge.pullRequest(ONE, "main");
    git().hook("pre-receive", "sleep 1000\n");
    Landing landing = landing(Method.SQUASH, main, Optional.empty(), one);
    assertThatThrownBy(() -> forge.git().land(landing)).isInstanceOf(ForgeUnavailable.class);
    assertThat(world.branch("main")).contains(main);
    git().hook("pre-receive", "exit 0\n");
    assertThat(forge.git().land(landing).fault()).isEmpty();
    assertThat(world.log(world.branch("main").orElseThrow(), main)).hasSize(1);
  }

  @Test
  void a_target_that_moves_during_the_push_is_not_overwritten() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    CommitSha other = world.commit(Edit.on(main).file("other.txt", "1\n"));
    world.push("other", other);
    git().hook("update", "git update-ref refs/heads/main " + other + "\n");
    assertThat(forge.git().land(landing(Method.SQUASH, main, Optional.empty(), one)).fault())
        .contains(new LandingFault.TargetMoved(other));
    assertThat(world.branch("main")).contains(other);
  }

  @Test
  void hooks_and_settings_of_whoever_runs_the_service_do_not_count() throws IOException {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    Path home = Files.createDirectories(directory.resolve("home"));
    Files.writeString(
        home.resolve(".gitconfig"),
        "[url \"file:///nowhere/\"]\n  insteadOf = " + directory + "/\n[core]\n  hooksPath = /x\n");
    forge = git().node(GitLimits.USUAL, Map.of("HOME", home.toString()));
    landed(Method.SQUASH, one);
  }

  @Test
  void the_files_of_a_commit_are_checked_out_as_they_are() throws IOException {
    CommitSha head =
        open(
            1,
            Edit.on(main)
                .file(".gitattributes", "* filter=lfs\n")
                .file("big.bin", "version https://git-lfs.github.com/spec/v1\n")
                .entry(Edit.PROGRAM, "bin/run", "#!/bin/sh\n")
                .entry(Edit.LINK, "link", "a.txt")
                .entry(Edit.SUBMODULE, "module", "1".repeat(40)));
    CommitSha built = built("mainstay/main/r1", main, new Head(ONE, head));
    for (GitForge node : List.of((GitForge) forge, git().node())) {
      Path files = Files.createTempDirectory(directory, "checkout").resolve("files");
      node.git().checkout(built, Files.createDirectory(files));
      assertThat(files.resolve("big.bin")).hasContent("version https://git-lfs.github.com/spec/v1");
      assertThat(Files.isExecutable(files.resolve("bin/run"))).isTrue();
      assertThat(Files.readSymbolicLink(files.resolve("link"))).hasToString("a.txt");
      assertThat(files.resolve("module")).isEmptyDirectory();
    }
    assertThatThrownBy(() -> git().node().git().checkout(new CommitSha("e".repeat(40)), directory))
        .isInstanceOf(ForgeUnavailable.class);
  }

  @Test
  void a_reference_that_is_no_commit_is_no_pull_request() {
    String blob =
        GitWorld.run(
            git().repository(),
            Edit.on().message().getBytes(java.nio.charset.StandardCharsets.UTF_8),
            "hash-object",
            "-w",
            "--stdin");
    GitWorld.run(git().repository(), new byte[0], "update-ref", "refs/pull/1/head", blob.strip());
    assertThat(forge.pullRequest(ONE, "main")).isEmpty();
  }

  private Path copy() throws IOException {
    try (Stream<Path> copies = Files.list(git().caches(0))) {
      return copies.findFirst().orElseThrow().resolve("repository.git");
    }
  }
}
