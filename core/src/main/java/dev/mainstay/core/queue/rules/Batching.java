package dev.mainstay.core.queue.rules;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Admission;
import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.GroupId;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.queue.QueueSettings.Sizing;
import dev.mainstay.core.queue.QueueState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Forms the groups that are tested as one. Without batching, one pull request is a group. With it,
 * a group takes up to the target size of those who wait, in their order, and is closed when it is
 * full or when its oldest member has waited the longest wait; where the queue finds the size by
 * itself, it goes as soon as a slot is free. In parallel mode only those whose targets meet are
 * grouped. Urgent, noBatch and who touches nothing are groups of their own; who came out of a
 * bisection together is a group again.
 */
final class Batching {
  private final QueueSettings settings;
  private final int size;
  private final List<Forming> groups = new ArrayList<>();
  private final Map<GroupId, Forming> companions = new HashMap<>();

  /** Those with a target, in the order in which they came to have it. */
  private final Map<String, List<Forming>> openFor = new HashMap<>();

  private Optional<Forming> openForAll = Optional.empty();
  private int firstOpen;

  private Batching(QueueSettings settings, int size) {
    this.settings = settings;
    this.size = size;
  }

  /**
   * The entries that wait, in groups, in the order in which they go. Closed groups can go at once.
   */
  static List<Forming> form(QueueState state) {
    return form(state, Integer.MAX_VALUE);
  }

  /** The same, as far as needed to know the first few. */
  static List<Forming> form(QueueState state, long enough) {
    var batching = new Batching(state.settings(), InForce.groupSize(state));
    for (Entry entry : state.waiting()) {
      if (batching.isSettled() && batching.groups.size() >= enough) {
        break;
      }
      batching.add(entry);
    }
    return batching.groups;
  }

  /** Nobody who comes later can still join one of these groups. */
  private boolean isSettled() {
    return companions.isEmpty() && firstOpen().isEmpty();
  }

  private void add(Entry entry) {
    if (entry.priority().isUrgent()) {
      open(entry).closed = true;
    } else if (entry.companions().isPresent()) {
      addToCompanions(entry, entry.companions().get());
    } else if (!settings.batch() || entry.noBatch() || touchesNothing(entry)) {
      open(entry).closed = true;
    } else {
      addToOpen(entry);
    }
  }

  private boolean touchesNothing(Entry entry) {
    return settings.isParallel() && targets(entry).isEmpty();
  }

  private void addToCompanions(Entry entry, GroupId id) {
    Forming known = companions.get(id);
    if (known == null) {
      known = open(entry);
      known.closed = true;
      companions.put(id, known);
    } else {
      known.members.add(entry);
    }
  }

  private void addToOpen(Entry entry) {
    Optional<Forming> found = openGroup(entry);
    found.ifPresent(group -> group.members.add(entry));
    Forming group = found.orElseGet(() -> open(entry));
    group.closed = group.members.size() >= size;
    claim(group, entry);
  }

  private Forming open(Entry entry) {
    var group = new Forming(groups.size());
    group.members.add(entry);
    groups.add(group);
    return group;
  }

  /** The first group with room whose targets meet those of this one. */
  private Optional<Forming> openGroup(Entry entry) {
    ImpactedTargets targets = targets(entry);
    if (targets.all()) {
      return firstOpen();
    }
    Optional<Forming> first = openForAll.filter(g -> !g.closed);
    for (String name : targets.names()) {
      Optional<Forming> known = firstToClaim(name);
      if (known.isPresent() && first.filter(f -> f.place < known.get().place).isEmpty()) {
        first = known;
      }
    }
    return first;
  }

  private Optional<Forming> firstToClaim(String target) {
    for (Forming group : openFor.getOrDefault(target, List.of())) {
      if (!group.closed) {
        return Optional.of(group);
      }
    }
    return Optional.empty();
  }

  private Optional<Forming> firstOpen() {
    while (firstOpen < groups.size() && groups.get(firstOpen).closed) {
      firstOpen++;
    }
    return firstOpen < groups.size() ? Optional.of(groups.get(firstOpen)) : Optional.empty();
  }

  private void claim(Forming group, Entry entry) {
    ImpactedTargets targets = targets(entry);
    if (targets.all() && openForAll.filter(g -> !g.closed).isEmpty()) {
      openForAll = Optional.of(group);
    }
    for (String name : targets.names()) {
      List<Forming> claiming = openFor.computeIfAbsent(name, n -> new ArrayList<>());
      if (!claiming.contains(group)) {
        claiming.removeIf(g -> g.closed);
        claiming.add(group);
      }
    }
  }

  private ImpactedTargets targets(Entry entry) {
    return settings.isParallel()
        ? entry.knownTargets().orElse(ImpactedTargets.ALL)
        : ImpactedTargets.ALL;
  }

  /** A group in the making. */
  static final class Forming {
    private final int place;
    private final List<Entry> members = new ArrayList<>();
    private boolean closed;

    private Forming(int place) {
      this.place = place;
    }

    PullRequestRef first() {
      return members.getFirst().pr();
    }

    List<Change> members() {
      return members.stream().map(e -> new Change(e.pr(), e.admittedHead().orElseThrow())).toList();
    }

    /**
     * The time at which the group can go: now, or when its oldest member has waited long enough.
     */
    Instant goesAt(QueueSettings settings) {
      if (closed || settings.batchSizing() == Sizing.AUTO) {
        return Instant.MIN;
      }
      var wait = Duration.ofMinutes(settings.batchingMaxWaitTimeMinutes());
      return members.stream()
          .flatMap(e -> e.admission().stream())
          .map(Admission::since)
          .min(Instant::compareTo)
          .orElseThrow()
          .plus(wait);
    }
  }
}
