package dev.mainstay.core.queue.rules;

import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.GroupId;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Reason;
import dev.mainstay.core.queue.ReasonCode;
import dev.mainstay.core.queue.Step;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Urgent is tested at once. It goes behind the last urgent one of the line and before everything
 * else that is still under test; what is proven and only waits to merge stays ahead. What then
 * stands on it restarts. If no slot is free, the last one under test loses its slot.
 */
final class Interruption {
  private Interruption() {}

  static Step letUrgentPass(QueueState state, Instant now) {
    var next = new NextState(state, now);
    if (state.lifecycle().moves()) {
      List<Entry> urgent = urgent(next, state);
      if (!urgent.isEmpty()) {
        Set<GroupId> inserted = insert(next, state, urgent);
        restart(next, holdingOneOf(next, inserted));
      }
      freeSlots(next);
    }
    return next.done();
  }

  /** Those for whom there is room; mostly there are none, and that is known at once. */
  private static List<Entry> urgent(NextState next, QueueState state) {
    List<Entry> waiting = state.waiting();
    if (waiting.isEmpty() || !waiting.getFirst().priority().isUrgent()) {
      return List.of();
    }
    List<Entry> urgent = waiting.stream().takeWhile(e -> e.priority().isUrgent()).toList();
    return urgent.isEmpty() ? urgent : urgent.stream().limit(room(next, state)).toList();
  }

  /** Urgent does not interrupt urgent. */
  private static long room(NextState next, QueueState state) {
    Stream<Group> testing = state.line().stream().filter(Group::isTesting);
    long busy = testing.filter(g -> isUrgent(next, g)).count() + urgentWanting(next);
    return Math.max(0, state.settings().concurrency() - busy);
  }

  private static Set<GroupId> insert(NextState next, QueueState state, List<Entry> urgent) {
    Set<GroupId> settled = settled(state);
    var line =
        new ArrayList<>(state.line().stream().filter(g -> settled.contains(g.id())).toList());
    List<Group> rest = state.line().stream().filter(g -> !settled.contains(g.id())).toList();
    int behind = upToLastUrgent(next, rest);
    line.addAll(rest.subList(0, behind));
    var inserted = new HashSet<GroupId>();
    for (Entry entry : urgent) {
      Group group = group(next, entry);
      inserted.add(group.id());
      line.add(group);
    }
    line.addAll(rest.subList(behind, rest.size()));
    next.relink(line);
    return inserted;
  }

  private static int upToLastUrgent(NextState next, List<Group> groups) {
    int size = groups.size();
    while (size > 0 && !isUrgent(next, groups.get(size - 1))) {
      size--;
    }
    return size;
  }

  private static Group group(NextState next, Entry entry) {
    var why = new Reason(ReasonCode.SLOT_FREE, "It is urgent and tested at once.");
    var change = new Change(entry.pr(), entry.admittedHead().orElseThrow());
    return Group.of(new GroupId(next.nextId()), List.of(change), why);
  }

  /**
   * The groups that are being merged or will be as soon as their turn comes, whatever else happens;
   * one that is being overtaken is proven by that.
   */
  private static Set<GroupId> settled(QueueState state) {
    Set<GroupId> provenByOthers = Proof.byOthers(state.line(), state.settings(), state.landing());
    var settled = new HashSet<GroupId>();
    for (Group group : state.line()) {
      boolean proven = group.passed() || provenByOthers.contains(group.id());
      if (state.isLanding(group.id())) {
        settled.addAll(group.standsOn());
      }
      if (state.isLanding(group.id()) || (proven && settled.containsAll(group.standsOn()))) {
        settled.add(group.id());
      }
    }
    return settled;
  }

  /** The groups whose test branch would hold one of these. */
  private static Set<GroupId> holdingOneOf(NextState next, Set<GroupId> inserted) {
    List<Group> line = next.line();
    Set<GroupId> above = Lanes.above(line, inserted);
    line.stream()
        .filter(g -> above.contains(g.id()))
        .filter(g -> next.held(g).stream().noneMatch(h -> inserted.contains(h.id())))
        .forEach(g -> above.remove(g.id()));
    return above;
  }

  private static void restart(NextState next, Set<GroupId> these) {
    for (Group group : next.line()) {
      if (these.contains(group.id()) && !group.needsRun()) {
        next.retest(group, interrupted(), false);
      }
    }
  }

  private static void freeSlots(NextState next) {
    long needed = urgentWanting(next);
    if (needed == 0) {
      return;
    }
    long busy = next.line().stream().filter(Group::isTesting).count();
    long surplus = busy + needed - next.settings.concurrency();
    for (Group group : next.line().reversed()) {
      if (surplus > 0 && group.isTesting() && mayBeInterrupted(next, group)) {
        next.retest(group, interrupted(), false);
        restart(next, Lanes.shaken(next.line(), Set.of(group.id())));
        surplus--;
      }
    }
  }

  private static long urgentWanting(NextState next) {
    return Proof.wanting(next.line(), next.settings, next.landing).stream()
        .filter(g -> goesAtOnce(next, g))
        .count();
  }

  /** One that had to rest was tested at once, in vain: it waits for a free slot, as others do. */
  static boolean goesAtOnce(NextState next, Group group) {
    return group.notBefore().isEmpty() && isUrgent(next, group);
  }

  static boolean isUrgent(NextState next, Group group) {
    for (Change member : group.members()) {
      if (next.member(member.pr()).priority().isUrgent()) {
        return true;
      }
    }
    return false;
  }

  private static boolean mayBeInterrupted(NextState next, Group group) {
    return !next.isLanding(group) && !isUrgent(next, group);
  }

  private static Reason interrupted() {
    String sentence = "An urgent pull request is tested first.";
    return new Reason(ReasonCode.INTERRUPTED_BY_URGENT, sentence);
  }
}
