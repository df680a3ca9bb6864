package dev.mainstay.server.forge.git.copy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A checkout with a git directory of its own, so that builds may ask git for versions and history.
 * It reads the objects of a copy and writes only its own: nothing that is done to it reaches the
 * copy. It knows no remote and no credentials.
 */
final class WorkTree {
  private static final String SETTINGS =
      """
      [core]
        repositoryformatversion = 0
        bare = false
      [gc]
        auto = 0
      [maintenance]
        auto = false
      """;

  private WorkTree() {}

  /** Makes the git directory, at a commit and with these tags; the files are not there yet. */
  static Path make(Path directory, Path copy, String commit, Map<String, String> tags)
      throws IOException {
    Path git = directory.resolve(".git");
    Files.createDirectories(git.resolve("refs/heads"));
    Files.createDirectories(git.resolve("objects/info"));
    Files.writeString(git.resolve("objects/info/alternates"), copy.resolve("objects") + "\n");
    Files.writeString(git.resolve("config"), SETTINGS);
    Files.writeString(
        git.resolve("packed-refs"),
        tags.entrySet().stream()
            .map(tag -> tag.getValue() + " " + tag.getKey() + "\n")
            .collect(Collectors.joining()));
    Files.writeString(git.resolve("HEAD"), commit + "\n");
    return git;
  }
}
