package dev.mainstay.bench.crash;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A bare repository whose pull requests are good, broken, or change the same line. */
final class Repo {
  /** Succeeds where nothing broken is in the tree. */
  static final String TEST_COMMAND = "! ls | grep -q broken";

  enum Kind {
    GOOD,
    BROKEN,
    CLASHING
  }

  private final Path directory;

  private Repo(Path directory) {
    this.directory = directory;
  }

  static Repo create(Path directory) throws IOException {
    var repo = new Repo(Files.createDirectories(directory));
    repo.git("", "init", "--quiet", "--bare", "--initial-branch=main", ".");
    repo.git("", "config", "gc.auto", "0");
    repo.git(commit("refs/heads/main", "begin", "shared", "0", false), "fast-import", "--quiet");
    return repo;
  }

  Path directory() {
    return directory;
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
    String ref = "refs/pull/" + number + "/head";
    git(commit(ref, "change " + number, file, "" + number, true), "fast-import", "--quiet");
  }

  /** The titles on main, newest first. */
  List<String> titles() throws IOException {
    return git("", "log", "--first-parent", "--format=%s", "main").lines().toList();
  }

  String tree(String revision) throws IOException {
    return git("", "rev-parse", revision + "^{tree}").strip();
  }

  List<String> testBranches() throws IOException {
    return git("", "for-each-ref", "--format=%(refname)", "refs/heads/mainstay").lines().toList();
  }

  private static String commit(
      String ref, String title, String file, String content, boolean onMain) {
    return """
        commit %s
        committer Author <author@example.org> 1750000000 +0000
        data %d
        %s
        %sM 100644 inline %s
        data %d
        %s
        """
        .formatted(
            ref,
            title.length(),
            title,
            onMain ? "from refs/heads/main~0\n" : "",
            file,
            content.length(),
            content);
  }

  private String git(String in, String... arguments) throws IOException {
    var command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    var builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
    Process process = builder.redirectError(Redirect.INHERIT).start();
    try (var to = process.getOutputStream()) {
      to.write(in.getBytes(StandardCharsets.UTF_8));
    }
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.onExit().join().exitValue() != 0) {
      throw new IOException("git " + String.join(" ", arguments) + " failed");
    }
    return out;
  }
}
