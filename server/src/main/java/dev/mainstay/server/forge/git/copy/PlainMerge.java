package dev.mainstay.server.forge.git.copy;

import dev.mainstay.server.forge.git.copy.Tree.Item;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Merges trees where there is nothing to decide, without a process. Whatever only one side changed
 * is taken from there. In directories that both sides changed, nothing may be changed by both, and
 * nothing gone: what is gone may have been renamed, and git looks for what the other side did to
 * it. Everything else is left to git.
 */
final class PlainMerge {
  private static final int MAX_TREE = 4 << 20;
  private static final int SHA_LENGTH = 40;
  private static final Set<String> MODES = Set.of("40000", "100644", "100755", "120000", "160000");

  private final BiFunction<String, Integer, Optional<byte[]>> read;
  private final Function<Tree, String> write;

  /** {@code read} finds a tree of at most so many bytes, {@code write} keeps one. */
  PlainMerge(BiFunction<String, Integer, Optional<byte[]>> read, Function<Tree, String> write) {
    this.read = read;
    this.write = write;
  }

  /** Something is to be decided: git is to be asked. */
  private static final class NotPlain extends Exception {
    NotPlain(String why) {
      super(why, null, false, false);
    }
  }

  /** The tree of both sides merged, given what they began from; empty where git is to be asked. */
  Optional<String> tree(String base, String ours, String theirs) {
    try {
      return base.length() == SHA_LENGTH
          ? Optional.of(
              merged(
                      Optional.of(Item.directory(base)),
                      Optional.of(Item.directory(ours)),
                      Optional.of(Item.directory(theirs)))
                  .sha())
          : Optional.empty();
    } catch (NotPlain e) {
      return Optional.empty();
    }
  }

  private Item merged(Optional<Item> base, Optional<Item> ours, Optional<Item> theirs)
      throws NotPlain {
    Item one = ours.orElseThrow(() -> new NotPlain("gone"));
    Item other = theirs.orElseThrow(() -> new NotPlain("gone"));
    if (base.filter(b -> b.isDirectory() != one.isDirectory()).isPresent()
        || one.isDirectory() != other.isDirectory()) {
      throw new NotPlain("a file became a directory");
    }
    if (base.equals(theirs)) {
      return one;
    }
    if (base.equals(ours)) {
      return other;
    }
    if (!one.isDirectory()) {
      throw new NotPlain("changed by both");
    }
    return Item.directory(write.apply(merged(tree(base), tree(ours), tree(theirs))));
  }

  private Tree merged(Tree base, Tree ours, Tree theirs) throws NotPlain {
    var names = new LinkedHashSet<>(base.items().keySet());
    names.addAll(ours.items().keySet());
    names.addAll(theirs.items().keySet());
    Map<String, Item> items = new LinkedHashMap<>();
    for (String name : names) {
      Optional<Item> before = item(base, name);
      Optional<Item> one = item(ours, name);
      Optional<Item> other = item(theirs, name);
      boolean isNew = before.isEmpty() && (one.isEmpty() || other.isEmpty());
      Item item = isNew ? one.or(() -> other).orElseThrow() : merged(before, one, other);
      if (!MODES.contains(item.mode())) {
        throw new NotPlain("a mode that git would change");
      }
      items.put(name, item);
    }
    return new Tree(items);
  }

  private static Optional<Item> item(Tree tree, String name) {
    return Optional.ofNullable(tree.items().get(name));
  }

  private Tree tree(Optional<Item> directory) throws NotPlain {
    if (directory.isEmpty()) {
      return new Tree(Map.of());
    }
    return read.apply(directory.get().sha(), MAX_TREE)
        .map(Tree::parse)
        .orElseThrow(() -> new NotPlain("too large"));
  }
}
