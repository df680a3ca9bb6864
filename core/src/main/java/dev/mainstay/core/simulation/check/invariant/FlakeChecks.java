package dev.mainstay.core.simulation.check.invariant;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.FailingTest;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.GroupId;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.ReasonCode;
import dev.mainstay.core.queue.Run;
import dev.mainstay.core.queue.RunId;
import dev.mainstay.core.queue.Transition;
import dev.mainstay.core.simulation.check.play.TraceWords;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Follows what the queue was told of tests, and holds against it who is blamed and who is not. */
final class FlakeChecks {
  private final Set<RunId> excused = new HashSet<>();
  private final Map<RunId, Instant> awaited = new HashMap<>();
  private final Map<GroupId, Integer> retried = new HashMap<>();

  void after(Observation o) {
    hear(o);
    if (o.step().transitions().stream().anyMatch(FlakeChecks::isRetry)) {
      o.before().groups().filter(g -> isGivenUp(g, o)).forEach(g -> mayTryAgain(g, o));
      o.before()
          .groups()
          .filter(g -> startsAgain(g, o))
          .forEach(g -> retried.merge(g.id(), 1, Integer::sum));
    }
    o.step().transitions().stream().filter(FlakeChecks::blames).forEach(t -> blamed(t, o));
  }

  /** The first word on how long to wait counts, and the last one on what failed. */
  private void hear(Observation o) {
    switch (o.event()) {
      case QueueEvent.TestsFailed e -> {
        awaited.put(e.run(), Instant.MIN);
        boolean flakes = e.tests().stream().allMatch(FailingTest::isFlaky);
        if (flakes && !e.tests().isEmpty()) {
          excused.add(e.run());
        } else {
          excused.remove(e.run());
        }
      }
      case QueueEvent.ResultsExpected e -> awaited.putIfAbsent(e.run(), e.until());
      case QueueEvent.RestartRequested e ->
          o.before()
              .groupOf(e.pr())
              .filter(g -> g.run().isPresent() && !Lineup.isLanding(o.before(), g))
              .ifPresent(g -> retried.remove(g.id()));
      default -> {}
    }
  }

  private static Optional<RunId> runNow(Group group, Observation o) {
    return o.after()
        .groups()
        .filter(g -> g.id().equals(group.id()))
        .findFirst()
        .flatMap(Group::run)
        .map(Run::id);
  }

  /** Because of flakes none of its runs is its run any more. */
  private static boolean isGivenUp(Group group, Observation o) {
    return group.run().isPresent()
        && runNow(group, o).flatMap(group::run).isEmpty()
        && flakes(group, o).findAny().isPresent();
  }

  private static boolean startsAgain(Group group, Observation o) {
    Optional<RunId> now = runNow(group, o);
    return now.isPresent()
        && now.flatMap(group::run).isEmpty()
        && flakes(group, o).anyMatch(t -> t.to() == PullRequestState.TESTING);
  }

  private static Stream<Transition> flakes(Group group, Observation o) {
    return o.step().transitions().stream().filter(t -> isRetry(t) && group.holds(t.pr()));
  }

  private static boolean isRetry(Transition t) {
    return t.reason().code() == ReasonCode.FLAKE_RETRY;
  }

  private void mayTryAgain(Group group, Observation o) {
    int times = retried.getOrDefault(group.id(), 0) + 1;
    int most = o.after().settings().flakeRetries();
    if (group.runs().stream().noneMatch(r -> excused.contains(r.id())) || times > most) {
      throw new InvariantBroken(
          Invariant.RETRIES,
          "%s is tested again, %d of %d times".formatted(group.pullRequests(), times, most));
    }
  }

  static boolean blames(Transition t) {
    return t.reason().code() == ReasonCode.BISECTING
        || (t.to() == PullRequestState.FAILED && t.reason().code() == ReasonCode.TEST_FAILED);
  }

  private void blamed(Transition t, Observation o) {
    Optional<Group> group = o.before().groupOf(t.pr());
    Optional<Run> run = group.flatMap(Group::run).filter(r -> failed(r, o));
    if (run.isEmpty()) {
      return;
    }
    int tries = retried.getOrDefault(group.orElseThrow().id(), 0);
    boolean left = tries < o.after().settings().flakeRetries();
    Predicate<Run> open = r -> (left && excused.contains(r.id())) || isAwaited(r, o);
    if (open.test(run.get()) && !failedWithout(group.orElseThrow(), run.get(), open, o)) {
      throw new InvariantBroken(
          Invariant.KNOWN_FLAKES,
          "%s for %s after %d retries".formatted(TraceWords.of(t), run.get().id(), tries));
    }
  }

  /** Another run failed, for whatever reason, and counts as one that it left out has left. */
  private static boolean failedWithout(Group group, Run run, Predicate<Run> open, Observation o) {
    List<PullRequestRef> left =
        o.step().transitions().stream()
            .filter(FlakeChecks::leavesTheLine)
            .map(Transition::pr)
            .toList();
    return group.runs().stream()
        .filter(r -> !r.id().equals(run.id()) && r.leavesOut(left))
        .filter(r -> r.failed() || failed(r, o))
        .anyMatch(open.negate());
  }

  private static boolean leavesTheLine(Transition t) {
    return t.to().isEnd()
        || t.to() == PullRequestState.NOT_READY
        || t.reason().code() == ReasonCode.BISECTING;
  }

  private boolean isAwaited(Run run, Observation o) {
    return awaited.getOrDefault(run.id(), Instant.MIN).isAfter(o.now());
  }

  /** The run failed in a status, before this event or by it. */
  static boolean failed(Run run, Observation o) {
    boolean now =
        o.event() instanceof QueueEvent.StatusReported e
            && e.run().equals(run.id())
            && e.state() == CheckState.FAILURE
            && run.isInProgress();
    return now || run.failure().filter(f -> f.why().code() == ReasonCode.TEST_FAILED).isPresent();
  }
}
