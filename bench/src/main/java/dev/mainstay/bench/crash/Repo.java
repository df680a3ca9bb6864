package dev.mainstay.bench.crash;

import dev.mainstay.bench.BenchRepo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/** A repository whose pull requests are good, broken, or change the same line. */
final class Repo {
  /** Succeeds where nothing broken is in the tree. */
  static final String TEST_COMMAND = "! ls | grep -q broken";

  enum Kind {
    GOOD,
    BROKEN,
    CLASHING
  }

  private final BenchRepo git;

  Repo(Path directory) throws IOException {
    this.git = BenchRepo.create(directory);
    git.git("", "config", "core.logAllRefUpdates", "always");
  }

  Path directory() {
    return git.directory();
  }

  static Kind kind(Random random) {
    int roll = random.nextInt(10);
    return roll < 6 ? Kind.GOOD : roll < 8 ? Kind.BROKEN : Kind.CLASHING;
  }

  void open(int number, Kind kind) throws IOException {
    String file =
        switch (kind) {
          case GOOD -> "file-" + number;
          case BROKEN -> "broken-" + number;
          case CLASHING -> "shared";
        };
    git.open(number, file);
  }

  /** The titles on main, newest first. */
  List<String> titles() throws IOException {
    return git.git("", "log", "--first-parent", "--format=%s", "main").lines().toList();
  }

  /** The trees of all that main ever was, since its beginning. */
  Set<String> treesOfMain() throws IOException {
    return git.git("", "log", "--walk-reflogs", "--format=%T", "main")
        .lines()
        .collect(Collectors.toSet());
  }

  String tree(String revision) throws IOException {
    return git.git("", "rev-parse", revision + "^{tree}").strip();
  }

  List<String> testBranches() throws IOException {
    return git.git("", "for-each-ref", "--format=%(refname)", "refs/heads/mainstay")
        .lines()
        .toList();
  }
}
