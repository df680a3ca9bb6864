package dev.mainstay.core.queue.rules;

import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.GroupId;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Reason;
import dev.mainstay.core.queue.ReasonCode;
import dev.mainstay.core.queue.Step;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Where the queue merges directly, a pull request that is up to date with the target branch and has
 * passed all that must pass needs no test run, if it stands on nothing: the queue is empty, or in
 * parallel mode its lane is.
 */
final class DirectMerge {
  private DirectMerge() {}

  /** A group that could not be merged directly needs a test run after all. */
  static Step testTheOutdated(QueueState state, Instant now) {
    var next = new NextState(state, now);
    for (Group group : state.line()) {
      if (group.direct() && !state.isLanding(group.id())) {
        next.retest(group, outdated(state), true);
      }
    }
    return next.done();
  }

  /** Where no other merge is under way, a pull request that is up to date is merged at once. */
  static Step mergeTheUpToDate(QueueState state, Instant now) {
    var next = new NextState(state, now);
    boolean direct =
        state.settings().directMergeMode() == QueueSettings.DirectMergeMode.ALWAYS
            && state.landing().isEmpty()
            && state.lifecycle().moves();
    if (direct && (state.line().isEmpty() || state.settings().isParallel())) {
      firstUpToDate(state).ifPresent(entry -> merge(next, entry));
    }
    return next.done();
  }

  private static Optional<Entry> firstUpToDate(QueueState state) {
    List<Entry> waiting = state.waiting();
    if (!state.settings().isParallel()) {
      return waiting.stream().findFirst().filter(e -> isUpToDate(e, state));
    }
    var ahead = new Ahead();
    state.line().stream()
        .flatMap(g -> g.pullRequests().stream())
        .flatMap(pr -> state.entry(pr).stream())
        .forEach(ahead::add);
    for (Entry entry : waiting) {
      if (isUpToDate(entry, state) && !ahead.meets(entry)) {
        return Optional.of(entry);
      }
      ahead.add(entry);
    }
    return Optional.empty();
  }

  private static boolean isUpToDate(Entry entry, QueueState state) {
    List<String> required = MustPass.statuses(state).orElse(List.of());
    return entry
        .snapshot()
        .filter(s -> s.mergeBase().isPresent() && s.mergeBase().equals(state.target().head()))
        .filter(s -> s.passedStatuses().containsAll(required))
        .isPresent();
  }

  private static void merge(NextState next, Entry entry) {
    String sentence = "It is up to date and has passed all that must pass.";
    var why = new Reason(ReasonCode.UP_TO_DATE, sentence);
    var change = new Change(entry.pr(), entry.admittedHead().orElseThrow());
    Group group = Group.of(new GroupId(next.nextId()), List.of(change), why).mergedDirectly();
    next.put(group);
    next.move(group, PullRequestState.TESTS_PASSED, why);
    Landing.land(next, List.of(group));
  }

  private static Reason outdated(QueueState state) {
    String sentence = state.target().branch() + " moved, so it needs a test run.";
    return new Reason(ReasonCode.TARGET_MOVED, sentence);
  }

  /** All targets that are touched by those ahead. */
  private static final class Ahead {
    private final Set<String> names = new HashSet<>();
    private boolean all;

    void add(Entry entry) {
      ImpactedTargets targets = entry.knownTargets().orElse(ImpactedTargets.ALL);
      all |= targets.all();
      names.addAll(targets.names());
    }

    boolean meets(Entry entry) {
      ImpactedTargets targets = entry.knownTargets().orElse(ImpactedTargets.ALL);
      if (targets.all()) {
        return all || !names.isEmpty();
      }
      return !targets.isEmpty() && (all || targets.names().stream().anyMatch(names::contains));
    }
  }
}
