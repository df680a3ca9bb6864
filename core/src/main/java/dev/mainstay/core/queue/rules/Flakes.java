package dev.mainstay.core.queue.rules;

import dev.mainstay.core.queue.FailingTest;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.GroupId;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Reason;
import dev.mainstay.core.queue.ReasonCode;
import dev.mainstay.core.queue.Run;
import dev.mainstay.core.queue.RunResults;
import dev.mainstay.core.queue.Step;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A group whose run failed only in tests that are known to be flaky is tested again in its place,
 * as often as {@code flakeRetries} says, and nobody is blamed; neither is anybody else tested
 * again. After that its failure is one like any other. A verdict waits a short while for results
 * that are on their way.
 */
final class Flakes {
  /** The tests that a sentence names. */
  private static final int NAMED = 3;

  private Flakes() {}

  static Step testAgain(QueueState state, Instant now) {
    var next = new NextState(state, now);
    var excused = new ArrayList<Group>();
    state.line().forEach(g -> addExcused(excused, g, state));
    state.side().forEach(g -> addExcused(excused, g, state));
    if (!excused.isEmpty()) {
      Set<GroupId> proven = Proof.byOthers(state.line(), state.settings(), state.landing());
      excused.stream()
          .filter(g -> !proven.contains(g.id()))
          .forEach(g -> testAgain(next, g, state.settings().flakeRetries()));
    }
    return next.done();
  }

  private static void addExcused(List<Group> excused, Group group, QueueState state) {
    if (group.failed()
        && group.flakeRetries() < state.settings().flakeRetries()
        && group.run().filter(Flakes::hasOnlyFlakes).isPresent()) {
      excused.add(group);
    }
  }

  private static void testAgain(NextState next, Group group, int most) {
    int times = group.flakeRetries() + 1;
    next.retest(group, again(results(group).orElseThrow(), times, most), true);
  }

  private static Reason again(RunResults results, int times, int most) {
    String sentence =
        "%s, known to be flaky: it is tested again, %d of %d times."
            .formatted(failed(results), times, most);
    return new Reason(ReasonCode.FLAKE_RETRY, sentence);
  }

  private static boolean hasOnlyFlakes(Run run) {
    return failedInTests(run) && run.results().filter(RunResults::hasOnlyFlakes).isPresent();
  }

  static boolean failedInTests(Run run) {
    return run.failed()
        && run.failure().filter(f -> f.why().code() == ReasonCode.TEST_FAILED).isPresent();
  }

  /** Its run failed, and results that may excuse it are on their way. */
  static boolean awaitsResults(Group group, Instant now) {
    return awaitedUntil(group).filter(now::isBefore).isPresent();
  }

  static Optional<Instant> awaitedUntil(Group group) {
    return group.failed()
        ? group
            .run()
            .filter(Flakes::failedInTests)
            .flatMap(Run::results)
            .flatMap(RunResults::awaitedUntil)
        : Optional.empty();
  }

  /** The reason for which its run failed, with the tests, where they are known. */
  static Reason verdict(Group group) {
    Reason why = group.failure();
    return results(group)
        .filter(r -> r.failed() > 0 && why.code() == ReasonCode.TEST_FAILED)
        .map(r -> new Reason(why.code(), why.sentence() + " " + told(r, group.flakeRetries())))
        .orElse(why);
  }

  private static String told(RunResults results, int retries) {
    String again =
        retries == 0
            ? ""
            : ", also when tested again" + (retries > 1 ? " " + retries + " times" : "");
    return failed(results) + again + ".";
  }

  private static Optional<RunResults> results(Group group) {
    return group.run().flatMap(Run::results);
  }

  /** The tests by their names, some of many, with what is known against them. */
  private static String failed(RunResults results) {
    List<String> named = results.tests().stream().limit(NAMED).map(Flakes::named).toList();
    int others = results.failed() - named.size();
    String more = others > 0 ? " and %d more".formatted(others) : "";
    return String.join(", ", named) + more + " failed";
  }

  private static String named(FailingTest test) {
    return test.name() + test.flaky().map(" (%s)"::formatted).orElse("");
  }
}
