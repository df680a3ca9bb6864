package dev.mainstay.core.queue;

import dev.mainstay.core.code.PullRequestRef;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The grounds to doubt that the target branch itself, or what tests it, is well: runs that failed
 * lately, of which those before the last one that passed say nothing, and the suspicion they led
 * to. Tests of which a suspicion came to nothing are {@code cleared}, until the target branch
 * moves.
 */
public record Doubt(
    List<PastFailure> failures, List<String> cleared, Optional<Suspicion> suspicion) {
  /** Nothing speaks against the target branch. */
  public static final Doubt NONE = new Doubt(List.of(), List.of(), Optional.empty());

  private static final int REMEMBERED = 100;
  private static final int MOST_CLEARED = 100;

  /**
   * A run that failed, the pull requests it held, and those of its tests not known as flaky. One
   * that says nothing any more holds nobody; its tests are known, so that none is weighed again. A
   * run of which results came in portions has one for each.
   */
  public record PastFailure(RunId run, List<PullRequestRef> held, List<FailingTest> tests) {
    public PastFailure {
      held = List.copyOf(held);
      tests = List.copyOf(tests);
    }

    /** It says something, and neither holds a change of the other. */
    public boolean isUnrelatedTo(Collection<PullRequestRef> others) {
      return !held.isEmpty() && Collections.disjoint(held, others);
    }

    public boolean includes(FailingTest test) {
      return tests.stream().anyMatch(t -> t.id().equals(test.id()));
    }

    /** No more was known against the target branch now; older versions kept no silent tests. */
    private boolean covers(FailingTest test) {
      return tests.isEmpty()
          || tests.stream()
              .filter(t -> t.id().equals(test.id()))
              .anyMatch(t -> t.onTarget().isPresent() || test.onTarget().isEmpty());
    }

    private PastFailure silent() {
      return new PastFailure(run, List.of(), tests);
    }
  }

  /**
   * The target branch is tested by itself, and the queue is paused until it passes; then it goes on
   * as {@code goesOnAs}, which is PAUSED where people have paused it, too.
   */
  public record Suspicion(QueueLifecycle goesOnAs, Reason why, List<String> tests) {
    public Suspicion {
      tests = List.copyOf(tests);
    }

    public Suspicion goingOnAs(QueueLifecycle wanted) {
      return new Suspicion(wanted, why, tests);
    }

    public Suspicion because(Reason newer) {
      return new Suspicion(goesOnAs, newer, tests);
    }
  }

  public Doubt {
    failures = List.copyOf(failures);
    cleared = List.copyOf(cleared);
  }

  /** It was weighed already that this test failed in this run. */
  public boolean knows(RunId run, FailingTest test) {
    return failures.stream().anyMatch(f -> f.run().equals(run) && f.covers(test));
  }

  public Doubt with(PastFailure failure) {
    List<PastFailure> all = Stream.concat(failures.stream(), Stream.of(failure)).toList();
    int surplus = Math.max(0, all.size() - REMEMBERED);
    return new Doubt(all.subList(surplus, all.size()), cleared, suspicion);
  }

  public Doubt with(Suspicion newer) {
    return new Doubt(failures, cleared, Optional.of(newer));
  }

  /** A run passed: whatever failed before it, the target branch was well. */
  public Doubt passed(Set<RunId> wanted) {
    return new Doubt(silenced(wanted), cleared, suspicion);
  }

  /** The target branch is another one: what came to nothing before may be true of it. */
  public Doubt moved() {
    return cleared.isEmpty() ? this : new Doubt(failures, List.of(), suspicion);
  }

  /** People let the queue go on: whatever fails again may be suspected again. */
  public Doubt dropped(Set<RunId> wanted) {
    return new Doubt(silenced(wanted), cleared, Optional.empty());
  }

  /** Of runs that are wanted, results may come once more. */
  private List<PastFailure> silenced(Set<RunId> wanted) {
    return failures.stream()
        .filter(f -> wanted.contains(f.run()))
        .map(PastFailure::silent)
        .toList();
  }

  /** The suspicion came to nothing. */
  public Doubt over(Set<RunId> wanted) {
    Stream<String> more = suspicion.stream().flatMap(s -> s.tests().stream());
    return new Doubt(
        silenced(wanted),
        Stream.concat(cleared.stream(), more).distinct().limit(MOST_CLEARED).toList(),
        Optional.empty());
  }
}
