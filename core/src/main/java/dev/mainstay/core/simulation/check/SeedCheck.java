package dev.mainstay.core.simulation.check;

import dev.mainstay.core.simulation.check.invariant.Invariant;
import dev.mainstay.core.simulation.check.invariant.InvariantBroken;
import dev.mainstay.core.simulation.check.invariant.Rules;
import dev.mainstay.core.simulation.check.play.Scenario;
import dev.mainstay.core.simulation.check.play.ScenarioDraw;
import dev.mainstay.core.simulation.check.play.Trace;
import java.util.List;
import java.util.Optional;

/** Checks the rules against the world of one seed. The same seed always tells the same story. */
public final class SeedCheck {
  private final Rules rules;

  public SeedCheck(Rules rules) {
    this.rules = rules;
  }

  /** The world of this seed. */
  public Scenario scenario(long seed) {
    return ScenarioDraw.draw(seed);
  }

  /** Runs the world of this seed; what fails is told as it happened. */
  public SeedResult check(long seed) {
    Scenario scenario = scenario(seed);
    var play = new Playthrough(scenario, rules, Trace.none());
    try {
      return new SeedResult(seed, play.run(), play.visits(), Optional.empty());
    } catch (InvariantBroken broken) {
      return new SeedResult(seed, play.events(), play.visits(), Optional.of(told(scenario, 0)));
    }
  }

  /** The same failure in the smallest world that still shows it. */
  public Failure shortest(Failure failure) {
    var shrinker = new Shrinker(scenario -> breaks(scenario, failure.invariant()));
    Scenario smallest = shrinker.shrink(failure.scenario());
    return told(smallest, shrinker.tries());
  }

  /** All that happens in the world of this seed, up to the failure if there is one. */
  public List<String> replay(long seed) {
    var trace = Trace.kept();
    try {
      new Playthrough(scenario(seed), rules, trace).run();
    } catch (InvariantBroken broken) {
      trace.add("!! " + broken.invariant() + ": " + broken.detail());
    }
    return trace.lines();
  }

  private boolean breaks(Scenario scenario, Invariant invariant) {
    try {
      new Playthrough(scenario, rules, Trace.none()).run();
      return false;
    } catch (InvariantBroken broken) {
      return broken.invariant() == invariant;
    }
  }

  private Failure told(Scenario scenario, int tries) {
    var trace = Trace.kept();
    try {
      new Playthrough(scenario, rules, trace).run();
    } catch (InvariantBroken broken) {
      return new Failure(broken.invariant(), broken.detail(), scenario, trace.lines(), tries);
    }
    throw new IllegalStateException("A world that failed no longer fails: it is not repeatable");
  }
}
