package dev.mainstay.core.queue.rules;

import static java.util.Objects.requireNonNull;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.GroupId;
import dev.mainstay.core.queue.Run;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Function;

/**
 * An assumption about those ahead of a group: some of them leave, all others merge. {@code chance}
 * is how likely it is to come true.
 */
record Assumption(Group group, List<PullRequestRef> leaves, double chance) {

  /** The assumption that a group starts with: without a budget, that who has not failed merges. */
  static Function<Group, Assumption> likeliest(NextState next) {
    boolean guesses = next.settings.speculationBudget() > 0;
    if (!next.settings.speculates()
        || (!guesses && next.line().stream().noneMatch(Group::failed))) {
      return group -> new Assumption(group, List.of(), 1);
    }
    Holding holding = Holding.of(next);
    var chances = new Chances(next, holding);
    Map<GroupId, Integer> places = new HashMap<>();
    holding.line().forEach(g -> places.put(g.id(), places.size()));
    return group ->
        inOrder(group, holding.of(requireNonNull(places.get(group.id()))), chances, 1, 0)
            .getFirst();
  }

  Optional<Run> among(List<Run> runs) {
    for (Run run : runs) {
      if (isOf(run)) {
        return Optional.of(run);
      }
    }
    return Optional.empty();
  }

  boolean isOf(Run run) {
    return run.leaves().size() == leaves.size() && run.leaves().containsAll(leaves);
  }

  /** The changes that a test branch holds on this assumption. */
  List<Change> lands(NextState next) {
    return lands(next, group, leaves);
  }

  /** The changes that a test branch of the group holds once these have left. */
  static List<Change> lands(NextState next, Group group, List<PullRequestRef> leaves) {
    if (leaves.isEmpty() || next.settings.takesOnlyWhatItMeets()) {
      return Lanes.changes(next.held(group).stream().filter(g -> !isAny(g, leaves)).toList());
    }
    List<Group> linked = lineWithout(next, leaves);
    Group own = linked.stream().filter(g -> g.id().equals(group.id())).findFirst().orElseThrow();
    return Lanes.changes(Lanes.held(linked, own, next.settings, next::member));
  }

  /** The group stands on this other one also once these have left. */
  static boolean standsOn(NextState next, Group group, GroupId other, List<PullRequestRef> leaves) {
    return Lanes.above(lineWithout(next, leaves), Set.of(other)).contains(group.id());
  }

  private static List<Group> lineWithout(NextState next, List<PullRequestRef> leaves) {
    List<Group> rest = next.line().stream().filter(g -> !isAny(g, leaves)).toList();
    return Lanes.link(rest, next.settings.mode(), next::member);
  }

  private static boolean isAny(Group group, List<PullRequestRef> prs) {
    return group.members().stream().anyMatch(m -> prs.contains(m.pr()));
  }

  /** The likeliest end of each one ahead, but for these, which end otherwise. */
  private static final class Branch {
    private final double chance;
    private final int[] flipped;

    private Branch(double chance, int... flipped) {
      this.chance = chance;
      this.flipped = flipped;
    }

    int last() {
      return flipped.length == 0 ? -1 : flipped[flipped.length - 1];
    }

    boolean flips(int place) {
      return Arrays.binarySearch(flipped, place) >= 0;
    }

    Branch also(int place, double ratio) {
      int[] more = Arrays.copyOf(flipped, flipped.length + 1);
      more[flipped.length] = place;
      return new Branch(chance * ratio, more);
    }

    Branch instead(int place, double ratio) {
      int[] others = flipped.clone();
      others[others.length - 1] = place;
      return new Branch(chance * ratio, others);
    }
  }

  /**
   * The likeliest assumption about those ahead, and then so many others in order, if they are not
   * less likely than that.
   */
  static List<Assumption> inOrder(
      Group group, int[] held, Chances chances, int most, double least) {
    int[] coins = chances.leastCertainFirst(held);
    var open = new PriorityQueue<Branch>(Comparator.comparingDouble(b -> -b.chance));
    open.add(new Branch(chances.ofLikeliest(held)));
    var found = new ArrayList<Assumption>();
    while (!open.isEmpty() && found.size() < most) {
      Branch branch = open.remove();
      if (branch.chance < least && !found.isEmpty()) {
        break;
      }
      found.add(new Assumption(group, leaves(coins, branch, chances), branch.chance));
      int place = branch.last() + 1;
      if (place < coins.length) {
        double ratio = chances.flipRatio(coins[place]);
        open.add(branch.also(place, ratio));
        if (place > 0) {
          open.add(branch.instead(place, ratio / chances.flipRatio(coins[place - 1])));
        }
      }
    }
    return found;
  }

  private static List<PullRequestRef> leaves(int[] coins, Branch branch, Chances chances) {
    var leaves = new ArrayList<PullRequestRef>();
    for (int i = 0; i < coins.length; i++) {
      if (chances.likelyLands(coins[i]) == branch.flips(i)) {
        leaves.addAll(chances.at(coins[i]).pullRequests());
      }
    }
    return leaves;
  }
}
