package dev.mainstay.core.queue.rules;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.Doubt;
import dev.mainstay.core.queue.Doubt.PastFailure;
import dev.mainstay.core.queue.Doubt.Suspicion;
import dev.mainstay.core.queue.FailingTest;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.GroupId;
import dev.mainstay.core.queue.Half;
import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Reason;
import dev.mainstay.core.queue.ReasonCode;
import dev.mainstay.core.queue.Run;
import dev.mainstay.core.queue.RunKind;
import dev.mainstay.core.queue.RunResults;
import dev.mainstay.core.queue.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A test that fails on the target branch, too, or in two runs which have no change in common with
 * no run that passed between them, is the fault of the branch or of what tests it. Then nobody is
 * blamed: the queue pauses, with the reason, and the target branch is tested by itself, by a group
 * of nobody in the side queue. Once that passes, the queue goes on by itself, and what failed is
 * tested again; until then the target branch is tested again whenever it moves, and after a while.
 * A pause by people stays. People may let the queue go on, too.
 */
final class Suspicions {
  /** The time after which a target branch that failed is tested again though nobody moved it. */
  static final Duration REST = Duration.ofMinutes(30);

  private Suspicions() {}

  static Step weigh(QueueState state, Instant now) {
    var next = new NextState(state, now);
    state.line().forEach(g -> weigh(next, g));
    state.side().forEach(g -> weigh(next, g));
    return next.done();
  }

  private static void weigh(NextState next, Group group) {
    for (Run run : group.runs()) {
      if (!group.testsTarget() && Flakes.failedInTests(run)) {
        weigh(next, group, run);
      }
    }
  }

  /** Each of its tests once, and again when it has become known to fail on the target branch. */
  private static void weigh(NextState next, Group group, Run run) {
    Doubt known = next.doubt;
    var tests = new ArrayList<FailingTest>();
    var cleared = new ArrayList<FailingTest>();
    for (FailingTest test : run.results().map(RunResults::tests).orElse(List.of())) {
      if (!test.isFlaky() && !known.knows(run.id(), test)) {
        (known.cleared().contains(test.id()) ? cleared : tests).add(test);
      }
    }
    if (tests.isEmpty()) {
      return;
    }
    var held = new ArrayList<>(group.pullRequests());
    run.lands().stream().map(Change::pr).forEach(held::add);
    next.doubt = known.with(new PastFailure(run.id(), held, tests));
    if (!cleared.isEmpty()) {
      next.doubt = next.doubt.with(new PastFailure(run.id(), List.of(), cleared));
    }
    if (known.suspicion().isEmpty()) {
      suspected(next, tests, t -> t.onTarget().isPresent(), Suspicions::onTarget)
          .or(() -> alike(next, known, tests, held))
          .ifPresent(s -> open(next, s));
    }
  }

  private interface Words {
    String of(FailingTest test);
  }

  private static Optional<Suspicion> suspected(
      NextState next, List<FailingTest> tests, Predicate<FailingTest> speaksAgainst, Words words) {
    List<FailingTest> against = tests.stream().filter(speaksAgainst).toList();
    if (against.isEmpty()) {
      return Optional.empty();
    }
    String more = against.size() > 1 ? " (and so did %d more)".formatted(against.size() - 1) : "";
    String sentence =
        "%s%s: %s is tested by itself, and nobody is blamed until it passes."
            .formatted(words.of(against.getFirst()), more, next.target.branch());
    return Optional.of(
        new Suspicion(
            next.lifecycle,
            new Reason(ReasonCode.TARGET_SUSPECTED, sentence),
            against.stream().map(FailingTest::id).toList()));
  }

  private static String onTarget(FailingTest test) {
    return "%s failed, and %s".formatted(test.name(), test.onTarget().orElseThrow());
  }

  /** The same test failed in a run that has no change in common with this one. */
  private static Optional<Suspicion> alike(
      NextState next, Doubt known, List<FailingTest> tests, List<PullRequestRef> held) {
    return known.failures().stream()
        .filter(f -> f.isUnrelatedTo(held))
        .flatMap(
            f ->
                suspected(
                    next,
                    tests,
                    f::includes,
                    t ->
                        "%s failed in unrelated runs, of %s and of %s"
                            .formatted(
                                t.name(),
                                PullRequestNames.list(f.held()),
                                PullRequestNames.list(held)))
                    .stream())
        .findFirst();
  }

  private static void open(NextState next, Suspicion suspicion) {
    next.doubt = next.doubt.with(suspicion);
    next.lifecycle = QueueLifecycle.PAUSED;
    next.putAside(
        Group.of(new GroupId(next.nextId()), List.of(), suspicion.why()).with(Half.ALONE));
  }

  /** Nobody is blamed for its tests while the target branch is suspected. */
  static boolean holds(Doubt doubt, Group group) {
    return doubt.suspicion().isPresent() && group.run().filter(Flakes::failedInTests).isPresent();
  }

  /** The reason to show for a group that failed. */
  static Reason failure(Doubt doubt, Group group) {
    return doubt
        .suspicion()
        .filter(s -> holds(doubt, group))
        .map(Suspicion::why)
        .orElseGet(group::failure);
  }

  /** The target branch has been tested, or is to be. */
  static Step hearTheTarget(QueueState state, Instant now) {
    var next = new NextState(state, now);
    state
        .doubt()
        .suspicion()
        .flatMap(s -> state.side().stream().filter(Group::testsTarget).findFirst())
        .ifPresent(
            group -> {
              if (group.passed()) {
                goOn(next, next.doubt.over(next.wantedRuns()), passed(state));
              } else if (group.failed()) {
                stayPaused(next, group);
              } else if (group.needsRun() && !group.rests(now) && mayStart(state)) {
                Run run =
                    RunStart.request(next, state, group, RunKind.TARGET, List.of(), List.of());
                next.put(group.testedBy(run));
              }
            });
    return next.done();
  }

  private static boolean mayStart(QueueState state) {
    long busy = state.side().stream().filter(Group::isTesting).count();
    boolean wanted =
        state.doubt().suspicion().filter(s -> s.goesOnAs() != QueueLifecycle.PAUSED).isPresent();
    return wanted
        && busy < state.settings().bisectionSlots()
        && MustPass.statuses(state).isPresent()
        && state.target().head().isPresent();
  }

  private static Reason passed(QueueState state) {
    String sentence = state.target().branch() + " passed by itself, so it is tested again.";
    return new Reason(ReasonCode.TARGET_PASSED, sentence);
  }

  private static void stayPaused(NextState next, Group group) {
    Instant again = next.now.plus(REST);
    String sentence =
        "%s itself does not pass (%s) The queue is paused until it does: it is tested again when it moves, and every %d minutes."
            .formatted(next.target.branch(), Flakes.verdict(group).sentence(), REST.toMinutes());
    var why = new Reason(ReasonCode.TARGET_SUSPECTED, sentence);
    next.doubt = next.doubt.with(next.doubt.suspicion().orElseThrow().because(why));
    next.retestInPlace(group, why, again);
  }

  /** The suspicion is over: what failed meanwhile may have failed because of it. */
  private static void goOn(NextState next, Doubt left, Reason why) {
    next.lifecycle = next.doubt.suspicion().orElseThrow().goesOnAs();
    next.doubt = left;
    next.moved();
    next.side().stream().filter(Group::testsTarget).forEach(next::remove);
    next.line().stream()
        .filter(g -> g.guesses().stream().anyMatch(Flakes::failedInTests) && !next.isLanding(g))
        .toList()
        .forEach(g -> next.put(g.with(g.guesses().stream().filter(r -> !Flakes.failedInTests(r)))));
    Stream.concat(next.line().stream(), next.side().stream())
        .filter(g -> g.run().filter(Flakes::failedInTests).isPresent() && !next.isLanding(g))
        .forEach(g -> next.retest(g, why, true));
  }

  /** People pause the queue, too, or let it go on whatever the target branch does. */
  static void requested(NextState next, QueueLifecycle wanted) {
    Suspicion suspicion = next.doubt.suspicion().orElseThrow();
    next.doubt = next.doubt.with(suspicion.goingOnAs(wanted));
    if (wanted != QueueLifecycle.PAUSED) {
      String sentence = "The queue was told to go on, so it is tested again.";
      goOn(
          next,
          next.doubt.dropped(next.wantedRuns()),
          new Reason(ReasonCode.TARGET_PASSED, sentence));
    }
  }
}
