package dev.mainstay.server.forge.git.copy;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a copy that is broken from a commit that nobody could work with. Where git fails on a
 * commit all of whose objects can be read and are what their names say, the fault is the commit's,
 * and another copy would not help. What git says about it is no proof: names of files are in it.
 */
final class Soundness {
  /** So many objects are looked at; what is beyond is believed to be in order. */
  private static final int MOST_OBJECTS = 500_000;

  /** Of what is larger, only that it is there. */
  private static final int MOST_BYTES = 32 << 20;

  private static final Logger log = LoggerFactory.getLogger(Soundness.class);

  private final ObjectReader objects;
  private final Set<String> seen = new HashSet<>();
  private final Deque<String> open = new ArrayDeque<>();

  private Soundness(ObjectReader objects) {
    this.objects = objects;
  }

  /** True where everything that these commits hold is here and whole. */
  static boolean of(ObjectReader objects, List<String> commits) {
    try {
      return commits.stream().allMatch(commit -> new Soundness(objects).isWhole(commit));
    } catch (CacheBroken e) {
      return false;
    }
  }

  private boolean isWhole(String commit) {
    Optional<byte[]> raw = objects.read(commit, "commit", MOST_BYTES);
    if (raw.filter(bytes -> LooseObjects.isNamed(commit, "commit", bytes)).isEmpty()) {
      return false;
    }
    put(Commit.parse(raw.get()).tree());
    while (!open.isEmpty()) {
      if (!isThere(open.pop())) {
        return false;
      }
    }
    return true;
  }

  private void put(String sha) {
    if (seen.size() < MOST_OBJECTS && seen.add(sha)) {
      open.push(sha);
    }
  }

  private boolean isThere(String sha) {
    Optional<ObjectReader.Found> found = objects.find(sha);
    if (found.isEmpty() || found.get().size() > MOST_BYTES) {
      return found.isPresent();
    }
    String type = found.get().type();
    Optional<byte[]> bytes = objects.read(sha, type, MOST_BYTES);
    if (bytes.filter(b -> LooseObjects.isNamed(sha, type, b)).isEmpty()) {
      return false;
    }
    if (type.equals("tree")) {
      inside(bytes.get());
    }
    return true;
  }

  private void inside(byte[] tree) {
    try {
      Tree.parse(tree).items().values().stream()
          .filter(item -> !item.isSubmodule())
          .forEach(item -> put(item.sha()));
    } catch (CacheBroken e) {
      log.debug("a tree is what its name says, and yet none", e);
    }
  }
}
