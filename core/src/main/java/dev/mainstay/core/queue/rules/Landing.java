package dev.mainstay.core.queue.rules;

import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.GroupId;
import dev.mainstay.core.queue.LandingId;
import dev.mainstay.core.queue.LandingInFlight;
import dev.mainstay.core.queue.QueueAction;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Run;
import dev.mainstay.core.queue.Step;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A group that is proven and stands on nothing open is merged, one merge at a time, unless the
 * queue is paused. With optimistic merging a group that passed takes all it stands on with it, in
 * one merge, since only together they were proven. Where nothing can merge, one that has passed
 * with and without the one ahead of it may go before it ({@link Overtaking}).
 */
final class Landing {
  private Landing() {}

  static Step mergeWhatIsProven(QueueState state, Instant now) {
    var next = new NextState(state, now);
    if (state.landing().isEmpty() && state.lifecycle().moves()) {
      nextProven(state, now)
          .ifPresentOrElse(groups -> land(next, groups), () -> landBefore(next, state));
    }
    return next.done();
  }

  /** Where nobody is proven whose turn it is, one may overtake. */
  private static void landBefore(NextState next, QueueState state) {
    Optional<Group> overtakes = Overtaking.find(next, state);
    if (overtakes.isPresent()) {
      Group group = overtakes.get();
      next.put(group);
      group.pullRequests().forEach(pr -> next.put(next.member(pr).because(group.why())));
      land(next, List.of(group));
    }
  }

  private static Optional<List<Group>> nextProven(QueueState state, Instant now) {
    for (Group first : state.line()) {
      List<Group> proven = first.standsOn().isEmpty() ? provenWith(state, first) : List.of();
      if (!proven.isEmpty() && proven.stream().noneMatch(g -> g.rests(now))) {
        return Optional.of(proven);
      }
    }
    return Optional.empty();
  }

  /** The groups to merge so that this one can be: itself, or up to the first above that passed. */
  private static List<Group> provenWith(QueueState state, Group first) {
    if (first.passed()) {
      return List.of(first);
    }
    if (!state.settings().canOptimisticallyMerge()) {
      return List.of();
    }
    Set<GroupId> above = Lanes.above(state.line(), Set.of(first.id()));
    for (Group group : state.line()) {
      if (above.contains(group.id()) && Proof.provesAllBelow(group)) {
        var groups = new ArrayList<>(Lanes.below(state.line(), group));
        groups.add(group);
        return groups;
      }
    }
    return List.of();
  }

  static void land(NextState next, List<Group> groups) {
    var landing =
        new LandingInFlight(
            new LandingId(next.nextId()),
            groups.stream().map(Group::id).toList(),
            next.target.head().orElseThrow(),
            next.now,
            List.of());
    next.landing = Optional.of(landing);
    ask(next, landing);
  }

  /** Asks for the same merge again. */
  static void remind(NextState next, LandingInFlight landing) {
    LandingInFlight again = landing.askedAgain(next.now);
    next.landing = Optional.of(again);
    ask(next, again);
  }

  private static void ask(NextState next, LandingInFlight landing) {
    List<Group> groups =
        next.line().stream().filter(g -> landing.groups().contains(g.id())).toList();
    Optional<Run> proof = groups.getLast().run();
    next.act(
        new QueueAction.Land(
            landing.id(),
            groups.stream().flatMap(g -> g.members().stream()).toList(),
            landing.onto(),
            proof.flatMap(Run::commit),
            proof.map(Run::exact).orElse(false),
            next.settings.mergeMethod()));
  }
}
