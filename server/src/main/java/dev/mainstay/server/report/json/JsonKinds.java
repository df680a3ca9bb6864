package dev.mainstay.server.report.json;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Kinds of JSON, each told by several sets of keys of which it has at least one. */
final class JsonKinds<T> {
  private final List<T> kinds = new ArrayList<>();
  private final List<Integer> wanted = new ArrayList<>();
  private final Map<String, List<Clue>> clues = new HashMap<>();
  private final Set<String> keysWithMore = new HashSet<>();

  /** A key that is of one of the sets of a kind. */
  private record Clue(int kind, int bit) {}

  /** Adds a kind; one that can be told in two ways is added twice. */
  @SafeVarargs
  final JsonKinds<T> add(T kind, Set<String>... sets) {
    for (int i = 0; i < sets.length; i++) {
      for (String key : sets[i]) {
        int end = Math.max(key.indexOf('.'), key.indexOf('='));
        if (end > 0) {
          keysWithMore.add(key.substring(0, end));
        }
        clues.computeIfAbsent(key, k -> new ArrayList<>()).add(new Clue(kinds.size(), 1 << i));
      }
    }
    kinds.add(kind);
    wanted.add((1 << sets.length) - 1);
    return this;
  }

  Seen nothingSeen() {
    return new Seen();
  }

  /** What was seen of a value. */
  final class Seen {
    private final int[] bits = new int[kinds.size()];

    /** True where the text of a key, or a key below it, may tell something. */
    boolean looksInto(String key) {
      return keysWithMore.contains(key);
    }

    /** Sees a key; the kind that it completes, the first of several. */
    Optional<T> add(String key) {
      for (Clue clue : clues.getOrDefault(key, List.of())) {
        bits[clue.kind()] |= clue.bit();
        if (bits[clue.kind()] == wanted.get(clue.kind())) {
          return Optional.of(kinds.get(clue.kind()));
        }
      }
      return Optional.empty();
    }
  }
}
