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
import dev.mainstay.core.queue.RunId;
import dev.mainstay.core.queue.RunKind;
import dev.mainstay.core.queue.Step;
import dev.mainstay.core.queue.Transition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Runs on assumptions. A group's run assumes what is likeliest of those ahead: that they merge, or
 * that they leave. Slots that nobody else needs test what is next in likelihood, as far as the
 * budget goes. A run counts once all it assumes has come true, whoever else failed; one that can no
 * longer come true is cancelled. Whoever needs a slot takes it from the least likely.
 */
final class Guesses {
  /** An assumption less likely than this is not worth a run. */
  private static final double WORTH_A_RUN = 0.05;

  /** One that has become less likely than this is not worth its slot. */
  private static final double WORTH_GOING_ON = 0.02;

  private final NextState next;
  private final QueueState state;

  private Guesses(NextState next, QueueState state) {
    this.next = next;
    this.state = state;
  }

  /** These left, or stand aside now: a guess that holds one of them cannot come true. */
  static void left(NextState next, Collection<PullRequestRef> gone) {
    drop(next, gone, gone);
  }

  /** It stands elsewhere in the line now, and whether it leaves is as open as before. */
  static void parted(NextState next, PullRequestRef pr) {
    drop(next, List.of(pr), List.of());
  }

  private static void drop(
      NextState next, Collection<PullRequestRef> moved, Collection<PullRequestRef> gone) {
    for (Group group : next.line()) {
      if (mayChange(group, moved)) {
        next.put(ended(next, group, gone, r -> !r.standsOn(moved)));
      }
    }
  }

  /** These merged: a run that was made without one of them cannot come true. */
  static void merged(NextState next, Collection<PullRequestRef> landed) {
    for (Group before : next.line()) {
      if (mayChange(before, landed)) {
        Group group = ended(next, before, landed, r -> !r.leavesOut(landed));
        next.put(group);
        if (group.run().filter(r -> r.leavesOut(landed)).isPresent()) {
          trustAnother(next, group, mergedAfterAll(landed));
        }
      }
    }
  }

  /** Its runs hold some of these, or assume something of them or of those between. */
  private static boolean mayChange(Group group, Collection<PullRequestRef> these) {
    for (Run run : group.runs()) {
      if (!run.leaves().isEmpty() || run.standsOn(these)) {
        return true;
      }
    }
    return false;
  }

  /** The group with those guesses that these let come true; its runs no longer speak of them. */
  private static Group ended(
      NextState next, Group before, Collection<PullRequestRef> these, Predicate<Run> may) {
    Group group = before.with(before.guesses().stream().filter(may));
    for (Run run : group.runs()) {
      if (may.test(run)) {
        Run open = run.without(these);
        group = group.with(open.without(strayed(next, group, open)));
      }
    }
    return group;
  }

  /** The group no longer stands on these: however they end, it is the same to the run. */
  private static List<PullRequestRef> strayed(NextState next, Group group, Run run) {
    if (run.leaves().isEmpty() || !next.settings.isParallel()) {
      return List.of();
    }
    var strayed = new ArrayList<>(run.leaves());
    for (Group below : Lanes.below(next.line(), group)) {
      strayed.removeAll(below.pullRequests());
    }
    return strayed;
  }

  private static void trustAnother(NextState next, Group group, Reason why) {
    possible(next, group)
        .ifPresentOrElse(
            guess -> next.trust(group, guess, why), () -> next.retest(group, why, true));
  }

  private static Reason mergedAfterAll(Collection<PullRequestRef> landed) {
    String sentence =
        PullRequestNames.list(landed) + " merged after all: it is tested on top of that.";
    return new Reason(ReasonCode.ASSUMPTION_CHANGED, sentence);
  }

  /**
   * Where runs now must hold all they stand on, those that hold less, or had to hold less of what
   * landed since, are made anew. One that holds more than it must is as good.
   */
  static void settingsChanged(NextState next, QueueSettings before) {
    boolean mustHoldMore = before.takesOnlyWhatItMeets() && !next.settings.takesOnlyWhatItMeets();
    for (Group group : next.line()) {
      if (!next.isLanding(group)) {
        Predicate<Run> isUsable = r -> isEnough(next, group, r) && (r.exact() || !mustHoldMore);
        keep(next, group, isUsable, settingsAskForAnother());
      }
    }
  }

  /** Of these some, or parts of some, did not merge; the settings may have changed meanwhile. */
  static void notMerged(NextState next, List<GroupId> groups) {
    for (Group before : next.line()) {
      if (groups.contains(before.id())) {
        Group group = ended(next, before, List.of(), _ -> true);
        next.put(group);
        keep(next, group, r -> isEnough(next, group, r), settingsAskForAnother());
      }
    }
  }

  private static Reason settingsAskForAnother() {
    String sentence = "The queue's settings ask for another test branch.";
    return new Reason(ReasonCode.ASSUMPTION_CHANGED, sentence);
  }

  /**
   * Where its run is of no use the group gets another one, and else it keeps its usable guesses.
   */
  static void keep(NextState next, Group group, Predicate<Run> isUsable, Reason why) {
    if (group.run().filter(isUsable.negate()).isPresent()) {
      next.retest(group, why, true);
    } else if (!group.guesses().stream().allMatch(isUsable)) {
      next.put(group.with(group.guesses().stream().filter(isUsable)));
    }
  }

  private static boolean isEnough(NextState next, Group group, Run run) {
    boolean mayAssume = next.settings.speculates() || run.leaves().isEmpty();
    return mayAssume && run.lands().containsAll(Assumption.lands(next, group, run.leaves()));
  }

  /** The first guess that may still come true. */
  static Optional<Run> possible(NextState next, Group group) {
    return group.guesses().stream()
        .filter(g -> !g.isUnbuildable())
        .filter(g -> holdsJust(g, Assumption.lands(next, group, g.leaves())))
        .findFirst();
  }

  /** In whatever order: one of them may have been overtaken. */
  private static boolean holdsJust(Run run, List<Change> changes) {
    return run.lands().size() == changes.size() && run.lands().containsAll(changes);
  }

  static Step start(QueueState state, Instant now) {
    var next = new NextState(state, now);
    if (!state.settings().speculates()) {
      for (Group group : state.line()) {
        if (!group.guesses().isEmpty()) {
          next.put(group.with(group.guesses().stream().filter(r -> mayBeMerging(group, r, state))));
        }
      }
    } else if (RunStart.isPossible(state) && Leads.mayDiffer(state)) {
      new Guesses(next, state).start();
    }
    return next.done();
  }

  /** It may merge, by this guess that passed, before the one ahead of it. */
  private static boolean mayBeMerging(Group group, Run guess, QueueState state) {
    return state.isLanding(group.id()) && !guess.isInProgress();
  }

  /**
   * A plan may not be the last: it decides something, or somebody moved about whom others guess.
   */
  static boolean mayGoOn(QueueState before, Step plan) {
    boolean guessed = before.settings().speculates() && Leads.mayDiffer(plan.after());
    return decides(before, plan) || (guessed && !plan.transitions().isEmpty());
  }

  /**
   * Others may end, or come to wait, by what follows from this: somebody failed, so that the
   * failure of another may be its own, or is trusted a run that was a guess before.
   */
  static boolean decides(QueueState before, Step plan) {
    boolean fails =
        !plan.transitions().isEmpty() && plan.transitions().stream().anyMatch(Guesses::fails);
    return fails || trustsAnother(before, plan);
  }

  private static boolean fails(Transition transition) {
    return transition.to() == PullRequestState.FAILED
        || transition.reason().code() == ReasonCode.BISECTING;
  }

  private static boolean trustsAnother(QueueState before, Step plan) {
    var guesses = new HashSet<RunId>();
    before.line().forEach(g -> g.guesses().forEach(r -> guesses.add(r.id())));
    return !guesses.isEmpty()
        && plan.after().line().stream()
            .anyMatch(g -> g.run().filter(r -> guesses.contains(r.id())).isPresent());
  }

  private void start() {
    Holding holding = Holding.of(next);
    var chances = new Chances(next, holding);
    var wishes = new ArrayList<Assumption>();
    var leads = new Leads(next, state);
    for (int place = 0; place < state.line().size(); place++) {
      Group group = state.line().get(place);
      int[] held = holding.of(place);
      if (leads.mayChange(group) && held.length > 0) {
        int most = 2 + budget(group) + group.guesses().size();
        List<Assumption> likely = Assumption.inOrder(group, held, chances, most, WORTH_GOING_ON);
        Run run = leads.of(likely.getFirst(), held, chances);
        likely.stream().filter(a -> !a.isOf(run)).forEach(wishes::add);
      }
    }
    wishes.sort(Comparator.comparingDouble(a -> -a.chance()));
    fulfil(wishes, leads.free());
  }

  private int budget(Group group) {
    return state.settings().speculationBudget() * group.members().size();
  }

  private Run request(Assumption assumed) {
    return RunStart.request(
        next, state, assumed.group(), RunKind.MAIN, assumed.lands(next), assumed.leaves());
  }

  /** Keeps what is finished, and of the rest the likeliest that the slots and the budget allow. */
  private void fulfil(List<Assumption> wishes, long slots) {
    long free = slots;
    var kept = new HashSet<RunId>();
    var used = new HashMap<GroupId, Integer>();
    var starting = new ArrayList<Assumption>();
    for (Assumption wish : wishes) {
      Group group = wish.group();
      Optional<Run> known = wish.among(group.runs());
      boolean finished = known.isPresent() && !known.get().isInProgress();
      boolean worth = wish.chance() >= (known.isPresent() ? WORTH_GOING_ON : WORTH_A_RUN);
      int others = used.getOrDefault(group.id(), 0);
      if (!finished && worth && free > 0 && others < budget(group)) {
        free--;
        used.put(group.id(), others + 1);
        known.ifPresentOrElse(r -> kept.add(r.id()), () -> starting.add(wish));
      }
    }
    for (Group group : next.line()) {
      if (!group.guesses().isEmpty()
          && group.guesses().stream().anyMatch(g -> g.isInProgress() && !kept.contains(g.id()))) {
        next.put(
            group.with(
                group.guesses().stream().filter(g -> !g.isInProgress() || kept.contains(g.id()))));
      }
    }
    for (Assumption wish : starting) {
      next.put(next.inLine(wish.group().id()).guessing(request(wish)));
    }
  }
}
