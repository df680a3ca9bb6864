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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The merge base of two commits is the one that git finds. */
class MergeBaseTest {
  @TempDir private Path directory;
  private Path repository;

  @BeforeEach
  void start() {
    repository = directory.resolve("app.git");
    git("", "init", "--bare", "--quiet", repository.toString());
  }

  private String git(String input, String... call) {
    Path where = call[0].equals("init") ? directory : repository;
    return GitWorld.run(where, input.getBytes(StandardCharsets.UTF_8), call);
  }

  /** A history in the words of fast-import: each commit with its parents, by their numbers. */
  private static final class History {
    private final StringBuilder stream = new StringBuilder();
    private int last;

    int commit(long time, List<Integer> parents) {
      last++;
      stream.append("commit refs/heads/c%d\nmark :%d\n".formatted(last, last));
      stream.append("committer Ada <ada@example.org> %d +0000\ndata 1\nx\n".formatted(time));
      for (int i = 0; i < parents.size(); i++) {
        stream.append("%s :%d\n".formatted(i == 0 ? "from" : "merge", parents.get(i)));
      }
      return last;
    }
  }

  private List<String> write(History history) {
    git(history.stream.toString(), "fast-import", "--quiet", "--date-format=raw");
    List<String> shas = new ArrayList<>();
    for (int i = 1; i <= history.last; i++) {
      shas.add("refs/heads/c" + i);
    }
    return git(String.join("\n", shas) + "\n", "cat-file", "--batch-check=%(objectname)")
        .lines()
        .toList();
  }

  private List<String> asked(String one, String other) {
    try {
      return git("", "merge-base", "--all", one, other).lines().toList();
    } catch (AssertionError e) {
      return List.of();
    }
  }

  private GitCache cache(CacheDirectory place) {
    return GitCache.open(place, GitWorld.at(repository.toString()), GitLimits.USUAL, Map.of());
  }

  private CacheDirectory place() {
    return CacheDirectory.take(directory.resolve("copy"), new GitAddress(repository.toString()));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void it_is_what_git_finds_in_any_history(long seed) {
    var random = new Random(seed);
    var history = new History();
    history.commit(1000, List.of());
    for (int i = 2; i <= 40; i++) {
      int newest = i - 1;
      int parents = random.nextInt(20) == 0 ? 0 : Math.min(newest, 1 + random.nextInt(5) / 4);
      // Clocks that go wrong: a commit may be older than its parents.
      history.commit(
          1000 + 10L * i - random.nextInt(25),
          random
              .ints(0, Math.min(newest, 6))
              .map(n -> newest - n)
              .distinct()
              .limit(parents)
              .boxed()
              .toList());
    }
    List<String> shas = write(history);
    int found = 0;
    try (var place = place();
        var cache = cache(place)) {
      var bases = new MergeBase(cache::commit);
      for (int pair = 0; pair < 40; pair++) {
        String one = shas.get(random.nextInt(shas.size()));
        String other = shas.get(random.nextInt(shas.size()));
        List<String> all = asked(one, other);
        switch (bases.find(one, other)) {
          case MergeBase.Answer.Shared(String sha) -> {
            assertThat(all).containsExactly(sha);
            found++;
          }
          case MergeBase.Answer.Nothing() -> assertThat(all).isEmpty();
          case MergeBase.Answer.AskGit() -> assertThat(all).hasSizeGreaterThan(1);
        }
        assertThat(cache.mergeBase(one, other).stream().toList())
            .isEqualTo(all.stream().limit(1).toList());
      }
    }
    assertThat(found).isGreaterThan(15);
  }

  @Test
  void one_that_holds_the_other_is_the_merge_of_both() {
    var history = new History();
    history.commit(1000, List.of());
    history.commit(1001, List.of(1));
    List<String> shas = write(history);
    try (var place = place();
        var cache = cache(place)) {
      String tree = cache.knownCommit(shas.getLast()).tree();
      assertThat(cache.merges().tree(shas, shas.getFirst(), shas.getLast())).contains(tree);
      assertThat(cache.mergeBase(shas.getLast(), shas.getLast())).contains(shas.getLast());
    }
  }

  @Test
  void where_they_are_far_apart_git_is_asked() {
    var history = new History();
    int root = history.commit(1000, List.of());
    int near = history.commit(1001, List.of(root));
    int far = root;
    for (int i = 0; i < 300; i++) {
      far = history.commit(1002 + i, List.of(far));
    }
    List<String> shas = write(history);
    String one = shas.get(near - 1);
    String other = shas.get(far - 1);
    try (var place = place();
        var cache = cache(place)) {
      assertThat(new MergeBase(cache::commit).find(one, other))
          .isEqualTo(new MergeBase.Answer.AskGit());
      assertThat(new MergeBase(sha -> Optional.empty()).find(one, other))
          .isEqualTo(new MergeBase.Answer.AskGit());
      assertThat(cache.mergeBase(one, other)).contains(shas.getFirst());
      var merged = new ArrayList<String>();
      var merges =
          new Merges(
              new MergeBase(cache::commit),
              cache::knownCommit,
              (base, ours, theirs) -> Optional.empty(),
              (ours, theirs) -> {
                merged.add(ours + theirs);
                return Optional.of("tree");
              });
      assertThat(merges.tree(List.of(one, other), one, other)).contains("tree");
      assertThat(merges.tree(List.of(one, other), one, other)).contains("tree");
      assertThat(merged).containsExactly(one + other);
    }
  }
}
