package dev.mainstay.server.queue;

import static java.util.stream.Collectors.joining;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.server.forge.git.AuthorClone;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A bare repository on disk whose pull requests each write one file. */
public final class TestRepository {
  private static final String ON_MAIN = "from refs/heads/main^0\n";

  private final Path path;

  public TestRepository(Path directory) {
    path = directory.resolve("app.git");
    AuthorClone.init(path);
    commit("refs/heads/main", "", "README", "hello", "Begin");
  }

  public String address() {
    return path.toString();
  }

  public Path path() {
    return path;
  }

  /** Opens a pull request that writes its own file, or pushes to it. */
  public CommitSha open(int number, String content) {
    return open(number, "file" + number, content);
  }

  public CommitSha open(int number, String file, String content) {
    return commit("refs/pull/" + number + "/head", ON_MAIN, file, content, "Change " + number);
  }

  /** Opens pull requests 1 to so many, whose objects are in one pack; gives their heads. */
  public List<CommitSha> openPacked(int count) {
    var commits = new StringBuilder();
    for (int number = 1; number <= count; number++) {
      String message = "Change " + number;
      commits.append(
          """
          commit refs/pull/%d/head
          committer Ada <ada@example.org> 1750000000 +0000
          data %d
          %s
          from %s
          M 100644 inline file%d
          data 1
          x
          """
              .formatted(number, message.length(), message, head("main"), number));
    }
    git(path, commits.toString(), "-c", "fastimport.unpackLimit=1", "fast-import", "--quiet");
    String names =
        IntStream.rangeClosed(1, count).mapToObj(TestRepository::pull).collect(joining("\n"));
    return git(path, names + "\n", "cat-file", "--batch-check=%(objectname)")
        .lines()
        .map(CommitSha::new)
        .toList();
  }

  /** Opens a pull request with one more file in its root, whatever that is called. */
  public void openRaw(int number, String name) {
    String blob = git(path, "x", "hash-object", "-w", "--stdin").strip();
    var raw = new ByteArrayOutputStream();
    raw.writeBytes(AuthorClone.bytes(path, new byte[0], "cat-file", "tree", tree("main")));
    raw.writeBytes(("100644 " + name + "\0").getBytes(StandardCharsets.UTF_8));
    raw.writeBytes(HexFormat.of().parseHex(blob));
    String tree =
        AuthorClone.run(
            path, raw.toByteArray(), "hash-object", "-w", "-t", "tree", "--literally", "--stdin");
    String commit =
        git(path, "", "commit-tree", tree.strip(), "-p", head("main"), "-m", "Raw").strip();
    git(path, "", "update-ref", pull(number), commit);
  }

  /** Opens a pull request whose tree names a file as no index would; a hostile author can. */
  public void openNamed(int number, String name) {
    String blob = git(path, "x", "hash-object", "-w", "--stdin").strip();
    String tree = git(path, "100644 blob " + blob + "\t" + name + "\n", "mktree").strip();
    String commit =
        git(path, "", "commit-tree", tree, "-p", head("main"), "-m", "Named " + number).strip();
    git(path, "", "update-ref", pull(number), commit);
  }

  /** Opens a pull request that changes nothing. */
  public void openEmpty(int number) {
    String commit =
        git(path, "", "commit-tree", tree("main"), "-p", head("main"), "-m", "Nothing").strip();
    git(path, "", "update-ref", pull(number), commit);
  }

  /** Somebody merges a pull request by hand, with a merge commit. */
  public void merge(int number) {
    String head = git(path, "", "rev-parse", pull(number)).strip();
    onMain("commit-tree", merged(number), "-p", head("main"), "-p", head, "-m", "By hand");
  }

  /** Somebody merges a pull request by hand, as one commit. */
  public void squash(int number) {
    onMain("commit-tree", merged(number), "-p", head("main"), "-m", "By hand");
  }

  /** Somebody moves the branch to the head of a pull request. */
  public void fastForward(int number) {
    git(path, "", "update-ref", "refs/heads/main", pull(number));
  }

  private String merged(int number) {
    return git(path, "", "merge-tree", "--write-tree", "main", pull(number)).strip();
  }

  private void onMain(String... command) {
    git(path, "", "update-ref", "refs/heads/main", git(path, "", command).strip());
  }

  private static String pull(int number) {
    return "refs/pull/" + number + "/head";
  }

  /** Somebody pushes an earlier commit to a pull request. */
  public void moveBack(int number, CommitSha commit) {
    git(path, "", "update-ref", "refs/pull/" + number + "/head", commit.value());
  }

  public void close(int number) {
    git(path, "", "update-ref", "-d", "refs/pull/" + number + "/head");
  }

  /** Somebody pushes past the queue. */
  public CommitSha push(String file, String content) {
    return commit("refs/heads/main", ON_MAIN, file, content, "Push " + file);
  }

  /** Somebody pushes this file, in any directory; without content it is deleted. */
  public void put(String file, Optional<String> content) {
    String change =
        content
            .map(text -> "M 100644 inline %s\ndata %d\n%s\n".formatted(file, text.length(), text))
            .orElse("D " + file + "\n");
    String commit =
        """
        commit refs/heads/main
        committer Ada <ada@example.org> 1750000000 +0000
        data 3
        Put
        from refs/heads/main^0
        """;
    git(path, commit + change, "fast-import", "--quiet");
  }

  /** Somebody makes a branch where main is. */
  public void branch(String name) {
    git(path, "", "update-ref", "refs/heads/" + name, head("main"));
  }

  public String head(String branch) {
    return git(path, "", "rev-parse", "refs/heads/" + branch).strip();
  }

  public List<String> subjects() {
    return git(path, "", "log", "--format=%s", "main").lines().toList();
  }

  public List<String> files(String commit) {
    return git(path, "", "ls-tree", "--name-only", commit).lines().toList();
  }

  public String tree(String commit) {
    return git(path, "", "rev-parse", commit + "^{tree}").strip();
  }

  public List<String> testBranches() {
    return git(path, "", "for-each-ref", "--format=%(refname:short)", "refs/heads/mainstay/")
        .lines()
        .toList();
  }

  /** By one process, where a command for each object would take six. */
  private CommitSha commit(
      String reference, String from, String file, String content, String message) {
    String stream =
        """
        commit %s
        mark :1
        committer Ada <ada@example.org> now
        data %d
        %s
        %sM 100644 inline %s
        data %d
        %s
        get-mark :1
        """
            .formatted(
                reference,
                length(message) + 1,
                message + "\n",
                from,
                file,
                length(content),
                content);
    String commit = git(path, stream, "fast-import", "--quiet", "--force", "--date-format=now");
    return new CommitSha(commit.strip());
  }

  private static int length(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static String git(Path directory, String input, String... arguments) {
    try {
      var command = Stream.concat(Stream.of("git"), Arrays.stream(arguments)).toList();
      var builder = new ProcessBuilder(command).directory(directory.toFile());
      builder.redirectError(ProcessBuilder.Redirect.INHERIT);
      for (String who : List.of("AUTHOR", "COMMITTER")) {
        builder.environment().put("GIT_" + who + "_NAME", "Ada");
        builder.environment().put("GIT_" + who + "_EMAIL", "ada@example.org");
      }
      Process process = builder.start();
      try (var out = process.getOutputStream()) {
        out.write(input.getBytes(StandardCharsets.UTF_8));
      }
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IllegalStateException(String.join(" ", command));
      }
      return output;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
