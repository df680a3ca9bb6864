package dev.mainstay.server.report.json;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Kinds of JSON, each told by several sets of keys of which it has at least one. */
final class JsonKinds<T> {
  private final List<T> kinds = new ArrayList<>();
  private final Map<String, Key> keys = new HashMap<>();

  /** A key that is of one of the sets of a kind. */
  private record Clue(int kind, int bit, int wanted) {}

  /** What a key tells; {@code hasMore} where its text, or a key below it, may tell something. */
  private static final class Key {
    static final Key OTHER = new Key();

    final List<Clue> clues = new ArrayList<>();
    boolean hasMore;
  }

  /** Adds a kind; one that can be told in two ways is added twice. */
  @SafeVarargs
  final JsonKinds<T> add(T kind, Set<String>... sets) {
    for (int i = 0; i < sets.length; i++) {
      for (String key : sets[i]) {
        int end = Math.max(key.indexOf('.'), key.indexOf('='));
        if (end > 0) {
          key(key.substring(0, end)).hasMore = true;
        }
        key(key).clues.add(new Clue(kinds.size(), 1 << i, (1 << sets.length) - 1));
      }
    }
    kinds.add(kind);
    return this;
  }

  private Key key(String name) {
    return keys.computeIfAbsent(name, n -> new Key());
  }

  Seen nothingSeen() {
    return new Seen();
  }

  /** What was seen of a value. */
  final class Seen {
    private final int[] bits = new int[kinds.size()];

    private boolean hasMore;

    /** True where the text of the key that was seen, or a key below it, may tell something. */
    boolean hasMore() {
      return hasMore;
    }

    /** Sees a key; the kind that it completes, the first of several. */
    Optional<T> add(String name) {
      Key key = keys.getOrDefault(name, Key.OTHER);
      hasMore = key.hasMore;
      for (int i = 0; i < key.clues.size(); i++) {
        Clue clue = key.clues.get(i);
        bits[clue.kind()] |= clue.bit();
        if (bits[clue.kind()] == clue.wanted()) {
          return Optional.of(kinds.get(clue.kind()));
        }
      }
      return Optional.empty();
    }
  }
}
