package dev.mainstay.server.forge.git;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.forge.git.copy.CacheDirectory;
import dev.mainstay.server.forge.git.copy.GitAddress;
import dev.mainstay.server.forge.git.copy.GitCache;
import dev.mainstay.server.forge.git.copy.GitLimits;
import dev.mainstay.server.forge.git.copy.MergeBase;
import dev.mainstay.server.forge.git.copy.Merges;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Trees that are merged without a process are what git makes of them. */
class PlainMergeTest {
  @TempDir private Path directory;
  private Path repository;
  private CacheDirectory place;
  private GitCache cache;
  private int commits;

  @BeforeEach
  void start() {
    repository = directory.resolve("app.git");
    GitWorld.run(directory, new byte[0], "init", "--bare", "--quiet", repository.toString());
    place = CacheDirectory.take(directory.resolve("copy"), new GitAddress(repository.toString()));
    cache = GitCache.open(place, GitWorld.at(repository.toString()), GitLimits.USUAL, Map.of());
  }

  @AfterEach
  void end() {
    cache.close();
    place.close();
  }

  private String git(String input, String... call) {
    return GitWorld.run(repository, input.getBytes(StandardCharsets.UTF_8), call);
  }

  /** A commit of these files, each with its mode and content, on top of another one. */
  private String commit(Map<String, String> files, Optional<String> parent) {
    String branch = "refs/heads/c" + ++commits;
    var stream = new StringBuilder("commit %s\n".formatted(branch));
    stream.append("committer Ada <ada@example.org> %d +0000\ndata 1\nx\n".formatted(commits));
    parent.ifPresent(p -> stream.append("from ").append(p).append('\n'));
    stream.append("deleteall\n");
    files.forEach(
        (path, file) -> {
          String content = file.substring(file.indexOf(' ') + 1);
          stream.append("M %s inline %s\n".formatted(file.substring(0, file.indexOf(' ')), path));
          stream.append("data %d\n%s\n".formatted(content.length(), content));
        });
    git(stream.toString(), "fast-import", "--quiet", "--date-format=raw");
    return git("", "rev-parse", branch).strip();
  }

  /** All files of a tree of the copy, which must be there with all that is below it. */
  private List<String> paths(String tree) {
    return GitWorld.run(
            cache.directory(), new byte[0], "ls-tree", "-r", "--full-tree", "--name-only", tree)
        .lines()
        .toList();
  }

  /** The merge, and whether git was asked for it. */
  private record Merged(Optional<String> tree, boolean asked) {}

  private Merged merge(String ours, String theirs) {
    var asked = new ArrayList<String>();
    var merges =
        new Merges(
            new MergeBase(cache::commit),
            cache::knownCommit,
            cache::plainMerge,
            (one, other) -> {
              asked.add(one);
              return cache.merge(one, other, false);
            });
    Optional<String> tree = merges.tree(List.of(ours, theirs), ours, theirs);
    tree.ifPresent(t -> assertThat(paths(t)).isNotEmpty());
    assertThat(tree).isEqualTo(cache.merge(ours, theirs, false));
    return new Merged(tree, !asked.isEmpty());
  }

  private Merged merge(
      Map<String, String> base, Map<String, String> ours, Map<String, String> theirs) {
    Optional<String> from = Optional.of(commit(base, Optional.empty()));
    return merge(commit(ours, from), commit(theirs, from));
  }

  private static Map<String, String> files(String... pathsAndContents) {
    var files = new TreeMap<String, String>();
    for (int i = 0; i < pathsAndContents.length; i += 2) {
      files.put(pathsAndContents[i], "100644 " + pathsAndContents[i + 1]);
    }
    return files;
  }

  @Test
  void changes_to_different_files_of_one_directory_need_no_process() {
    Merged merged =
        merge(
            files("src/a", "1", "src/b", "1", "src.txt", "1"),
            files("src/a", "2", "src/b", "1", "src.txt", "1", "src/x/new", "1"),
            files("src/a", "1", "src/b", "2", "src.txt", "2", "src-new", "1"));
    assertThat(merged.asked()).isFalse();
    assertThat(paths(merged.tree().orElseThrow()))
        .containsExactly("src-new", "src.txt", "src/a", "src/b", "src/x/new");
  }

  @Test
  void a_file_that_both_changed_is_left_to_git() {
    Merged merged = merge(files("a", "1\n"), files("a", "2\n"), files("a", "3\n"));
    assertThat(merged.asked()).isTrue();
    assertThat(merged.tree()).isEmpty();
  }

  /** The file comes along into the new directory, or it is a conflict: git says which. */
  @Test
  void a_file_added_to_a_directory_that_was_renamed_is_left_to_git() {
    Merged merged =
        merge(
            files("old/a", "a\nb\nc\n", "old/b", "d\ne\nf\n"),
            files("new/a", "a\nb\nc\n", "new/b", "d\ne\nf\n"),
            files("old/a", "a\nb\nc\n", "old/b", "d\ne\nf\n", "old/c", "1"));
    assertThat(merged.asked()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void any_two_changes_become_what_git_makes_of_them(long seed) {
    var random = new Random(seed);
    int plain = 0;
    for (int i = 0; i < 60; i++) {
      var base = new TreeMap<String, String>();
      for (int f = 0; f < 12; f++) {
        put(base, random);
      }
      Merged merged = merge(base, changed(base, random), changed(base, random));
      plain += merged.asked() ? 0 : 1;
    }
    assertThat(plain).isBetween(10, 50);
  }

  private static Map<String, String> changed(Map<String, String> base, Random random) {
    var files = new TreeMap<>(base);
    for (int i = random.nextInt(3); i >= 0; i--) {
      List<String> paths = List.copyOf(files.keySet());
      String path = paths.get(random.nextInt(paths.size()));
      switch (random.nextInt(8)) {
        case 0 -> files.remove(path);
        case 1 -> move(files, path, "d" + random.nextInt(3) + "/moved" + random.nextInt(3));
        case 2 ->
            List.copyOf(files.keySet()).stream()
                .filter(p -> p.startsWith("d0/"))
                .forEach(p -> move(files, p, "d9/" + p.substring(3)));
        default -> put(files, random);
      }
    }
    return files;
  }

  private static void move(Map<String, String> files, String from, String to) {
    String file = files.remove(from);
    if (file != null) {
      files.put(to, file);
    }
  }

  /** A file, large enough to be known again after it was moved; some in directories. */
  private static void put(Map<String, String> files, Random random) {
    String folder = List.of("", "d0/", "d1/", "d1/e/").get(random.nextInt(4));
    String mode = random.nextInt(6) == 0 ? "100755" : "100644";
    String lines = "a\nb\nc\nd\n".repeat(3) + random.nextInt(1000) + "\n";
    files.put(folder + "f" + random.nextInt(6), mode + " " + lines);
  }
}
