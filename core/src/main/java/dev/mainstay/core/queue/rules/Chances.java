package dev.mainstay.core.queue.rules;

import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.GroupId;
import dev.mainstay.core.queue.Run;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The chance of each group of the line to merge. A group of which nothing is known fails by itself
 * or together with one it holds, at the usual rates. One that passed may fail only with those its
 * run was made without; a failure without one that it needs says nothing. One that failed did so by
 * its own fault or by that of one it held, and each is as likely as it was before.
 */
final class Chances {
  /** How often a change is taken to fail by itself. */
  private static final double OWN = 0.05;

  /** How often two whose targets meet are taken to fail together though each passes alone. */
  private static final double PAIR = 0.04;

  private final Map<GroupId, Double> lands = new HashMap<>();

  Chances(Holding holding) {
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
    double own = proven >= 0 ? 1 - proven : 1 - (1 - OWN) * Math.pow(1 - PAIR, below.size());
    if (!failed || own == 0) {
      return 1 - own;
    }
    return (1 - own) * explained / (own + explained - own * explained);
  }

  /** The chance that it passes with those as well that a run which passed was made without. */
  private double alsoWith(Run run, List<Group> below) {
    double chance = 1;
    for (Group one : below) {
      if (leavesOut(run, one)) {
        chance *= 1 - PAIR * lands(one);
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
