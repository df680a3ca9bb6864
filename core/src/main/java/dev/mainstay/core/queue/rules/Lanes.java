package dev.mainstay.core.queue.rules;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Admission;
import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.GroupId;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.queue.QueueSettings.Mode;
import dev.mainstay.core.queue.QueueState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The groups that a group stands on. In single mode a group stands on all ahead of it; in parallel
 * mode on those ahead whose targets meet its own, and on what those stand on. ALL meets everything,
 * an empty list nothing, not even ALL. Nobody stands on a group that stands aside.
 *
 * <p>Only the nearest groups below are kept for each: the last one ahead for each target. All
 * others are below those, so that linking a line costs no more than reading its targets once.
 */
final class Lanes {
  private final Mode mode;
  private final Function<PullRequestRef, Entry> entries;
  private final Map<String, GroupId> lastFor = new HashMap<>();
  private final Set<GroupId> sinceAll = new LinkedHashSet<>();
  private Optional<GroupId> lastAll = Optional.empty();

  private Lanes(Mode mode, Function<PullRequestRef, Entry> entries) {
    this.mode = mode;
    this.entries = entries;
  }

  /** The same groups, each knowing what it stands on. */
  static List<Group> link(
      Collection<Group> line, Mode mode, Function<PullRequestRef, Entry> entries) {
    var lanes = new Lanes(mode, entries);
    var linked = new ArrayList<Group>(line.size());
    for (Group group : line) {
      linked.add(group.on(lanes.below(group.members())));
      lanes.append(group);
    }
    return linked;
  }

  /** All lanes of the line as it is, to ask what a newcomer would stand on. */
  static Lanes of(QueueState state) {
    var lanes = new Lanes(state.settings().mode(), state::member);
    state.line().forEach(lanes::append);
    return lanes;
  }

  /** The groups that one of these members would stand on directly, at the end of the line. */
  List<GroupId> below(List<Change> members) {
    if (touchesAll(members)) {
      return List.copyOf(sinceAll);
    }
    var below = new LinkedHashSet<GroupId>();
    for (Change member : members) {
      for (String name : targets(member).names()) {
        GroupId last = lastFor.get(name);
        if (last == null) {
          lastAll.ifPresent(below::add);
        } else {
          below.add(last);
        }
      }
    }
    return List.copyOf(below);
  }

  /** Nobody stands on a group that stands aside. */
  private void append(Group group) {
    if (!group.aside()) {
      append(group.id(), group.members());
    }
  }

  private void append(GroupId id, List<Change> members) {
    if (touchesAll(members)) {
      lastFor.clear();
      sinceAll.clear();
      sinceAll.add(id);
      lastAll = Optional.of(id);
      return;
    }
    for (Change member : members) {
      for (String name : targets(member).names()) {
        lastFor.put(name, id);
        sinceAll.add(id);
      }
    }
  }

  private boolean touchesAll(List<Change> members) {
    if (mode == Mode.SINGLE) {
      return true;
    }
    for (Change member : members) {
      if (targets(member).all()) {
        return true;
      }
    }
    return false;
  }

  private ImpactedTargets targets(Change member) {
    return targets(member, entries);
  }

  private static ImpactedTargets targets(Change member, Function<PullRequestRef, Entry> entries) {
    Optional<Admission> admission = entries.apply(member.pr()).admission();
    boolean known = admission.isPresent() && admission.get().head().equals(member.head());
    return known ? admission.get().targets() : ImpactedTargets.ALL;
  }

  /** The groups that stand on any of these, directly or not. */
  static Set<GroupId> above(Collection<Group> line, Set<GroupId> these) {
    var touched = new HashSet<>(these);
    var above = new HashSet<GroupId>();
    for (Group group : line) {
      if (group.standsOn().stream().anyMatch(touched::contains)) {
        touched.add(group.id());
        above.add(group.id());
      }
    }
    return above;
  }

  /**
   * The groups to be tested anew once one of these is no longer where it was: they stand on it, and
   * their test branch holds it, or is not there yet.
   */
  static Set<GroupId> shaken(Collection<Group> line, Set<GroupId> these) {
    Set<PullRequestRef> prs =
        line.stream()
            .filter(g -> these.contains(g.id()))
            .flatMap(g -> g.pullRequests().stream())
            .collect(Collectors.toSet());
    Set<GroupId> shaken = above(line, these);
    line.stream()
        .filter(g -> g.run().filter(r -> !r.standsOn(prs)).isPresent())
        .forEach(g -> shaken.remove(g.id()));
    return shaken;
  }

  static List<Change> changes(List<Group> groups) {
    var changes = new ArrayList<Change>();
    groups.forEach(g -> changes.addAll(g.members()));
    return changes;
  }

  /** The groups that a test branch of this one holds below it, in the order of the line. */
  static List<Group> held(
      List<Group> line,
      Group group,
      QueueSettings settings,
      Function<PullRequestRef, Entry> entries) {
    List<Group> below = below(line, group);
    if (below.isEmpty() || !settings.takesOnlyWhatItMeets()) {
      return below;
    }
    ImpactedTargets own = targets(group, entries);
    return below.stream().filter(g -> targets(g, entries).meets(own)).toList();
  }

  /** What any of its members touches. */
  static ImpactedTargets targets(Group group, Function<PullRequestRef, Entry> entries) {
    return group.members().stream()
        .map(m -> targets(m, entries))
        .reduce(ImpactedTargets::and)
        .orElse(ImpactedTargets.NONE);
  }

  /** The groups that this one stands on, directly or not, in the order of the line. */
  static List<Group> below(List<Group> line, Group group) {
    if (group.standsOn().isEmpty()) {
      return List.of();
    }
    var wanted = new HashSet<>(group.standsOn());
    var below = new ArrayList<Group>();
    for (Group candidate : line.reversed()) {
      if (wanted.contains(candidate.id())) {
        wanted.addAll(candidate.standsOn());
        below.add(candidate);
      }
    }
    return below.reversed();
  }
}
