package dev.mainstay.server.forge.git;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.forge.git.copy.CacheDirectory;
import dev.mainstay.server.forge.git.copy.Listing;
import dev.mainstay.server.forge.git.copy.LocalReferences;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** References read from files are those that git itself tells, or git is asked. */
class LocalReferencesTest {
  private static final List<String> ALL = List.of("refs/heads/*", "refs/pull/*");
  private static final List<String> SOME =
      List.of("refs/pull/1/hea*", "refs/pull/1/met*", "refs/heads/main", "refs/heads/none");

  @TempDir private Path directory;
  private Path repository;
  private LocalReferences references;
  private String one;
  private String two;

  @BeforeEach
  void start() {
    repository = directory.resolve("app.git");
    git(directory, "init", "--bare", "--quiet", "--initial-branch=main", repository.toString());
    String tree = git(repository, "mktree").strip();
    one = commit(tree, "one");
    two = commit(tree, "two");
    for (String name : List.of("heads/main", "heads/a/b", "pull/1/head", "pull/12/head")) {
      point("refs/" + name, one);
    }
    references = new LocalReferences(repository);
  }

  private static String git(Path where, String... call) {
    return GitWorld.run(where, new byte[0], call);
  }

  private String commit(String tree, String message) {
    return git(
            repository,
            "-c",
            "user.name=Ada",
            "-c",
            "user.email=ada@example.org",
            "commit-tree",
            tree,
            "-m",
            message)
        .strip();
  }

  private void point(String name, String commit) {
    git(repository, "update-ref", name, commit);
  }

  private void assertSameAsGit(List<String> names) {
    String listed = git(directory, "ls-remote", repository.toString());
    Map<String, String> expected =
        Listing.read(listed).entrySet().stream()
            .filter(e -> names.stream().anyMatch(n -> matches(n, e.getKey())))
            .collect(java.util.stream.Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    assertThat(expected).isNotEmpty();
    assertThat(references.list(names)).contains(expected);
  }

  private static boolean matches(String name, String reference) {
    return name.endsWith("*")
        ? reference.startsWith(name.substring(0, name.length() - 1))
        : reference.equals(name);
  }

  @Test
  void they_are_found_loose_and_packed_and_in_both_places() {
    assertSameAsGit(ALL);
    assertSameAsGit(SOME);
    git(repository, "pack-refs", "--all");
    assertThat(repository.resolve("refs/pull/1/head")).doesNotExist();
    assertSameAsGit(ALL);
    assertSameAsGit(SOME);
    point("refs/pull/1/head", two);
    point("refs/pull/1/meta", one);
    assertSameAsGit(ALL);
    assertSameAsGit(SOME);
    assertThat(references.list(SOME).orElseThrow()).containsEntry("refs/pull/1/head", two);
  }

  @Test
  void packed_once_more_they_are_what_they_are_now() {
    git(repository, "pack-refs", "--all");
    assertSameAsGit(SOME);
    point("refs/pull/1/head", two);
    git(repository, "pack-refs", "--all");
    assertThat(repository.resolve("refs/pull/1/head")).doesNotExist();
    assertSameAsGit(ALL);
    assertThat(references.list(SOME).orElseThrow()).containsEntry("refs/pull/1/head", two);
  }

  @Test
  void settings_that_are_changed_count_from_then_on() {
    assertSameAsGit(SOME);
    git(repository, "config", "transfer.hideRefs", "refs/pull");
    assertThat(references.list(SOME)).isEmpty();
    git(repository, "config", "--unset", "transfer.hideRefs");
    assertSameAsGit(SOME);
  }

  @Test
  void what_is_gone_is_not_told() {
    git(repository, "pack-refs", "--all");
    point("refs/pull/1/head", two);
    git(repository, "update-ref", "-d", "refs/pull/1/head");
    assertSameAsGit(ALL);
    assertThat(references.list(SOME).orElseThrow()).containsOnlyKeys("refs/heads/main");
  }

  @Test
  void one_that_is_being_written_is_as_it_was() throws IOException {
    Files.writeString(repository.resolve("refs/pull/1/head.lock"), two);
    assertThat(references.list(SOME).orElseThrow())
        .containsOnlyKeys("refs/heads/main", "refs/pull/1/head")
        .containsEntry("refs/pull/1/head", one);
  }

  @Test
  void a_reference_to_another_is_left_to_git() {
    git(repository, "symbolic-ref", "refs/heads/alias", "refs/heads/main");
    assertThat(references.list(ALL)).isEmpty();
    assertThat(references.list(SOME)).isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[transfer]\n hideRefs = refs/pull",
        "[extensions]\n refStorage = reftable",
        "[include]\n path = more"
      })
  void settings_that_say_otherwise_are_left_to_git(String settings) throws IOException {
    Files.writeString(repository.resolve("config"), settings);
    assertThat(references.list(SOME)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"HEAD", "config", "packed-refs"})
  void what_is_not_whole_is_left_to_git(String file) throws IOException {
    git(repository, "pack-refs", "--all");
    assertThat(references.list(SOME)).isPresent();
    Files.delete(repository.resolve(file));
    Files.createDirectory(repository.resolve(file));
    assertThat(references.list(SOME)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"config", "packed-refs"})
  void a_pipe_is_not_waited_for(String file) throws Exception {
    Path pipe = repository.resolve(file);
    Files.deleteIfExists(pipe);
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    assertThat(references.list(SOME)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "rubbish", "ref: refs/heads/main"})
  void a_reference_that_cannot_be_read_is_left_to_git(String content) throws IOException {
    Files.writeString(repository.resolve("refs/pull/1/head"), content);
    assertThat(references.list(SOME)).isEmpty();
  }

  @Test
  void a_repository_that_is_gone_is_not_an_empty_one() throws IOException {
    CacheDirectory.deleteRecursively(repository);
    assertThat(references.list(ALL)).isEmpty();
    assertThat(references.list(List.of("refs/heads/main"))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"HEAD", "config", "refs/../config", "refs/heads/\u00e4", "../refs/*"})
  void names_that_are_not_plain_are_left_to_git(String name) {
    assertThat(references.list(List.of(name))).isEmpty();
  }
}
