package dev.mainstay.core.simulation.check;

import static dev.mainstay.core.simulation.check.invariant.Invariant.*;

import dev.mainstay.core.queue.FailingTest;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Run;
import dev.mainstay.core.queue.RunId;
import dev.mainstay.core.queue.Step;
import dev.mainstay.core.queue.rules.Engine;
import dev.mainstay.core.simulation.check.invariant.Invariant;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Bugs of what the queue makes of test health. */
enum FlakeBug implements Planted {
  FLAKES_ARE_NOT_HEARD_OF(KNOWN_FLAKES) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      return Engine.on(
          event instanceof QueueEvent.TestsFailed e ? with(e, List.of(), 0) : event, before, now);
    }
  },
  EVERY_FAILURE_IS_A_FLAKE(RETRIES) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      return Engine.on(
          event instanceof QueueEvent.TestsFailed e
              ? with(e, e.tests().stream().map(FlakeBug::flaky).toList(), e.failed())
              : event,
          before,
          now);
    }
  },
  ONE_OF_THEM_IS_ENOUGH(RETRIES) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      List<FailingTest> flaky =
          event instanceof QueueEvent.TestsFailed e
              ? e.tests().stream().filter(FailingTest::isFlaky).toList()
              : List.of();
      return Engine.on(
          event instanceof QueueEvent.TestsFailed e && !flaky.isEmpty()
              ? with(e, flaky, flaky.size())
              : event,
          before,
          now);
    }
  },
  RETRIES_ARE_NOT_COUNTED(RETRIES, COMES_TO_REST) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      Step step = Engine.on(event, before, now);
      return Tampering.after(step, Tampering.groups(step.after(), g -> g.unretried()));
    }
  },
  NOBODY_WAITS_FOR_RESULTS(KNOWN_FLAKES) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      return Engine.on(
          event instanceof QueueEvent.ResultsExpected ? new QueueEvent.TimePassed() : event,
          before,
          now);
    }
  },
  NOBODY_LOOKS_AT_THE_TARGET_BRANCH(BROKEN_TARGET) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      return Engine.on(
          event instanceof QueueEvent.TestsFailed e
              ? with(e, e.tests().stream().map(FlakeBug::unseen).toList(), e.failed())
              : event,
          before,
          now);
    }
  },
  ONLY_THE_FIRST_RESULTS_COUNT(BROKEN_TARGET) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      return Engine.on(
          event instanceof QueueEvent.TestsFailed e && hasResults(before, e.run())
              ? new QueueEvent.TimePassed()
              : event,
          before,
          now);
    }
  },
  THE_QUEUE_STAYS_PAUSED(EVERY_WAIT_ENDS, COMES_TO_REST) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      boolean ofTarget =
          event instanceof QueueEvent.StatusReported e
              && before.groupOf(e.run()).filter(Group::testsTarget).isPresent();
      return Engine.on(ofTarget ? new QueueEvent.TimePassed() : event, before, now);
    }
  },
  A_PAUSE_BY_PEOPLE_IS_LIFTED(GOES_ON) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      Step step = Engine.on(event, before, now);
      boolean lifts =
          before.doubt().suspicion().isPresent()
              && step.after().doubt().suspicion().isEmpty()
              && step.after().lifecycle() == QueueLifecycle.PAUSED;
      return lifts
          ? Tampering.after(step, Tampering.lifecycle(step.after(), QueueLifecycle.RUNNING))
          : step;
    }
  },
  A_SUSPICION_IS_FORGOTTEN(GOES_ON) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      boolean forgets =
          event instanceof QueueEvent.SnapshotTaken && before.doubt().suspicion().isPresent();
      return Engine.on(
          forgets ? new QueueEvent.LifecycleRequested(QueueLifecycle.RUNNING) : event, before, now);
    }
  };

  @SuppressWarnings("ImmutableEnumChecker")
  private final Set<Invariant> catchers;

  FlakeBug(Invariant... catchers) {
    this.catchers = Set.of(catchers);
  }

  @Override
  public Set<Invariant> catchers() {
    return catchers;
  }

  private static QueueEvent with(
      QueueEvent.TestsFailed event, List<FailingTest> tests, int failed) {
    return new QueueEvent.TestsFailed(event.run(), failed, tests);
  }

  private static boolean hasResults(QueueState state, RunId run) {
    return state
        .groupOf(run)
        .flatMap(g -> g.run(run))
        .flatMap(Run::results)
        .filter(r -> r.awaitedUntil().isEmpty())
        .isPresent();
  }

  private static FailingTest unseen(FailingTest test) {
    return new FailingTest(test.id(), test.name(), test.flaky());
  }

  private static FailingTest flaky(FailingTest test) {
    return new FailingTest(test.id(), test.name(), Optional.of("it may be"));
  }
}
