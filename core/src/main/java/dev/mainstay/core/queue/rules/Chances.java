package dev.mainstay.core.queue.rules;

import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.GroupId;
import dev.mainstay.core.queue.Run;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The chance of each group of the line to merge. A group of which nothing is known fails by itself
 * or together with one it holds, as often as the queue has learned. One that passed may fail only
 * with those its run was made without; a failure without one that it needs says nothing. One that
 * failed did so by its own fault or by that of one it held, and each is as likely as it was before.
 */
final class Chances {
  private final NextState next;
  private final Traits traits;
  private final double pair;
  private final Map<GroupId, Double> lands = new HashMap<>();

  Chances(NextState next, Holding holding) {
    this.next = next;
    traits = Traits.of(next);
    pair = next.learned.conflicts();
    for (Group group : holding.line()) {
      lands.put(group.id(), chance(group, holding.of(group)));
    }
  }

  double lands(Group group) {
    return lands.getOrDefault(group.id(), 1.0);
  }

  boolean likelyLands(Group group) {
    return lands(group) >= 0.5;
  }

  /** How much less likely it is that a group ends otherwise than it likely does. */
  double flipRatio(Group group) {
    double p = lands(group);
    return Math.min(p, 1 - p) / Math.max(p, 1 - p);
  }

  /** The chance that each of these ends as it likely does. */
  double ofLikeliest(Collection<Group> groups) {
    double chance = 1;
    for (Group group : groups) {
      chance *= Math.max(lands(group), 1 - lands(group));
    }
    return chance;
  }

  /** The chance of what a run assumes of these. */
  double of(Run run, Collection<Group> held) {
    double chance = 1;
    for (Group group : held) {
      chance *= leavesOut(run, group) ? 1 - lands(group) : lands(group);
    }
    return chance;
  }

  private static boolean leavesOut(Run run, Group group) {
    return !run.leaves().isEmpty() && run.leavesOut(group.pullRequests());
  }

  private double chance(Group group, List<Group> below) {
    if (group.direct()) {
      return 1;
    }
    boolean failed = false;
    double proven = -1;
    double explained = 0;
    for (Run run : group.runs().toList()) {
      if (run.succeeded()) {
        proven = Math.max(proven, alsoWith(run, below));
      } else if (run.failed() && !run.isUnbuildable()) {
        failed = true;
        explained = Math.max(explained, 1 - allLand(run, below));
      }
    }
    double own =
        proven >= 0 ? 1 - proven : 1 - passes(group) * StrictMath.pow(1 - pair, below.size());
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
  private double alsoWith(Run run, List<Group> below) {
    double chance = 1;
    for (Group one : below) {
      if (leavesOut(run, one)) {
        chance *= 1 - pair * lands(one);
      }
    }
    return chance;
  }

  /** The chance that all a run holds merge. */
  private double allLand(Run run, List<Group> below) {
    double chance = 1;
    for (Group one : below) {
      if (!leavesOut(run, one)) {
        chance *= lands(one);
      }
    }
    return chance;
  }
}
