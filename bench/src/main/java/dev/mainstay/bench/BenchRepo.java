package dev.mainstay.bench;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A bare git repository whose pull requests change one file each. */
public final class BenchRepo {
  private final Path directory;

  private BenchRepo(Path directory) {
    this.directory = directory;
  }

  /** With one commit on main. */
  public static BenchRepo create(Path directory) throws IOException {
    var repo = new BenchRepo(Files.createDirectories(directory));
    repo.git("", "init", "--quiet", "--bare", "--initial-branch=main", ".");
    repo.git("", "config", "gc.auto", "0");
    repo.git(commit("refs/heads/main", "begin", "shared", "0", ""), "fast-import", "--quiet");
    return repo;
  }

  /** One that is there already. */
  public static BenchRepo at(Path directory) {
    return new BenchRepo(directory);
  }

  /** With pull requests that each add a file. */
  public static BenchRepo create(Path directory, int pullRequests) throws IOException {
    BenchRepo repo = create(directory);
    var stream = new StringBuilder();
    for (int pr = 1; pr <= pullRequests; pr++) {
      stream.append(pullRequest(head(pr), pr, "file-" + pr));
    }
    repo.git(stream.toString(), "fast-import", "--quiet");
    return repo;
  }

  public Path directory() {
    return directory;
  }

  /** Makes a pull request on what main is now, whose head is this reference. */
  public void open(String head, int number, String file) throws IOException {
    git(pullRequest(head, number, file), "fast-import", "--quiet");
  }

  /** Somebody pushes a commit to main that nobody tested. */
  public void push(int number, String file) throws IOException {
    git(pullRequest("refs/heads/main", number, file), "fast-import", "--quiet");
  }

  /** The commit that a revision stands for. */
  public String commit(String revision) throws IOException {
    return git("", "rev-parse", "--verify", revision + "^{commit}").strip();
  }

  /** Runs git; gives its output. */
  public String git(String in, String... arguments) throws IOException {
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

  /** The reference of a pull request's head. */
  public static String head(int number) {
    return "refs/pull/" + number + "/head";
  }

  /** The title of a pull request. */
  public static String title(int number) {
    return "change " + number;
  }

  private static String pullRequest(String head, int number, String file) {
    return commit(head, title(number), file, "" + number, "from refs/heads/main^0\n");
  }

  private static String commit(String ref, String title, String file, String content, String from) {
    return """
        commit %s
        committer Author <author@example.org> 1750000000 +0000
        data %d
        %s
        %sM 100644 inline %s
        data %d
        %s
        """
        .formatted(ref, title.length(), title, from, file, content.length(), content);
  }
}
