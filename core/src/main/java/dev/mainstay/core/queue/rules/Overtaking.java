package dev.mainstay.core.queue.rules;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.GroupId;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Reason;
import dev.mainstay.core.queue.ReasonCode;
import dev.mainstay.core.queue.Run;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The quick before the slow. A group that stands on one other alone, which stands on nothing and is
 * still under test, merges before that one as soon as it has passed both with it and without it.
 * The slow one needs no further test then: it has passed together with the quick one already, in
 * the other order.
 *
 * <p>That harms nobody. The slow one keeps its run until the quick one is on the target branch;
 * from then on it is proven, and merges earlier than its own run would have let it. Whoever is
 * proven merges before anybody overtakes.
 */
final class Overtaking {
  private Overtaking() {}

  /** The first that may merge before the one it stands on, by its run without that one. */
  static Optional<Group> find(NextState next, QueueState state) {
    if (!isAllowed(state.settings())) {
      return Optional.empty();
    }
    var firsts = new HashMap<GroupId, Group>();
    for (Group group : state.line()) {
      if (group.standsOn().isEmpty() && group.isTesting()) {
        firsts.put(group.id(), group);
      }
      Optional<Run> without = ahead(group, firsts).flatMap(slow -> passedBoth(next, group, slow));
      if (without.isPresent() && !group.rests(next.now)) {
        return Optional.of(group.trusting(without.get(), true).because(overtakes(without.get())));
      }
    }
    return Optional.empty();
  }

  /**
   * Where lanes meet and runs hold all they stand on, those behind may stand on the slow one only
   * because of the quick one: they would have to be tested again.
   */
  private static boolean isAllowed(QueueSettings settings) {
    return settings.speculates() && (!settings.isParallel() || settings.takesOnlyWhatItMeets());
  }

  /** The only one it stands on, if that is the first of its lane and still under test. */
  private static Optional<Group> ahead(Group group, Map<GroupId, Group> firsts) {
    boolean mayPass = group.standsOn().size() == 1 && !group.guesses().isEmpty() && !group.aside();
    return mayPass
        ? Optional.ofNullable(firsts.get(group.standsOn().getFirst()))
        : Optional.empty();
  }

  /** The run of the quick one without the slow one, if both with and without it passed. */
  private static Optional<Run> passedBoth(NextState next, Group quick, Group slow) {
    Optional<Run> without =
        quick.runs().stream()
            .filter(r -> r.succeeded() && r.lands().isEmpty())
            .filter(r -> sameOnes(r.leaves(), slow.pullRequests()))
            .findFirst();
    return without.isPresent()
            && together(quick, slow).filter(r -> countsFor(next, r, quick, slow)).isPresent()
        ? without
        : Optional.empty();
  }

  /** The run of the quick one on top of the slow one, if it passed. */
  private static Optional<Run> together(Group quick, Group slow) {
    return quick.runs().stream()
        .filter(r -> r.succeeded() && r.leaves().isEmpty())
        .filter(r -> sameOnes(r.lands(), slow.members()))
        .findFirst();
  }

  /**
   * The run is as good as a new one of the slow group: that has not begun anew since, and nothing
   * it meets has merged since that the run does not hold.
   */
  private static boolean countsFor(NextState next, Run together, Group quick, Group slow) {
    Run own = slow.run().orElseThrow();
    return own.id().number() < together.id().number()
        && (together.exact()
            || own.heldAtStart() == 0
            || Lanes.targets(quick, next::member).covers(Lanes.targets(slow, next::member)));
  }

  private static <T> boolean sameOnes(Collection<T> some, Collection<T> others) {
    return some.size() == others.size() && new HashSet<>(some).equals(new HashSet<>(others));
  }

  private static Reason overtakes(Run without) {
    String sentence =
        "It passed with and without %s, which is still under test, and merges before it."
            .formatted(PullRequestNames.list(without.leaves()));
    return new Reason(ReasonCode.ASSUMPTION_CHANGED, sentence);
  }

  /** How a group got onto the target branch. */
  static String end(Group merged) {
    return merged
        .run()
        .filter(r -> !r.leaves().isEmpty() && !merged.standsOn().isEmpty())
        .map(r -> PullRequestNames.list(r.leaves()))
        .map("It passed with and without %s, and merged before it."::formatted)
        .orElse("It was tested and merged.");
  }

  /** These merged: those that they stood on, and that did not, have been overtaken. */
  static List<GroupId> merged(NextState next, List<Group> line, Collection<PullRequestRef> landed) {
    var overtaken = new ArrayList<GroupId>();
    for (Group quick : line) {
      if (!quick.standsOn().isEmpty() && holdsAny(quick, landed)) {
        Set<GroupId> below = new HashSet<>();
        Lanes.below(line, quick).forEach(g -> below.add(g.id()));
        for (Group slow : next.line()) {
          if (below.contains(slow.id()) && !overtaken.contains(slow.id())) {
            overtaken(next, quick, slow, landed);
            overtaken.add(slow.id());
          }
        }
      }
    }
    return overtaken;
  }

  private static boolean holdsAny(Group group, Collection<PullRequestRef> prs) {
    return group.members().stream().map(Change::pr).anyMatch(prs::contains);
  }

  /** One that is not the same any more, or was overtaken by a part of a batch, is tested again. */
  private static void overtaken(
      NextState next, Group quick, Group slow, Collection<PullRequestRef> landed) {
    Optional<Run> proof =
        together(quick, slow).filter(_ -> landed.containsAll(quick.pullRequests()));
    if (proof.isEmpty()) {
      String sentence = PullRequestNames.list(landed) + " merged before it: it is tested on top.";
      next.retest(slow, new Reason(ReasonCode.ASSUMPTION_CHANGED, sentence), true);
      return;
    }
    String sentence = PullRequestNames.list(landed) + " merged before it, and passed on top of it.";
    var why = new Reason(ReasonCode.PROVEN_BY_SUCCESSOR, sentence);
    next.put(slow.testedBy(proof.get().on(List.of())).because(why));
    next.move(slow, PullRequestState.TESTS_PASSED, why);
  }
}
