package dev.mainstay.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A bare git repository whose pull requests add one file each. */
record GitFolder(Path directory) {
  /** With one commit on main, and a pull request of each title, counted from 1. */
  static GitFolder create(Path directory, List<String> titles) {
    try {
      var folder = new GitFolder(Files.createDirectories(directory));
      folder.git("", "init", "--quiet", "--bare", "--initial-branch=main", ".");
      folder.git(commit("refs/heads/main", "Begin", "README", ""), "fast-import", "--quiet");
      folder.open(1, titles);
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void open(int first, List<String> titles) throws IOException {
    var stream = new StringBuilder();
    for (int i = 0; i < titles.size(); i++) {
      int number = first + i;
      stream.append(
          commit(
              "refs/pull/" + number + "/head",
              titles.get(i),
              "file-" + number,
              "from refs/heads/main^0\n"));
    }
    git(stream.toString(), "fast-import", "--quiet");
    git("", "pack-refs", "--all");
  }

  private static String commit(String ref, String title, String file, String from) {
    return """
        commit %s
        committer Ada <ada@example.org> 1750000000 +0000
        data %d
        %s
        %sM 100644 inline %s
        data 1
        x
        """
        .formatted(ref, title.getBytes(StandardCharsets.UTF_8).length, title, from, file);
  }

  private void git(String in, String... arguments) throws IOException {
    var command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    var builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
    Process process =
        builder.redirectError(Redirect.INHERIT).redirectOutput(Redirect.DISCARD).start();
    try (var to = process.getOutputStream()) {
      to.write(in.getBytes(StandardCharsets.UTF_8));
    }
    if (process.onExit().join().exitValue() != 0) {
      throw new IOException("git " + String.join(" ", arguments) + " failed");
    }
  }
}
