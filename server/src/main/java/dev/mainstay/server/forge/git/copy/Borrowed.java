package dev.mainstay.server.forge.git.copy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A repository on this machine, whose objects are read where they are: to fetch from it is to ask
 * where its references are. A commit that it was never seen to point to is not taken for known,
 * though its object may still be lying there.
 */
final class Borrowed {
  private static final int MOST_SEEN = 200_000;

  private final Path objects;
  private final LocalReferences local;
  private final NavigableMap<String, String> references = new TreeMap<>();
  private final Set<String> seen = new LinkedHashSet<>();

  private Borrowed(Path objects, LocalReferences local) {
    this.objects = objects;
    this.local = local;
  }

  /** Lets the copy read the objects of a repository at this path, where that is possible. */
  static Optional<Borrowed> lend(GitAddress address, Path copy) throws IOException {
    Path list = copy.resolve("objects/info/alternates");
    Optional<Path> objects =
        address
            .path()
            .flatMap(
                path ->
                    Stream.of(path.resolve("objects"), path.resolve(".git/objects"))
                        .filter(Files::isDirectory)
                        .findFirst());
    if (objects.isEmpty()) {
      Files.deleteIfExists(list);
      return Optional.empty();
    }
    Files.createDirectories(copy.resolve("objects/info"));
    Files.writeString(list, objects.get() + "\n");
    Path repository = Optional.ofNullable(objects.get().getParent()).orElseThrow();
    return Optional.of(new Borrowed(objects.get(), new LocalReferences(repository)));
  }

  Path objects() {
    return objects;
  }

  /** The references of these names, by name; empty where git is to be asked. */
  Optional<Map<String, String>> list(List<String> patterns) {
    return local.list(patterns);
  }

  /** Remembers the answer to a question by these patterns. */
  synchronized void saw(List<String> patterns, Map<String, String> answer) {
    patterns.forEach(this::forget);
    references.putAll(answer);
    seen.addAll(answer.values());
    while (seen.size() > MOST_SEEN) {
      seen.remove(seen.iterator().next());
    }
  }

  private void forget(String pattern) {
    if (pattern.endsWith("*")) {
      String prefix = pattern.substring(0, pattern.length() - 1);
      String next = references.ceilingKey(prefix);
      while (next != null && next.startsWith(prefix)) {
        references.remove(next);
        next = references.higherKey(next);
      }
    } else {
      references.remove(pattern);
    }
  }

  synchronized Optional<String> reference(String name) {
    return Optional.ofNullable(references.get(name));
  }

  synchronized boolean hasSeen(String sha) {
    return seen.contains(sha);
  }
}
