package dev.mainstay.core.queue;

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
    var draft = new Draft(state, now);
    if (state.lifecycle().moves()) {
      List<Entry> urgent = urgent(draft, state);
      if (!urgent.isEmpty()) {
        Set<GroupId> inserted = insert(draft, state, urgent);
        restart(draft, Lanes.above(draft.line(), inserted));
      }
      freeSlots(draft);
    }
    return draft.done();
  }

  /** Those for whom there is room; mostly there are none, and that is known at once. */
  private static List<Entry> urgent(Draft draft, QueueState state) {
    List<Entry> urgent = state.waiting().stream().takeWhile(e -> e.priority().isUrgent()).toList();
    return urgent.isEmpty() ? urgent : urgent.stream().limit(room(draft, state)).toList();
  }

  /** Urgent does not interrupt urgent. */
  private static long room(Draft draft, QueueState state) {
    Stream<Group> testing = state.line().stream().filter(Group::isTesting);
    Stream<Group> wanting =
        Proof.wanting(state.line(), state.settings(), state.landing()).stream()
            .filter(g -> !g.rests(draft.now));
    long busy = Stream.concat(testing, wanting).filter(g -> isUrgent(draft, g)).count();
    return Math.max(0, state.settings().concurrency() - busy);
  }

  private static Set<GroupId> insert(Draft draft, QueueState state, List<Entry> urgent) {
    Set<GroupId> settled = settled(state);
    var line =
        new ArrayList<>(state.line().stream().filter(g -> settled.contains(g.id())).toList());
    List<Group> rest = state.line().stream().filter(g -> !settled.contains(g.id())).toList();
    int behind = upToLastUrgent(draft, rest);
    line.addAll(rest.subList(0, behind));
    var inserted = new HashSet<GroupId>();
    for (Entry entry : urgent) {
      Group group = group(draft, entry);
      inserted.add(group.id());
      line.add(group);
    }
    line.addAll(rest.subList(behind, rest.size()));
    draft.relink(line);
    return inserted;
  }

  private static int upToLastUrgent(Draft draft, List<Group> groups) {
    int size = groups.size();
    while (size > 0 && !isUrgent(draft, groups.get(size - 1))) {
      size--;
    }
    return size;
  }

  private static Group group(Draft draft, Entry entry) {
    var why = new Reason(ReasonCode.SLOT_FREE, "It is urgent and tested at once.");
    var change = new Change(entry.pr(), entry.admittedHead().orElseThrow());
    return Group.of(new GroupId(draft.nextId()), List.of(change), why);
  }

  /** What is being merged or will be as soon as its turn comes, whatever else happens. */
  private static Set<GroupId> settled(QueueState state) {
    Set<GroupId> provenByOthers = Proof.byOthers(state.line(), state.settings(), state.landing());
    var settled = new HashSet<GroupId>();
    for (Group group : state.line()) {
      boolean proven = group.passed() || provenByOthers.contains(group.id());
      if (state.isLanding(group.id()) || (proven && settled.containsAll(group.standsOn()))) {
        settled.add(group.id());
      }
    }
    return settled;
  }

  private static void restart(Draft draft, Set<GroupId> above) {
    for (Group group : draft.line()) {
      if (above.contains(group.id()) && !group.needsRun()) {
        draft.retest(group, interrupted(), false);
      }
    }
  }

  private static void freeSlots(Draft draft) {
    long busy = draft.line().stream().filter(Group::isTesting).count();
    long needed =
        Proof.wanting(draft.line(), draft.settings, draft.landing).stream()
            .filter(g -> !g.rests(draft.now) && isUrgent(draft, g))
            .count();
    long surplus = needed == 0 ? 0 : busy + needed - draft.settings.concurrency();
    for (Group group : draft.line().reversed()) {
      if (surplus > 0 && group.isTesting() && mayBeInterrupted(draft, group)) {
        draft.retest(group, interrupted(), false);
        restart(draft, Lanes.above(draft.line(), Set.of(group.id())));
        surplus--;
      }
    }
  }

  static boolean isUrgent(Draft draft, Group group) {
    return group.pullRequests().stream().anyMatch(pr -> draft.member(pr).priority().isUrgent());
  }

  private static boolean mayBeInterrupted(Draft draft, Group group) {
    boolean landing = draft.landing.filter(l -> l.groups().contains(group.id())).isPresent();
    return !landing && !isUrgent(draft, group);
  }

  private static Reason interrupted() {
    String sentence = "An urgent pull request is tested first.";
    return new Reason(ReasonCode.INTERRUPTED_BY_URGENT, sentence);
  }
}
