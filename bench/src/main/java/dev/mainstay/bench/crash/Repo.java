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

  /** Makes a pull request on what main is now, whose head is this reference. */
  void open(String head, int number, Kind kind) throws IOException {
    git.open(head, number, file(number, kind));
  }

  private static String file(int number, Kind kind) {
    return switch (kind) {
      case GOOD -> "file-" + number;
      case BROKEN -> "broken-" + number;
      case CLASHING -> "shared";
    };
  }

  /** Somebody pushes to main past all queues; gives the tree of that. */
  String pushPast(int number) throws IOException {
    git.push(number, "past-" + number);
    return tree("main");
  }

  /** As {@link #pushPast}, but what is pushed is in conflict with this pull request. */
  String overtake(int overtaken, Kind kind, int number) throws IOException {
    git.push(number, file(overtaken, kind));
    return tree("main");
  }

  String commit(String revision) throws IOException {
    return git.commit(revision);
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

  /** The trees on the way from the beginning of main to a commit, with its own. */
  Set<String> treesTo(String commit) throws IOException {
    return git.git("", "log", "--first-parent", "--format=%T", commit)
        .lines()
        .collect(Collectors.toSet());
  }

  List<String> testBranches() throws IOException {
    return git.git("", "for-each-ref", "--format=%(refname)", "refs/heads/mainstay")
        .lines()
        .toList();
  }
}
