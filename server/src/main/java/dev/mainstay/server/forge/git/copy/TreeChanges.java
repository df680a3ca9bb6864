package dev.mainstay.server.forge.git.copy;

import dev.mainstay.server.forge.git.copy.Tree.Item;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The difference between two trees: path by path without a process, or line by line. */
public final class TreeChanges {
  private static final int MAX_TREE = 16 << 20;
  private static final int MOST_PATHS = 20_000;

  /** A file of one tree and the same of the other, each with its mode; empty where it is not. */
  public record Change(String before, String after) {}

  private final GitCache cache;
  private final Map<String, Change> changes = new TreeMap<>();

  private TreeChanges(GitCache cache) {
    this.cache = cache;
  }

  /** The changes; nothing where there are too many, or a tree cannot be read. */
  public static Optional<Map<String, Change>> of(GitCache cache, String before, String after) {
    var reading = new TreeChanges(cache);
    return reading.compare("", Optional.of(before), Optional.of(after))
        ? Optional.of(reading.changes)
        : Optional.empty();
  }

  /** The lines that differ, as git shows them, without any around them: one process. */
  public static List<String> lines(GitCache cache, String before, String after) {
    var call = new ArrayList<>(List.of("diff-tree", "-r", "-p", "-U0", "--no-renames"));
    call.addAll(List.of("--no-ext-diff", "--no-textconv", before, after));
    return cache.must(call).text().lines().toList();
  }

  private boolean compare(String path, Optional<String> before, Optional<String> after) {
    if (before.equals(after)) {
      return true;
    }
    Optional<Map<String, Item>> old = items(before);
    Optional<Map<String, Item>> now = items(after);
    if (old.isEmpty() || now.isEmpty()) {
      return false;
    }
    var names = new TreeMap<String, Boolean>();
    old.get().keySet().forEach(n -> names.put(n, true));
    now.get().keySet().forEach(n -> names.put(n, true));
    for (String name : names.keySet()) {
      Optional<Item> a = Optional.ofNullable(old.get().get(name));
      Optional<Item> b = Optional.ofNullable(now.get().get(name));
      if (!a.equals(b) && !differ(path + name, a, b)) {
        return false;
      }
    }
    return true;
  }

  private boolean differ(String path, Optional<Item> before, Optional<Item> after) {
    Optional<Item> oldFile = before.filter(i -> !i.isDirectory());
    Optional<Item> newFile = after.filter(i -> !i.isDirectory());
    if (oldFile.isPresent() || newFile.isPresent()) {
      changes.put(
          path, new Change(oldFile.map(Item::text).orElse(""), newFile.map(Item::text).orElse("")));
    }
    Optional<String> oldTree = before.filter(Item::isDirectory).map(Item::sha);
    Optional<String> newTree = after.filter(Item::isDirectory).map(Item::sha);
    return changes.size() <= MOST_PATHS && compare(path + "/", oldTree, newTree);
  }

  private Optional<Map<String, Item>> items(Optional<String> tree) {
    return tree.isEmpty()
        ? Optional.of(Map.of())
        : cache.tree(tree.get(), MAX_TREE).map(raw -> Tree.parse(raw).items());
  }
}
