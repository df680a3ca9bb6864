package dev.mainstay.server.forge.git;

import dev.mainstay.server.forge.git.copy.GitCache;
import dev.mainstay.server.forge.git.copy.TreeChanges;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The change that one head makes: the trees before and after it. */
record OwnDiff(String before, String after) {
  /**
   * True where two make the same change: the same files with the same content, or, where others
   * changed those files too, the same lines.
   */
  boolean isSameAs(OwnDiff other, GitCache cache) {
    Optional<Map<String, TreeChanges.Change>> these = TreeChanges.of(cache, before, after);
    Optional<Map<String, TreeChanges.Change>> those =
        TreeChanges.of(cache, other.before, other.after);
    if (these.isEmpty() || those.isEmpty() || these.equals(those)) {
      return these.isPresent() && those.isPresent();
    }
    return these.get().keySet().equals(those.get().keySet())
        && lines(cache).isPresent()
        && lines(cache).equals(other.lines(cache));
  }

  /** The changed lines without their places; nothing where a file is not text. */
  private Optional<List<String>> lines(GitCache cache) {
    List<String> lines = TreeChanges.lines(cache, before, after);
    boolean binary = lines.stream().anyMatch(l -> l.startsWith("Binary files "));
    return binary
        ? Optional.empty()
        : Optional.of(
            lines.stream().filter(l -> !l.startsWith("@@") && !l.startsWith("index ")).toList());
  }
}
