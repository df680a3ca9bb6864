package dev.mainstay.core.queue.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.Connection;
import dev.mainstay.core.queue.EntryId;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.LandingProblem;
import dev.mainstay.core.queue.Priority;
import dev.mainstay.core.queue.PullRequestSnapshot;
import dev.mainstay.core.queue.PullRequestSnapshot.Mergeability;
import dev.mainstay.core.queue.PullRequestSnapshot.Status;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueAction;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueEvent.Landed;
import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.queue.QueueSettings.Mode;
import dev.mainstay.core.queue.QueueSettings.OptimizationMode;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.RunId;
import dev.mainstay.core.queue.Step;
import dev.mainstay.core.queue.Transition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever happens in whatever order: the engine never throws, its invariants hold, everybody's
 * wait ends, no broken change merges and no good one is rejected.
 */
class RandomEventsTest {
  private static final int WORLDS = Integer.getInteger("worlds", 40);

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void any_order_of_events_is_survived(long block) {
    for (long seed = block * WORLDS; seed < (block + 1) * WORLDS; seed++) {
      try {
        new World(seed).live();
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("Seed " + seed, e);
      }
    }
  }

  /** A world with a fixed truth: some pull requests are broken, some pairs do not go together. */
  private static final class World {
    private static final int PULL_REQUESTS = 14;
    private final Random random;
    private final Map<PullRequestRef, PullRequestSnapshot> forge = new LinkedHashMap<>();
    private final Map<RunId, QueueAction.StartRun> runs = new LinkedHashMap<>();
    private final Map<PullRequestRef, Optional<PullRequestState>> fates = new HashMap<>();
    private final Map<EntryId, PullRequestState> last = new HashMap<>();
    private final Set<PullRequestRef> broken = new HashSet<>();
    private final Set<PullRequestRef> touched = new HashSet<>();
    private final List<List<PullRequestRef>> enemies = new ArrayList<>();
    private final List<PullRequestRef> merged = new ArrayList<>();
    private final List<QueueEvent> due = new ArrayList<>();
    private final boolean calm;
    private CommitSha main = new CommitSha("m0");
    private QueueState state;
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private long counter;

    World(long seed) {
      random = new Random(seed);
      calm = random.nextBoolean();
      state =
          QueueState.empty(
              "main", Optional.of(main), settings(), new Connection(true, List.of("ci"), false));
      for (int i = 1; i <= PULL_REQUESTS; i++) {
        PullRequestRef pr = new PullRequestRef(i);
        forge.put(pr, snapshot(Status.OPEN, 1));
        if (random.nextInt(5) == 0) {
          broken.add(pr);
        }
        if (i > 1 && random.nextInt(5) == 0) {
          enemies.add(List.of(new PullRequestRef(1 + random.nextInt(i - 1)), pr));
        }
      }
    }

    private QueueSettings settings() {
      return QueueSettings.defaults()
          .edit()
          .mode(random.nextBoolean() ? Mode.SINGLE : Mode.PARALLEL)
          .concurrency(1 + random.nextInt(5))
          .batch(random.nextBoolean())
          .batchingMinSize(1 + random.nextInt(5))
          .pendingFailureDepth(random.nextInt(3))
          .canOptimisticallyMerge(random.nextInt(3) == 0)
          .optimizationMode(
              random.nextBoolean()
                  ? OptimizationMode.OFF
                  : OptimizationMode.BISECTION_SKIP_REDUNDANT_TESTS)
          .build();
    }

    private PullRequestSnapshot snapshot(Status status, int push) {
      return new PullRequestSnapshot(
          new CommitSha("h" + push + "-" + counter),
          "main",
          status,
          Mergeability.MERGEABLE,
          Optional.empty(),
          Set.of(),
          now.plusNanos(counter++));
    }

    void live() {
      for (int i = 1; i <= PULL_REQUESTS; i++) {
        submit(new PullRequestRef(i));
        for (int n = random.nextInt(4); n > 0; n--) {
          happen();
        }
      }
      for (int n = 0; n < 150; n++) {
        happen();
      }
      end();
    }

    private void happen() {
      if (!calm && random.nextInt(8) == 0) {
        disturb(new PullRequestRef(1 + random.nextInt(PULL_REQUESTS)));
      }
      if (!due.isEmpty() && random.nextInt(4) > 0) {
        Collections.swap(due, random.nextInt(due.size()), due.size() - 1);
        QueueEvent event = due.removeLast();
        if (random.nextInt(5) == 0) {
          due.add(event);
        }
        tell(event);
      } else {
        now = now.plus(Duration.ofSeconds(random.nextInt(100)));
        tell(new QueueEvent.TimePassed());
      }
    }

    private void submit(PullRequestRef pr) {
      var priority = List.of(0, 10, 100, 100, 100, 200).get(random.nextInt(6));
      fates.putIfAbsent(pr, Optional.empty());
      tell(
          new QueueEvent.Submitted(
              pr,
              new Priority(priority),
              random.nextInt(6) == 0,
              Optional.of(show(pr)),
              Optional.of(targets(pr))));
    }

    private PullRequestSnapshot show(PullRequestRef pr) {
      return Optional.ofNullable(forge.get(pr)).orElseThrow();
    }

    /** Those who do not go together touch something in common. */
    private ImpactedTargets targets(PullRequestRef pr) {
      if (pr.number() == 7) {
        return ImpactedTargets.ALL;
      }
      var names = new ArrayList<String>();
      names.add("t" + pr.number() % 4);
      for (List<PullRequestRef> pair : enemies) {
        if (pair.contains(pr)) {
          names.add("e" + pair.getFirst().number() + "-" + pair.getLast().number());
        }
      }
      return ImpactedTargets.of(names);
    }

    private void disturb(PullRequestRef pr) {
      touched.add(pr);
      switch (random.nextInt(9)) {
        case 0 -> tell(new QueueEvent.Cancelled(pr));
        case 1 -> tell(new QueueEvent.RestartRequested(pr));
        case 2 -> push(pr);
        case 3 -> submit(pr);
        case 4 -> {
          var from = Optional.of(main);
          main = new CommitSha("m" + ++counter);
          boolean known = random.nextBoolean();
          var what =
              known ? Optional.of(ImpactedTargets.of("t1")) : Optional.<ImpactedTargets>empty();
          due.add(new QueueEvent.TargetMoved(from, main, what));
        }
        case 5 -> tell(new QueueEvent.LifecycleRequested(QueueLifecycle.PAUSED));
        case 6 -> tell(new QueueEvent.LifecycleRequested(QueueLifecycle.DRAINING));
        case 7 -> tell(new QueueEvent.LifecycleRequested(QueueLifecycle.RUNNING));
        default ->
            tell(
                new QueueEvent.SettingsChanged(
                    state
                        .settings()
                        .edit()
                        .mode(random.nextBoolean() ? Mode.SINGLE : Mode.PARALLEL)
                        .build()));
      }
    }

    private void push(PullRequestRef pr) {
      if (merged.contains(pr)) {
        return;
      }
      forge.put(pr, snapshot(Status.OPEN, 2));
      due.add(new QueueEvent.SnapshotTaken(pr, show(pr)));
      due.add(new QueueEvent.ImpactedTargetsSet(pr, show(pr).head(), targets(pr)));
    }

    private void tell(QueueEvent event) {
      Step step = Engine.on(event, state, now);
      Invariants.doesNotDependOnWhatWasSeen(event, state, step, now);
      Invariants.hold(step);
      state = step.after();
      Invariants.rests(state, now);
      for (Transition t : step.transitions()) {
        Invariants.follows(Optional.ofNullable(last.put(t.entry(), t.to())), t);
        fates.put(t.pr(), Optional.of(t.to()).filter(PullRequestState::isEnd));
        if (t.to() == PullRequestState.FAILED && calm) {
          assertThat(isGuilty(t.pr())).as("%s was rejected", t.pr()).isTrue();
        }
      }
      step.actions().forEach(this::answer);
      Invariants.runsAreUpToDate(state, runs);
    }

    private boolean isGuilty(PullRequestRef pr) {
      return broken.contains(pr)
          || enemies.stream()
              .filter(pair -> pair.contains(pr))
              .flatMap(List::stream)
              .anyMatch(merged::contains);
    }

    private void answer(QueueAction action) {
      switch (action) {
        case QueueAction.StartRun start -> {
          runs.put(start.run(), start);
          if (random.nextInt(10) == 0) {
            due.add(new QueueEvent.TestBranchNotBuilt(start.run(), "The forge is away."));
          } else {
            due.add(new QueueEvent.TestBranchBuilt(start.run(), new CommitSha("t" + start.run())));
            due.add(new QueueEvent.StatusReported(start.run(), "ci", outcome(start)));
          }
        }
        case QueueAction.Land land -> due.add(land(land));
        case QueueAction.TakeSnapshot ask ->
            due.add(new QueueEvent.SnapshotTaken(ask.pr(), show(ask.pr())));
        case QueueAction.CancelRun ignored -> {}
        case QueueAction.WakeAt ignored -> {}
      }
    }

    private CheckState outcome(QueueAction.StartRun run) {
      var all = new ArrayList<>(merged);
      run.standsOn().forEach(c -> all.add(c.pr()));
      run.tested().forEach(c -> all.add(c.pr()));
      return isGreen(all) ? CheckState.SUCCESS : CheckState.FAILURE;
    }

    private boolean isGreen(List<PullRequestRef> changes) {
      return changes.stream().noneMatch(broken::contains)
          && enemies.stream().noneMatch(changes::containsAll);
    }

    private QueueEvent land(QueueAction.Land land) {
      for (Change change : land.changes()) {
        if (!show(change.pr()).head().equals(change.head())) {
          return ended(land, new LandingProblem.HeadMoved(change.pr()));
        }
      }
      if (!land.onto().equals(main)) {
        return ended(land, new LandingProblem.TargetMoved(main));
      }
      if (random.nextInt(10) == 0) {
        return ended(land, new LandingProblem.ForgeUnavailable("The forge is away."));
      }
      var landed = new ArrayList<Landed>();
      for (Change change : land.changes()) {
        assertThat(merged).doesNotContain(change.pr());
        merged.add(change.pr());
        main = new CommitSha("m" + ++counter);
        landed.add(new Landed(change.pr(), main));
        forge.put(
            change.pr(),
            new PullRequestSnapshot(
                change.head(),
                "main",
                Status.MERGED,
                Mergeability.MERGEABLE,
                Optional.empty(),
                Set.of(),
                now.plusNanos(counter++)));
        due.add(new QueueEvent.SnapshotTaken(change.pr(), show(change.pr())));
      }
      assertThat(isGreen(merged)).as("main after %s", land).isTrue();
      due.add(new QueueEvent.TargetMoved(Optional.of(land.onto()), main, Optional.empty()));
      return new QueueEvent.LandingEnded(land.landing(), landed, Optional.empty());
    }

    private static QueueEvent ended(QueueAction.Land land, LandingProblem problem) {
      return new QueueEvent.LandingEnded(land.landing(), List.of(), Optional.of(problem));
    }

    private void end() {
      for (int rounds = 0; !state.entries().isEmpty() || !due.isEmpty(); rounds++) {
        assertThat(rounds).as("rounds, with %s", state).isLessThan(5000);
        if (!due.isEmpty()) {
          tell(due.removeFirst());
        } else if (state.wakeAt().isPresent()) {
          now = state.wakeAt().get();
          tell(new QueueEvent.TimePassed());
        } else {
          assertThat(state.lifecycle()).as("%s", state).isNotEqualTo(QueueLifecycle.RUNNING);
          tell(new QueueEvent.LifecycleRequested(QueueLifecycle.RUNNING));
        }
      }
      assertThat(fates).allSatisfy((pr, fate) -> assertThat(fate).isPresent());
    }
  }
}
