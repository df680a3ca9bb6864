package dev.mainstay.core.queue;

import dev.mainstay.core.code.PullRequestRef;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The entries of a queue, in the order they came. It never changes; one that differs in a few is
 * made from it by copying references. It knows which entries a rule has not looked at as they are
 * now, so that an event costs what it changes and not what is open. That knowledge saves time and
 * decides nothing: without it, everybody is looked at.
 */
public final class Entries implements Iterable<Entry> {
  private static final Comparator<Entry> ARRIVAL = Entries::byArrival;
  private static final Comparator<Entry> TURN = Entries::byTurn;

  private static final int MANY = 16;

  /** The rules that need not look again at an entry unless it or the conditions have changed. */
  public enum Rule {
    LEAVING,
    LETTING_IN
  }

  /**
   * The entries that have changed since a rule looked at all, and the conditions it looked under.
   */
  private record Unseen(Conditions under, Set<PullRequestRef> changed) {
    Unseen and(Collection<PullRequestRef> more) {
      var all = new HashSet<>(changed);
      all.addAll(more);
      return new Unseen(under, all);
    }
  }

  private final Entry[] inOrder;
  private final Entry[] byNumber;
  private final Entry[] pending;
  private final Map<Rule, Unseen> unseen;

  private Entries(Entry[] inOrder, Entry[] byNumber, Entry[] pending, Map<Rule, Unseen> unseen) {
    this.inOrder = inOrder;
    this.byNumber = byNumber;
    this.pending = pending;
    this.unseen = unseen;
  }

  private static int byArrival(Entry one, Entry other) {
    return Long.compare(one.id().number(), other.id().number());
  }

  private static int byTurn(Entry one, Entry other) {
    int priority = Integer.compare(one.priority().value(), other.priority().value());
    return priority != 0 ? priority : byArrival(one, other);
  }

  public static Entries of(Collection<Entry> entries) {
    Entry[] inOrder = entries.toArray(Entry[]::new);
    Arrays.sort(inOrder, ARRIVAL);
    return of(inOrder, Map.of());
  }

  private static Entries of(Entry[] inOrder, Map<Rule, Unseen> unseen) {
    var byNumber = new Entry[Integer.highestOneBit(inOrder.length + 1) * 4];
    for (Entry entry : inOrder) {
      byNumber[place(byNumber, entry.pr())] = entry;
    }
    return new Entries(inOrder, byNumber, pending(inOrder), unseen);
  }

  private static Entry[] pending(Entry[] all) {
    return Arrays.stream(all).filter(Entries::isPending).sorted(TURN).toArray(Entry[]::new);
  }

  private static boolean isPending(Entry entry) {
    return entry.is(PullRequestState.PENDING);
  }

  /** The place in the table where this pull request is, or would be. */
  private static int place(Entry[] byNumber, PullRequestRef pr) {
    int mask = byNumber.length - 1;
    int place = ((pr.number() * 0x9E3779B9) >>> 7) & mask;
    while (byNumber[place] != null && byNumber[place].pr().number() != pr.number()) {
      place = (place + 1) & mask;
    }
    return place;
  }

  /** Everybody, in the order they came. */
  public List<Entry> values() {
    return Collections.unmodifiableList(Arrays.asList(inOrder));
  }

  @Override
  public Iterator<Entry> iterator() {
    return values().iterator();
  }

  public Optional<Entry> find(PullRequestRef pr) {
    return Optional.ofNullable(byNumber[place(byNumber, pr)]);
  }

  public int size() {
    return inOrder.length;
  }

  public boolean isEmpty() {
    return inOrder.length == 0;
  }

  /** Those that are PENDING: by priority, then first come. */
  public List<Entry> pending() {
    return Collections.unmodifiableList(Arrays.asList(pending));
  }

  /**
   * The place of an entry among those that are PENDING, in the order of {@link #pending}; or below
   * 0.
   */
  public static int turn(List<Entry> pending, Entry entry) {
    return Collections.binarySearch(pending, entry, TURN);
  }

  /**
   * The place of an entry, or, below 0, where it would be: as {@link Arrays#binarySearch} tells it.
   */
  private static int turn(Entry[] pending, Entry entry) {
    int from = 0;
    int to = pending.length - 1;
    while (from <= to) {
      int middle = (from + to) >>> 1;
      int order = byTurn(pending[middle], entry);
      if (order == 0) {
        return middle;
      }
      from = order < 0 ? middle + 1 : from;
      to = order > 0 ? middle - 1 : to;
    }
    return -1 - from;
  }

  /** With these changes; what is mapped to nothing is gone. */
  public Entries with(Map<PullRequestRef, Optional<Entry>> changes) {
    if (changes.isEmpty()) {
      return this;
    }
    var since = new EnumMap<Rule, Unseen>(Rule.class);
    unseen.forEach((rule, known) -> since.put(rule, known.and(changes.keySet())));
    return changes.values().stream().allMatch(e -> e.filter(this::replaces).isPresent())
        ? replaced(changes.values(), since)
        : rebuilt(changes, since);
  }

  private boolean replaces(Entry entry) {
    return find(entry.pr()).filter(e -> e.id().equals(entry.id())).isPresent();
  }

  private Entries replaced(Collection<Optional<Entry>> changes, Map<Rule, Unseen> since) {
    Entry[] list = inOrder.clone();
    Entry[] table = byNumber.clone();
    Entry[] turns = pending;
    boolean many = changes.size() > MANY;
    for (Optional<Entry> change : changes) {
      Entry next = change.orElseThrow();
      int place = place(table, next.pr());
      turns = many ? turns : turned(turns, table[place], next);
      table[place] = next;
      list[arrival(list, next.id().number())] = next;
    }
    return new Entries(list, table, many ? pending(list) : turns, since);
  }

  /** The place of the entry of this number. */
  private static int arrival(Entry[] list, long number) {
    int from = 0;
    int to = list.length - 1;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (list[middle].id().number() < number) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  /** Those that are pending, with one instead of another. */
  private static Entry[] turned(Entry[] pending, Entry old, Entry next) {
    Entry[] left = pending;
    if (isPending(old)) {
      int at = turn(left, old);
      left = Arrays.copyOf(pending, pending.length - 1);
      System.arraycopy(pending, at + 1, left, at, left.length - at);
    }
    if (!isPending(next)) {
      return left;
    }
    int at = -1 - turn(left, next);
    Entry[] more = Arrays.copyOf(left, left.length + 1);
    System.arraycopy(left, at, more, at + 1, left.length - at);
    more[at] = next;
    return more;
  }

  private Entries rebuilt(Map<PullRequestRef, Optional<Entry>> changes, Map<Rule, Unseen> since) {
    var left = new HashMap<PullRequestRef, Entry>();
    for (Entry entry : inOrder) {
      left.put(entry.pr(), entry);
    }
    changes.forEach(
        (pr, entry) -> entry.ifPresentOrElse(e -> left.put(pr, e), () -> left.remove(pr)));
    Entry[] list = left.values().toArray(Entry[]::new);
    Arrays.sort(list, ARRIVAL);
    return of(list, since);
  }

  /** Those the rule must look at, in the order they came. */
  public List<Entry> unseenBy(Rule rule, Conditions conditions) {
    Optional<Unseen> known =
        Optional.ofNullable(unseen.get(rule)).filter(u -> u.under().equals(conditions));
    if (known.isEmpty()) {
      return values();
    }
    return known.get().changed().stream().flatMap(pr -> find(pr).stream()).sorted(ARRIVAL).toList();
  }

  /** The rule has looked at everybody but these. */
  public Entries seenBy(Rule rule, Conditions conditions, Set<PullRequestRef> but) {
    var next = new Unseen(conditions, but);
    if (next.equals(unseen.get(rule))) {
      return this;
    }
    var since = new EnumMap<Rule, Unseen>(Rule.class);
    since.putAll(unseen);
    since.put(rule, next);
    return new Entries(inOrder, byNumber, pending, since);
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof Entries entries && Arrays.equals(inOrder, entries.inOrder));
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(inOrder);
  }

  @Override
  public String toString() {
    return Objects.toString(values());
  }
}
