package dev.mainstay.server.forge;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How far this node goes for a repository, as its operator says: below which directories others may
 * connect repositories of its own disk, which networks it asks, and whether hooks of repositories
 * on its disk run, which they do with its rights.
 */
public record Reach(List<Path> roots, Networks networks, boolean hooks) {
  public Reach {
    roots = List.copyOf(roots);
  }

  /** No directory, all networks but those that are never asked, no hooks. */
  public static Reach usual() {
    return new Reach(List.of(), Networks.usual(), false);
  }

  /** Directories from the root, with colons between them; else an IllegalArgumentException. */
  public static List<Path> directories(String list) {
    List<Path> found = Stream.of(list.split(":", -1)).map(Path::of).toList();
    if (!found.stream().allMatch(Path::isAbsolute)) {
      throw new IllegalArgumentException("not from the root: " + list);
    }
    return found;
  }

  /** The fault of a location for somebody who is not the operator; empty where it has none. */
  public Optional<String> fault(String location) {
    if (!isLocal(location) || isBelowRoots(location)) {
      return Optional.empty();
    }
    return Optional.of(
        roots.isEmpty()
            ? "The address is a path on the server's disk: whoever runs the server names directories of repositories by MAINSTAY_GIT_ROOTS, or connects it there by `mainstay repo connect`."
            : "The address is no directory below the server's MAINSTAY_GIT_ROOTS: use one of these, or have whoever runs the server connect it there by `mainstay repo connect`.");
  }

  /** A word about a connection by a path that others could not make. */
  public Optional<Finding> advice(String location) {
    return fault(location)
        .map(
            fault ->
                Finding.advice(
                    "The repository is a path on the server's disk, below none of MAINSTAY_GIT_ROOTS.",
                    "Good where whoever runs the server connected it; else connect it by another address."));
  }

  private static boolean isLocal(String location) {
    return location.startsWith("/") || location.startsWith("file:");
  }

  /** Links and dots are resolved; git would decode what is encoded in a file address. */
  private boolean isBelowRoots(String location) {
    if (location.startsWith("file:") && location.contains("%")) {
      return false;
    }
    try {
      Path real = Path.of(location.replaceFirst("^file://", "")).toRealPath();
      return roots.stream().anyMatch(root -> isBelow(root, real));
    } catch (IOException | InvalidPathException e) {
      return false;
    }
  }

  private static boolean isBelow(Path root, Path real) {
    try {
      Path top = root.toRealPath();
      return real.startsWith(top) && !real.equals(top);
    } catch (IOException e) {
      return false;
    }
  }
}
