package dev.mainstay.core.queue;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * Entries in the order of a number that each of them has and no two share. It never changes; one
 * that differs in a few is made by copying references, which costs next to nothing.
 */
final class Sorted {
  private static final int MANY = 64;

  private final ToLongFunction<Entry> key;
  private final Entry[] entries;

  private Sorted(ToLongFunction<Entry> key, Entry[] entries) {
    this.key = key;
    this.entries = entries;
  }

  static Sorted by(ToLongFunction<Entry> key, Collection<Entry> entries) {
    Entry[] sorted = entries.toArray(Entry[]::new);
    Arrays.sort(sorted, Comparator.comparingLong(key));
    return new Sorted(key, sorted);
  }

  List<Entry> values() {
    return Collections.unmodifiableList(Arrays.asList(entries));
  }

  Optional<Entry> find(long number) {
    int at = search(entries, entries.length, number);
    return at < 0 ? Optional.empty() : Optional.of(entries[at]);
  }

  /** Two that differ in how many they are cost nothing to compare. */
  boolean isSame(Sorted other) {
    return Arrays.equals(entries, other.entries);
  }

  /** Without these, and with those: one that is there already is replaced. */
  Sorted with(Collection<Entry> gone, Collection<Entry> come) {
    if (gone.isEmpty() && come.isEmpty()) {
      return this;
    }
    if (gone.size() + come.size() > MANY) {
      return rebuilt(gone, come);
    }
    Entry[] next = Arrays.copyOf(entries, entries.length + news(come));
    int size = entries.length;
    for (Entry entry : gone) {
      int at = search(next, size, key.applyAsLong(entry));
      System.arraycopy(next, at + 1, next, at, size - at - 1);
      size--;
    }
    for (Entry entry : come) {
      int at = search(next, size, key.applyAsLong(entry));
      if (at < 0) {
        at = -1 - at;
        System.arraycopy(next, at, next, at + 1, size - at);
        size++;
      }
      next[at] = entry;
    }
    return new Sorted(key, size == next.length ? next : Arrays.copyOf(next, size));
  }

  private int news(Collection<Entry> come) {
    int news = 0;
    for (Entry entry : come) {
      news += search(entries, entries.length, key.applyAsLong(entry)) < 0 ? 1 : 0;
    }
    return news;
  }

  private Sorted rebuilt(Collection<Entry> gone, Collection<Entry> come) {
    var left = new TreeMap<Long, Entry>();
    for (Entry entry : entries) {
      left.put(key.applyAsLong(entry), entry);
    }
    gone.forEach(e -> left.remove(key.applyAsLong(e)));
    come.forEach(e -> left.put(key.applyAsLong(e), e));
    return new Sorted(key, left.values().toArray(Entry[]::new));
  }

  /** The place of this number, or, below 0, where it would be: as {@link Arrays#binarySearch}. */
  private int search(Entry[] among, int size, long number) {
    int from = 0;
    int to = size - 1;
    while (from <= to) {
      int middle = (from + to) >>> 1;
      long there = key.applyAsLong(among[middle]);
      if (there == number) {
        return middle;
      }
      from = there < number ? middle + 1 : from;
      to = there > number ? middle - 1 : to;
    }
    return -1 - from;
  }
}
