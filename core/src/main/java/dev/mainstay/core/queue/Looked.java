package dev.mainstay.core.queue;

import dev.mainstay.core.code.PullRequestRef;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The entries that rules have looked at, so that an event costs what it changes and not what is
 * open. This saves time and decides nothing: without it, everybody is looked at. So all of these
 * are equal, and a state is the same whatever was looked at.
 */
public final class Looked {
  /** Nobody was looked at. */
  public static final Looked AT_NOBODY = new Looked(Map.of());

  /** The rules that need not look again at an entry unless it or the conditions have changed. */
  public enum Rule {
    LEAVING,
    LETTING_IN
  }

  /**
   * The entries that have changed since a rule looked at all, and the conditions it looked under.
   */
  private record Unseen(Conditions under, Set<PullRequestRef> changed) {
    boolean is(Conditions conditions, Set<PullRequestRef> but) {
      return under.equals(conditions) && changed.equals(but);
    }

    Unseen and(Collection<PullRequestRef> more) {
      var all = new HashSet<>(changed);
      all.addAll(more);
      return new Unseen(under, all);
    }
  }

  private final Map<Rule, Unseen> unseen;

  private Looked(Map<Rule, Unseen> unseen) {
    this.unseen = unseen;
  }

  /** Those the rule must look at, in the order they came. */
  public List<Entry> unseenBy(Rule rule, Conditions conditions, Entries entries) {
    Optional<Unseen> known =
        Optional.ofNullable(unseen.get(rule)).filter(u -> u.under().equals(conditions));
    if (known.isEmpty()) {
      return entries.values();
    }
    var changed = new ArrayList<Entry>();
    for (PullRequestRef pr : known.get().changed()) {
      entries.find(pr).ifPresent(changed::add);
    }
    changed.sort(Comparator.comparingLong(e -> e.id().number()));
    return changed;
  }

  /** The rule has looked at everybody but these. */
  public Looked seenBy(Rule rule, Conditions conditions, Set<PullRequestRef> but) {
    Unseen known = unseen.get(rule);
    if (known != null && known.is(conditions, but)) {
      return this;
    }
    var since = new EnumMap<Rule, Unseen>(Rule.class);
    since.putAll(unseen);
    since.put(rule, new Unseen(conditions, but));
    return new Looked(since);
  }

  /** These have changed since. */
  public Looked without(Set<PullRequestRef> changed) {
    if (changed.isEmpty()) {
      return this;
    }
    var since = new EnumMap<Rule, Unseen>(Rule.class);
    unseen.forEach((rule, known) -> since.put(rule, known.and(changed)));
    return new Looked(since);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Looked;
  }

  @Override
  public int hashCode() {
    return 0;
  }
}
