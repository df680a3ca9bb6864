package dev.mainstay.server.forge.git;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.server.forge.Edit;
import dev.mainstay.server.forge.ForgeScene;
import dev.mainstay.server.forge.ForgeWorld;
import dev.mainstay.server.forge.GitRepository.Head;
import dev.mainstay.server.forge.git.copy.CacheDirectory;
import dev.mainstay.server.forge.git.copy.GitLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checkouts of commits as builds see them, from a path and over http with a password. */
class WorkTreeTest extends ForgeScene {
  @TempDir Path served;
  private GitHttpServer server;

  @BeforeEach
  @Override
  public void begin() {
    server = new GitHttpServer(served);
    super.begin();
    tag("v1.0", main);
    git().repository("tag", "light", main.value());
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

  private GitWorld git() {
    return (GitWorld) world;
  }

  private void tag(String name, CommitSha commit) {
    git()
        .repository(
            "-c",
            "user.name=Ada",
            "-c",
            "user.email=ada@example.org",
            "tag",
            "-m",
            "Release " + name,
            name,
            commit.value());
  }

  private Path checkout(GitForge node, CommitSha commit) throws IOException {
    Path files = Files.createTempDirectory(directory, "checkout");
    node.git().checkout(commit, files);
    return files;
  }

  private static String ask(Path files, String... arguments) {
    return GitWorld.run(files, new byte[0], arguments).strip();
  }

  @Test
  void a_build_may_ask_git_for_its_version_and_history() throws IOException {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    CommitSha built = built("mainstay/main/r1", main, one);
    GitForge byPath =
        GitForge.open(
            GitWorld.at(git().repository().toString()),
            directory.resolve("by-path"),
            GitLimits.USUAL);
    for (GitForge node : List.of((GitForge) forge, git().node(), byPath)) {
      Path files = checkout(node, built);
      assertThat(ask(files, "rev-parse", "HEAD")).isEqualTo(built.value());
      assertThat(ask(files, "describe")).matches("v1\\.0-[12]-g[0-9a-f]+");
      assertThat(ask(files, "tag")).isEqualTo("light\nv1.0");
      assertThat(ask(files, "log", "--format=%s")).contains("Begin");
      assertThat(ask(files, "show", main + ":a.txt")).isEqualTo("1");
      assertThat(ask(files, "status", "--porcelain")).isEmpty();
      ask(files, "fsck", "--no-dangling");
    }
    byPath.close();
  }

  @Test
  void it_knows_no_way_back_to_the_repository_and_no_secret() throws IOException {
    CommitSha built =
        built("mainstay/main/r1", main, head(1, Edit.on(main).file("one.txt", "1\n")));
    Path files = checkout((GitForge) forge, built);
    assertThat(ask(files, "remote")).isEmpty();
    try (Stream<Path> all = Files.walk(files)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
            .as(file.toString())
            .doesNotContain("s3cr3t")
            .doesNotContain("http://");
      }
    }
  }

  @Test
  void what_a_build_does_to_it_does_not_reach_the_copy() throws IOException {
    CommitSha built =
        built("mainstay/main/r1", main, head(1, Edit.on(main).file("one.txt", "1\n")));
    Path files = checkout((GitForge) forge, built);
    Path copy = copy(0);
    String before = objects(copy);
    ask(files, "checkout", "--quiet", "-b", "mine");
    Files.writeString(files.resolve("a.txt"), "changed\n");
    ask(files, "-c", "user.name=A", "-c", "user.email=a@b", "commit", "--quiet", "-am", "Mine");
    ask(files, "tag", "-d", "v1.0", "light");
    ask(files, "checkout", "--quiet", "--orphan", "empty");
    ask(files, "branch", "-D", "mine");
    ask(files, "reflog", "expire", "--expire=now", "--all");
    ask(files, "gc", "--quiet", "--prune=now");
    ask(files, "prune", "--expire=now");
    CacheDirectory.deleteRecursively(files.resolve(".git"));
    assertThat(objects(copy)).isEqualTo(before);
    assertThat(ask(checkout((GitForge) forge, built), "describe")).startsWith("v1.0-");
  }

  @Test
  void tags_of_other_histories_are_not_fetched_for_it() throws IOException {
    CommitSha elsewhere = world.commit(Edit.on().says("Elsewhere").file("huge.bin", "x\n"));
    world.push("elsewhere", elsewhere);
    tag("v9", elsewhere);
    world.deleteBranch("elsewhere");
    CommitSha built =
        built("mainstay/main/r1", main, head(1, Edit.on(main).file("one.txt", "1\n")));
    GitForge other = git().node();
    assertThat(ask(checkout(other, built), "tag")).isEqualTo("light\nv1.0");
    assertThat(ask(copy(1), "cat-file", "--batch-check", "--batch-all-objects"))
        .doesNotContain(elsewhere.value());
  }

  @Test
  void the_tags_of_the_last_time_serve_while_the_repository_is_away() throws IOException {
    CommitSha built =
        built("mainstay/main/r1", main, head(1, Edit.on(main).file("one.txt", "1\n")));
    checkout((GitForge) forge, built);
    world.vanish();
    assertThat(ask(checkout((GitForge) forge, built), "describe")).startsWith("v1.0-");
  }

  @Test
  void attributes_of_whoever_runs_the_service_do_not_change_the_files() throws IOException {
    CommitSha built =
        built("mainstay/main/r1", main, head(1, Edit.on(main).file("one.txt", "1\n")));
    Path settings = Files.createDirectories(directory.resolve("home/.config/git"));
    Files.writeString(settings.resolve("attributes"), "*.txt text eol=crlf\n");
    Map<String, String> home = Map.of("HOME", directory.resolve("home").toString());
    Path files = checkout(git().node(GitLimits.USUAL, home), built);
    assertThat(Files.readString(files.resolve("one.txt"))).isEqualTo("1\n");
  }

  private static String objects(Path copy) {
    return ask(copy, "cat-file", "--batch-check", "--batch-all-objects");
  }

  private Path copy(int node) throws IOException {
    try (Stream<Path> copies = Files.list(git().caches(node))) {
      return copies.findFirst().orElseThrow().resolve("repository.git");
    }
  }
}
