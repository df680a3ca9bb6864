package dev.mainstay.core.queue;

import dev.mainstay.core.code.PullRequestRef;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The entries of a queue, in the order they came. It never changes. */
public final class Entries implements Iterable<Entry> {
  private final Sorted arrived;
  private final Sorted numbered;
  private final Sorted pending;

  private Entries(Sorted arrived, Sorted numbered, Sorted pending) {
    this.arrived = arrived;
    this.numbered = numbered;
    this.pending = pending;
  }

  public static Entries of(Collection<Entry> entries) {
    return new Entries(
        Sorted.by(e -> e.id().number(), entries),
        Sorted.by(e -> e.pr().number(), entries),
        Sorted.by(Entries::turn, waiting(entries)));
  }

  private static boolean isPending(Entry entry) {
    return entry.is(PullRequestState.PENDING);
  }

  /** By priority, then first come. */
  private static long turn(Entry entry) {
    return ((long) entry.priority().value() << 48) + entry.id().number();
  }

  /** Everybody, in the order they came. */
  public List<Entry> values() {
    return arrived.values();
  }

  @Override
  public Iterator<Entry> iterator() {
    return values().iterator();
  }

  public Optional<Entry> find(PullRequestRef pr) {
    return numbered.find(pr.number());
  }

  public int size() {
    return values().size();
  }

  public boolean isEmpty() {
    return values().isEmpty();
  }

  /** Those that are PENDING: by priority, then first come. */
  public List<Entry> pending() {
    return pending.values();
  }

  /** The place of an entry among some that are in the order of {@link #pending}; or below 0. */
  public static int turn(List<Entry> pending, Entry entry) {
    return Collections.binarySearch(pending, entry, Comparator.comparingLong(Entries::turn));
  }

  /** With these changes; what is mapped to nothing is gone. */
  public Entries with(Map<PullRequestRef, Optional<Entry>> changes) {
    if (changes.isEmpty()) {
      return this;
    }
    var before = new ArrayList<Entry>(changes.size());
    var after = new ArrayList<Entry>(changes.size());
    var gone = new ArrayList<Entry>();
    changes.forEach(
        (pr, next) -> {
          Optional<Entry> known = find(pr);
          known.ifPresent(before::add);
          next.ifPresent(after::add);
          boolean stays = known.map(Entry::id).equals(next.map(Entry::id));
          known.filter(e -> !stays).ifPresent(gone::add);
        });
    return new Entries(
        arrived.with(gone, after),
        numbered.with(gone, after),
        pending.with(waiting(before), waiting(after)));
  }

  private static List<Entry> waiting(Collection<Entry> entries) {
    var waiting = new ArrayList<Entry>();
    for (Entry entry : entries) {
      if (isPending(entry)) {
        waiting.add(entry);
      }
    }
    return waiting;
  }

  @Override
  public boolean equals(Object other) {
    return this == other || (other instanceof Entries entries && arrived.isSame(entries.arrived));
  }

  @Override
  public int hashCode() {
    return values().hashCode();
  }

  @Override
  public String toString() {
    return values().toString();
  }
}
