package dev.mainstay.core.simulation.policy;

import dev.mainstay.core.simulation.Build;
import dev.mainstay.core.simulation.Policy;
import dev.mainstay.core.simulation.Stage;
import dev.mainstay.core.simulation.policy.Foresight.Evidence;
import dev.mainstay.core.simulation.world.SimulatedChange;
import dev.mainstay.core.simulation.world.World;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * Walks the tree of all outcomes: a change may be built on any subset of those it depends on. The
 * slots always go to the likeliest branches, and what is not among them any more is aborted. With
 * even odds this speculates on everything, breadth first; with the truth it is the oracle, which
 * builds every change exactly once.
 */
public final class SpeculationPolicy implements Policy {
  private static final double NEGLIGIBLE = 1e-6;

  private final Foresight foresight;
  private final Line line;
  private final Map<Integer, Map<Set<Integer>, Build>> guesses = new HashMap<>();
  private final Map<Integer, Branch> likeliest = new HashMap<>();
  private final Map<Integer, Double> landChance = new HashMap<>();
  private Set<Build> running = new LinkedHashSet<>();

  private SpeculationPolicy(Foresight foresight, Line line) {
    this.foresight = foresight;
    this.line = line;
  }

  public static SpeculationPolicy everything() {
    return new SpeculationPolicy(new Foresight.CoinFlip(), new Line(true));
  }

  public static SpeculationPolicy probable(double ownFailureRate, double conflictRate) {
    return new SpeculationPolicy(
        new Foresight.BaseRates(ownFailureRate, conflictRate), new Line(true));
  }

  /** Knows the conflicts that the targets do not show as well. */
  public static SpeculationPolicy oracle(World world) {
    return new SpeculationPolicy(
        new Foresight.Truth(world.landsInOrder()),
        Line.withLanes((a, b) -> a.meets(b) || world.conflict(a.id(), b.id())));
  }

  @Override
  public void arrived(SimulatedChange change, Stage stage) {
    line.add(change);
    guesses.put(change.id(), new HashMap<>());
    plan(stage);
  }

  @Override
  public void finished(Build build, Stage stage) {
    running.remove(build);
    int change = build.own().getFirst();
    reconsider(change);
    decideFrom(change, stage);
    plan(stage);
  }

  /** Decides this change if it can be decided now, and then those that waited for it. */
  private void decideFrom(int change, Stage stage) {
    var candidates = new ArrayDeque<>(List.of(change));
    while (!candidates.isEmpty()) {
      int candidate = candidates.removeFirst();
      if (!stage.isDecided(candidate) && line.isClear(candidate)) {
        Build proof = guesses(candidate).get(Set.<Integer>of());
        if (proof != null && proof.isFinished()) {
          candidates.addAll(decide(candidate, proof, stage));
        }
      }
    }
  }

  /** Returns those that waited for it. */
  private List<Integer> decide(int change, Build proof, Stage stage) {
    boolean lands = judge(change, proof);
    if (lands) {
      stage.land(change, proof);
    } else {
      stage.reject(change, proof);
    }
    guesses(change).values().forEach(build -> drop(build, stage));
    guesses.remove(change);
    likeliest.remove(change);
    List<Integer> behind = line.remove(change);
    for (int follower : behind) {
      prune(follower, change, lands, stage);
    }
    return behind;
  }

  /** The oracle is not deceived by a flake. */
  private boolean judge(int change, Build proof) {
    return foresight instanceof Foresight.Truth truth ? truth.lands().get(change) : proof.passed();
  }

  /** Keeps the guesses that came true about the one that ended. */
  private void prune(int follower, int ended, boolean landed, Stage stage) {
    var kept = new HashMap<Set<Integer>, Build>();
    guesses(follower)
        .forEach(
            (landing, build) -> {
              if (landing.contains(ended) == landed) {
                var open = new HashSet<>(landing);
                open.remove(ended);
                kept.put(open, build);
              } else {
                drop(build, stage);
              }
            });
    guesses.put(follower, kept);
    reconsider(follower);
  }

  private void drop(Build build, Stage stage) {
    if (running.remove(build)) {
      stage.abort(build);
    }
  }

  /** A change is known better than before: its own odds move, and the branches of those behind. */
  private void reconsider(int change) {
    landChance.remove(change);
    likeliest.remove(change);
    line.behind(change).forEach(likeliest::remove);
  }

  private void plan(Stage stage) {
    int slots = stage.freeSlots() + running.size();
    var keep = new LinkedHashSet<Build>();
    var start = new ArrayList<Branch>();
    var open = new PriorityQueue<>(Branch.ORDER);
    for (int change : line.inOrder()) {
      open.add(likeliest.computeIfAbsent(change, this::likeliestBranch));
    }
    while (keep.size() + start.size() < slots && !open.isEmpty()) {
      Branch branch = open.remove();
      if (branch.chance() < NEGLIGIBLE) {
        break;
      }
      Build known = guesses(branch.change()).get(branch.landing());
      if (known == null) {
        start.add(branch);
      } else if (!known.isFinished()) {
        keep.add(known);
      }
      branch.alsoNext().ifPresent(open::add);
      branch.insteadNext().ifPresent(open::add);
    }
    replace(keep, start, stage);
  }

  private void replace(Set<Build> keep, List<Branch> start, Stage stage) {
    for (Build build : running) {
      if (!keep.contains(build)) {
        stage.abort(build);
        guesses(build.own().getFirst()).values().remove(build);
      }
    }
    running = keep;
    for (Branch branch : start) {
      Set<Integer> landing = branch.landing();
      Build build = stage.build(List.of(branch.change()), landing.stream().sorted().toList());
      guesses(branch.change()).put(landing, build);
      running.add(build);
    }
  }

  private Branch likeliestBranch(int change) {
    return Branch.likeliest(
        change,
        line.ahead(change),
        other -> landChance.computeIfAbsent(other, o -> foresight.chance(o, evidence(o))));
  }

  private Evidence evidence(int change) {
    int provenWith = -1;
    boolean failed = false;
    for (var guess : guesses(change).entrySet()) {
      if (guess.getValue().isFinished()) {
        if (guess.getValue().passed()) {
          provenWith = Math.max(provenWith, guess.getKey().size());
        } else {
          failed = true;
        }
      }
    }
    return new Evidence(line.ahead(change).size(), provenWith, failed);
  }

  private Map<Set<Integer>, Build> guesses(int change) {
    Map<Set<Integer>, Build> known = guesses.get(change);
    if (known == null) {
      throw new IllegalStateException("change " + change + " is not open");
    }
    return known;
  }
}
