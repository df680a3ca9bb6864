package dev.mainstay.core.queue.rules;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.ReasonCode;
import dev.mainstay.core.queue.Run;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The chance of each group of the line to merge. A group of which nothing is known fails by itself
 * or together with one it holds, as often as the queue has learned. One that passed may fail only
 * with those its run was made without; a failure without one that it needs says nothing. One that
 * failed did so by its own fault or by that of one it held, and each is as likely as it was before.
 */
final class Chances {
  /** The share of the likeliest assumption's chance below which a run is not to be waited for. */
  private static final double FAR_FROM = 0.5;

  private final NextState next;
  private final Holding holding;
  private final Traits traits;
  private final double pair;
  private final double[] lands;
  private final Set<PullRequestRef> leaving = new HashSet<>();
  private final int[] rank;
  private final int[] byRank;

  /** Groups are known by their places in the line; those that nobody holds have no say. */
  Chances(NextState next, Holding holding) {
    this.next = next;
    this.holding = holding;
    traits = Traits.of(next);
    pair = next.learned.conflicts();
    lands = new double[holding.line().size()];
    for (int place = 0; place < lands.length; place++) {
      lands[place] = holding.isHeld(place) ? chanceOf(place) : 1;
      if (!likelyLands(place) && isGivenUp(at(place))) {
        leaving.addAll(at(place).pullRequests());
      }
    }
    byRank =
        IntStream.range(0, lands.length)
            .boxed()
            .sorted(Comparator.comparingDouble(place -> -flipRatio(place)))
            .mapToInt(Integer::intValue)
            .toArray();
    rank = new int[lands.length];
    for (int i = 0; i < byRank.length; i++) {
      rank[byRank[i]] = i;
    }
  }

  /** Without a budget nothing is guessed: one that failed leaves, and all others merge. */
  private double chanceOf(int place) {
    Group group = at(place);
    if (next.settings.speculationBudget() > 0) {
      return chance(group, holding.of(place));
    }
    return isGivenUp(group) ? 0 : 1;
  }

  /** Where nobody behind may speak for it, and nothing that may excuse it is awaited. */
  private boolean isGivenUp(Group group) {
    return group.failed()
        && next.settings.pendingFailureDepth() == 0
        && !Flakes.awaitsResults(group, next.now)
        && !Suspicions.holds(next.doubt, group);
  }

  /**
   * A run is in vain where it holds one that failed and will likely leave, whether it must hold
   * that one or not.
   */
  boolean isVain(Run run) {
    return !leaving.isEmpty() && run.standsOn(leaving);
  }

  /**
   * A run is not to be waited for where the likeliest assumption has this chance, and with a budget
   * its own chance is far from that, or without one it lacks one that has not failed.
   */
  boolean isUnlikely(Run run, double best, int... held) {
    if (next.settings.speculationBudget() > 0) {
      return of(run, held) < FAR_FROM * best;
    }
    for (int place : held) {
      if (leavesOut(run, at(place)) && isToBeHeld(at(place))) {
        return true;
      }
    }
    return false;
  }

  /**
   * A restart retests nobody else: until one that was restarted passes, nobody needs to hold it.
   */
  private boolean isToBeHeld(Group group) {
    return group.passed() || !(isGivenUp(group) || group.why().code() == ReasonCode.RESTARTED);
  }

  private double lands(int place) {
    return lands[place];
  }

  Group at(int place) {
    return holding.line().get(place);
  }

  boolean likelyLands(int place) {
    return lands(place) >= 0.5;
  }

  /** How much less likely it is that a group ends otherwise than it likely does. */
  double flipRatio(int place) {
    double p = lands(place);
    return Math.min(p, 1 - p) / Math.max(p, 1 - p);
  }

  /** The same places, those first whose end is the least certain. */
  int[] leastCertainFirst(int... places) {
    int[] sorted = new int[places.length];
    for (int i = 0; i < places.length; i++) {
      sorted[i] = rank[places[i]];
    }
    Arrays.sort(sorted);
    for (int i = 0; i < sorted.length; i++) {
      sorted[i] = byRank[sorted[i]];
    }
    return sorted;
  }

  /** The chance that each of these ends as it likely does. */
  double ofLikeliest(int... places) {
    double chance = 1;
    for (int place : places) {
      chance *= Math.max(lands(place), 1 - lands(place));
    }
    return chance;
  }

  /** The chance of what a run assumes of these. */
  double of(Run run, int... held) {
    double chance = 1;
    for (int place : held) {
      chance *= leavesOut(run, at(place)) ? 1 - lands(place) : lands(place);
    }
    return chance;
  }

  private static boolean leavesOut(Run run, Group group) {
    if (!run.leaves().isEmpty()) {
      for (Change change : group.members()) {
        if (run.leaves().contains(change.pr())) {
          return true;
        }
      }
    }
    return false;
  }

  private double chance(Group group, int... below) {
    if (group.direct()) {
      return 1;
    }
    boolean failed = false;
    double proven = -1;
    double explained = 0;
    for (Run run : group.runs()) {
      if (run.succeeded()) {
        proven = Math.max(proven, alsoWith(run, below));
      } else if (run.failed() && !run.isUnbuildable()) {
        failed = true;
        explained = Math.max(explained, 1 - allLand(run, below));
      }
    }
    double own =
        proven >= 0 ? 1 - proven : 1 - passes(group) * StrictMath.pow(1 - pair, below.length);
    if (!failed || own == 0) {
      return 1 - own;
    }
    return (1 - own) * explained / (own + explained - own * explained);
  }

  /** The chance that each of its changes passes by itself. */
  private double passes(Group group) {
    double chance = 1;
    for (Change change : group.members()) {
      chance *= 1 - next.learned.fails(traits.of(next.member(change.pr())));
    }
    return chance;
  }

  /** The chance that it passes with those as well that a run which passed was made without. */
  private double alsoWith(Run run, int... below) {
    double chance = 1;
    for (int one : below) {
      if (leavesOut(run, at(one))) {
        chance *= 1 - pair * lands(one);
      }
    }
    return chance;
  }

  /** The chance that all a run holds merge. */
  private double allLand(Run run, int... below) {
    double chance = 1;
    for (int one : below) {
      if (!leavesOut(run, at(one))) {
        chance *= lands(one);
      }
    }
    return chance;
  }
}
