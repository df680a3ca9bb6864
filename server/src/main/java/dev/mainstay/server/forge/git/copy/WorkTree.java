package dev.mainstay.server.forge.git.copy;

import dev.mainstay.server.forge.ForgeUnavailable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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

  private static final long LEAST_ROOM = 64 << 20;

  private WorkTree() {}

  /** Checks a commit of a copy out into an empty directory, with these tags. */
  static Git.Result checkOut(
      Git git, Duration limit, Path copy, String commit, Map<String, String> tags, Path directory) {
    try {
      Path own = make(directory, copy, commit, tags);
      return git.run(
          limit,
          List.of(
              "-c",
              "core.attributesFile=/dev/null",
              "read-tree",
              "--reset",
              "-u",
              "--no-recurse-submodules",
              commit),
          Map.of("GIT_DIR", own.toString(), "GIT_WORK_TREE", directory.toString()));
    } catch (IOException e) {
      throw new ForgeUnavailable("There is no room for a checkout in " + directory, e);
    }
  }

  /** A checkout that failed on a full disk says nothing about the files. */
  static void checkRoom(Path directory) {
    try {
      if (Files.getFileStore(directory).getUsableSpace() < LEAST_ROOM) {
        throw new ForgeUnavailable("There is no room for a checkout in " + directory);
      }
    } catch (IOException e) {
      throw new ForgeUnavailable("There is no room for a checkout in " + directory, e);
    }
  }

  /** Makes the git directory; the files are not there yet. */
  private static Path make(Path directory, Path copy, String commit, Map<String, String> tags)
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
