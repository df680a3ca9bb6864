package dev.mainstay.core.queue.rules;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.GroupId;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Reason;
import dev.mainstay.core.queue.ReasonCode;
import dev.mainstay.core.queue.Run;
import dev.mainstay.core.queue.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A conflict with changes ahead is certain at once. The pull request stands aside, out of its batch
 * and with its failure, until what it stands on is decided, and nobody stands on it: the rest of
 * its batch and those behind are tested without it. When it is tested again it comes back into the
 * line, behind those that were tested without it.
 *
 * <p>In parallel mode two may be in conflict of which neither stands on the other. Then neither has
 * failed, and a third that stands on both waits until one of them is gone.
 */
final class Conflicts {
  private static final Duration REST = Duration.ofMinutes(1);

  private Conflicts() {}

  /** The test branch of a group in the line could not be built: this pull request conflicts. */
  static void found(NextState next, Group tested, PullRequestRef pr) {
    List<Group> line = next.line();
    Optional<Group> holder = line.stream().filter(g -> g.holds(pr) && g.isUnbuilt()).findFirst();
    if (holder.isEmpty()) {
      blame(next, tested, pr);
      return;
    }
    List<Change> before = before(tested, holder.get(), pr);
    Group alone = alone(next, holder.get(), pr, before);
    List<Group> apart = apart(next, line, holder.get(), alone);
    if (standsOnAll(apart, alone, before)) {
      goOnWithout(next, line, holder.get(), apart, pr);
      Guesses.left(next, List.of(pr));
    } else if (holder.get().id().equals(tested.id())) {
      Group again = alone.withoutRun(goesOnWithout(pr), false).standing(false);
      List<Group> parted = apart.stream().map(g -> g.id().equals(alone.id()) ? again : g).toList();
      goOnWithout(next, line, holder.get(), parted, pr);
      Guesses.parted(next, pr);
    } else {
      blame(next, tested, pr);
    }
  }

  /** The pull request by itself: the run and its failure are its own, and speak of all before. */
  private static Group alone(NextState next, Group holder, PullRequestRef pr, List<Change> before) {
    var why = new Reason(ReasonCode.MERGE_CONFLICT, pr + " conflicts with a change ahead of it.");
    Run held = holder.run().orElseThrow();
    List<Change> all = Stream.concat(held.lands().stream(), before.stream()).distinct().toList();
    Run run = held.on(all).failed(why);
    if (holder.members().size() == 1) {
      return holder.testedBy(run).standing(true);
    }
    List<Change> itself = holder.members().stream().filter(m -> m.pr().equals(pr)).toList();
    return Group.of(new GroupId(next.nextId()), itself, why).testedBy(run).standing(true);
  }

  /** The line with the pull request by itself, behind the rest of its batch. */
  private static List<Group> apart(NextState next, List<Group> line, Group holder, Group alone) {
    List<Change> rest =
        holder.members().stream().filter(m -> !alone.members().contains(m)).toList();
    var apart = new ArrayList<Group>();
    for (Group group : line) {
      if (!group.id().equals(holder.id())) {
        apart.add(group);
        continue;
      }
      if (!rest.isEmpty()) {
        Reason why = goesOnWithout(alone.pullRequests().getFirst());
        apart.add(holder.with(rest).withoutRun(why, true));
      }
      apart.add(alone);
    }
    return Lanes.link(apart, next.settings.mode(), next::member);
  }

  /** The changes that the test branch holds before the one that does not merge. */
  private static List<Change> before(Group tested, Group holder, PullRequestRef pr) {
    var before = new ArrayList<Change>();
    tested.run().orElseThrow().lands().stream()
        .takeWhile(c -> !holder.holds(c.pr()))
        .forEach(before::add);
    holder.members().stream().takeWhile(m -> !m.pr().equals(pr)).forEach(before::add);
    return before;
  }

  private static boolean standsOnAll(List<Group> line, Group alone, List<Change> changes) {
    return line.stream()
        .filter(g -> g.id().equals(alone.id()))
        .flatMap(g -> Lanes.below(line, g).stream())
        .flatMap(g -> g.members().stream())
        .toList()
        .containsAll(changes);
  }

  /** Those whose test branch holds the pull request are tested without it. */
  private static void goOnWithout(
      NextState next, List<Group> line, Group holder, List<Group> apart, PullRequestRef pr) {
    next.put(next.member(pr).clearedWith(Optional.empty()));
    next.relink(apart);
    Set<GroupId> shaken = Lanes.shaken(line, Set.of(holder.id()));
    next.line().stream()
        .filter(g -> shaken.contains(g.id()))
        .forEach(g -> next.retest(g, goesOnWithout(pr), false));
  }

  /**
   * One that stands aside is in conflict with what it stood on through others. Where it no longer
   * does, the conflict says nothing of it.
   */
  static Step retestWhatStrayed(QueueState state, Instant now) {
    var next = new NextState(state, now);
    for (Group group : state.line()) {
      if (group.aside() && group.run().isPresent() && hasStrayed(group, state.line())) {
        String sentence = "It no longer stands on what it is in conflict with.";
        next.retest(group, new Reason(ReasonCode.PREDECESSOR_LEFT, sentence), false);
      }
    }
    return next.done();
  }

  private static boolean hasStrayed(Group group, List<Group> line) {
    var lands = new ArrayList<>(group.run().orElseThrow().lands());
    lands.removeAll(Lanes.changes(Lanes.below(line, group)));
    return !lands.isEmpty() && !Collections.disjoint(lands, Lanes.changes(line));
  }

  private static Reason goesOnWithout(PullRequestRef pr) {
    String sentence = "It is tested without " + pr + ", which conflicts with a change ahead of it.";
    return new Reason(ReasonCode.PREDECESSOR_LEFT, sentence);
  }

  private static void blame(NextState next, Group tested, PullRequestRef pr) {
    String sentence = pr + " and another change that it stands on do not merge: it waits for one.";
    var why = new Reason(ReasonCode.PREDECESSORS_CONFLICT, sentence);
    next.put(tested.with(tested.run().orElseThrow().blamingOthers(why)));
  }

  /** Groups whose test branch cannot be built before others are decided, and those above them. */
  static Set<GroupId> barred(List<Group> line) {
    Set<GroupId> barred =
        line.stream().filter(Conflicts::waitsForOthers).map(Group::id).collect(Collectors.toSet());
    if (barred.isEmpty()) {
      return barred;
    }
    barred.addAll(Lanes.above(line, barred));
    return barred;
  }

  private static boolean waitsForOthers(Group group) {
    return group.failure().code() == ReasonCode.PREDECESSORS_CONFLICT
        && group.run().flatMap(Run::builtAt).isEmpty();
  }

  /** A group whose test branch cannot be built yet, by no fault of its own, is asked for again. */
  static void waitForOthers(NextState next, Group group) {
    next.retestInPlace(group, group.failure(), next.now.plus(REST));
  }

  /**
   * The line with those who stood aside back in it, where they begin another test. One that was
   * merely restarted is tested as before.
   */
  static List<Group> cameBack(List<Group> line, Set<GroupId> starting) {
    if (line.stream().noneMatch(Group::aside)) {
      return line;
    }
    var back = new ArrayList<>(line);
    for (Group group : line) {
      boolean restarted = group.why().code() == ReasonCode.RESTARTED;
      if (group.aside() && starting.contains(group.id()) && !restarted) {
        int place = back.indexOf(group);
        back.remove(place);
        back.add(behindTheTested(back, place), group.standing(false));
      }
    }
    return back;
  }

  private static int behindTheTested(List<Group> line, int place) {
    int last = line.size();
    while (last > place && line.get(last - 1).needsRun()) {
      last--;
    }
    return last;
  }

  /** Restarted, it merges after all: it comes back as one that is tested anew. */
  static void mergesNow(NextState next, Group group) {
    String sentence = "It merges with what is ahead of it after all, and is tested with that.";
    next.retest(group, new Reason(ReasonCode.PREDECESSOR_LEFT, sentence), false);
  }
}
