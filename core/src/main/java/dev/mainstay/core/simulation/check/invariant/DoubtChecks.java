package dev.mainstay.core.simulation.check.invariant;

import dev.mainstay.core.queue.Doubt.Suspicion;
import dev.mainstay.core.queue.FailingTest;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.Run;
import dev.mainstay.core.queue.RunId;
import dev.mainstay.core.queue.Transition;
import dev.mainstay.core.simulation.check.play.BenchRun;
import dev.mainstay.core.simulation.check.play.TestBench;
import dev.mainstay.core.simulation.check.play.TraceWords;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * A target branch that fails by itself blames nobody, and holds the queue up no longer than that.
 */
final class DoubtChecks {
  private final TestBench bench;
  private final Set<RunId> targets = new HashSet<>();
  private final Set<Told> told = new HashSet<>();

  private record Told(RunId run, String test) {}

  DoubtChecks(TestBench bench) {
    this.bench = bench;
  }

  void after(Observation o) {
    if (o.event() instanceof QueueEvent.TestsFailed e) {
      e.tests().forEach(t -> hear(e.run(), t, o));
    }
    o.step().transitions().stream().filter(FlakeChecks::blames).forEach(t -> blamed(t, o));
    Optional<Suspicion> was = o.before().doubt().suspicion();
    Optional<Suspicion> is = o.after().doubt().suspicion();
    if (is.isPresent()) {
      paused(o);
    } else {
      was.ifPresent(s -> wentOn(s, o));
    }
  }

  /** Only the first word counts: said again, what a suspicion came to nothing of is no news. */
  private void hear(RunId run, FailingTest test, Observation o) {
    if (told.add(new Told(run, test.id())) && speaksAgainstTarget(test, o)) {
      targets.add(run);
    }
  }

  private static boolean speaksAgainstTarget(FailingTest test, Observation o) {
    return test.onTarget().isPresent()
        && !test.isFlaky()
        && !o.before().doubt().cleared().contains(test.id());
  }

  private void blamed(Transition t, Observation o) {
    o.before()
        .groupOf(t.pr())
        .flatMap(Group::run)
        .filter(r -> targets.contains(r.id()) && FlakeChecks.failed(r, o))
        .ifPresent(
            r -> {
              throw new InvariantBroken(
                  Invariant.BROKEN_TARGET,
                  "%s for %s, which the target branch fails in, too"
                      .formatted(TraceWords.of(t), r.id()));
            });
  }

  private static void paused(Observation o) {
    boolean heard = o.after().side().stream().anyMatch(g -> g.testsTarget() && !g.passed());
    if (o.after().lifecycle() != QueueLifecycle.PAUSED || !heard) {
      throw new InvariantBroken(
          Invariant.GOES_ON, "The target branch is suspected, and not tested, or has passed");
    }
  }

  private void wentOn(Suspicion was, Observation o) {
    if (o.event() instanceof QueueEvent.LifecycleRequested) {
      return;
    }
    boolean passed =
        o.before().side().stream()
            .filter(Group::testsTarget)
            .flatMap(g -> g.run().map(Run::id).stream())
            .flatMap(id -> bench.run(id).stream())
            .anyMatch(BenchRun::proved);
    boolean asAsked = o.after().lifecycle() == was.goesOnAs() || isDrained(was, o);
    if (!passed || !asAsked) {
      throw new InvariantBroken(
          Invariant.GOES_ON,
          "It goes on as %s and not as %s, the target branch %s"
              .formatted(
                  o.after().lifecycle(), was.goesOnAs(), passed ? "passed" : "did not pass"));
    }
  }

  /** It took its new mode at once. */
  private static boolean isDrained(Suspicion was, Observation o) {
    return was.goesOnAs() == QueueLifecycle.SWITCHING_MODES
        && o.after().lifecycle() == QueueLifecycle.RUNNING;
  }
}
