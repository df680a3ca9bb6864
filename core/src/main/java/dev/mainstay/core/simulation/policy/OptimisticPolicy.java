package dev.mainstay.core.simulation.policy;

import dev.mainstay.core.simulation.Build;
import dev.mainstay.core.simulation.Policy;
import dev.mainstay.core.simulation.Stage;
import dev.mainstay.core.simulation.world.SimulatedChange;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Speculates that all ahead succeed, as Zuul does: a change is built on all it depends on, except
 * those that are failing, and is built anew whenever that set changes. A failure counts when
 * nothing undecided is ahead any more. Only the first changes of the line, the window, are built: a
 * landing widens the window by one, a rejection halves it.
 */
public final class OptimisticPolicy implements Policy {
  private static final int NARROWEST = 3;

  private final Line line;
  private final boolean adaptive;
  private final Map<Integer, Build> builds = new HashMap<>();
  private final Set<Integer> passing = new HashSet<>();
  private final Set<Integer> failing = new HashSet<>();
  private int window;

  private OptimisticPolicy(boolean lanes, boolean adaptive, int window) {
    this.line = new Line(lanes);
    this.adaptive = adaptive;
    this.window = window;
  }

  public static OptimisticPolicy withWindow(int window) {
    return new OptimisticPolicy(false, true, window);
  }

  /** With lanes the window would be one per lane; here it is as wide as the CI slots allow. */
  public static OptimisticPolicy withLanes() {
    return new OptimisticPolicy(true, false, Integer.MAX_VALUE);
  }

  @Override
  public void arrived(SimulatedChange change, Stage stage) {
    line.add(change);
    plan(stage);
  }

  @Override
  public void finished(Build build, Stage stage) {
    (build.passed() ? passing : failing).add(build.own().getFirst());
    plan(stage);
  }

  private void plan(Stage stage) {
    while (planUntilOneIsDecided(stage)) {
      // A decision moves the window and what the others stand on: plan anew.
    }
  }

  private boolean planUntilOneIsDecided(Stage stage) {
    for (int change : line.first(window)) {
      refresh(change, stage);
      if (decide(change, stage)) {
        return true;
      }
    }
    return false;
  }

  private void refresh(int change, Stage stage) {
    List<Integer> wanted =
        line.ahead(change).stream().filter(other -> !failing.contains(other)).toList();
    Build build = builds.get(change);
    if (build != null && !standsOn(build, wanted, stage)) {
      stage.abort(build);
      forget(change);
      build = null;
    }
    if (build == null && stage.freeSlots() > 0) {
      builds.put(change, stage.build(List.of(change), wanted));
    }
  }

  private static boolean standsOn(Build build, List<Integer> wanted, Stage stage) {
    return build.assumed().stream()
        .filter(other -> !stage.hasLanded(other))
        .toList()
        .equals(wanted);
  }

  private boolean decide(int change, Stage stage) {
    boolean passes = passing.contains(change);
    Build build = builds.get(change);
    if (build == null || !(passes || failing.contains(change)) || !line.isClear(change)) {
      return false;
    }
    if (passes) {
      stage.land(change, build);
    } else {
      stage.reject(change, build);
    }
    if (adaptive) {
      window = passes ? window + 1 : Math.max(NARROWEST, window / 2);
    }
    line.remove(change);
    forget(change);
    return true;
  }

  private void forget(int change) {
    builds.remove(change);
    passing.remove(change);
    failing.remove(change);
  }
}
