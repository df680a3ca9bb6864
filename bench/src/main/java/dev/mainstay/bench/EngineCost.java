package dev.mainstay.bench;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.Connection;
import dev.mainstay.core.queue.Doubt;
import dev.mainstay.core.queue.Entries;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.EntryId;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.HeadTargets;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.Looked;
import dev.mainstay.core.queue.Priority;
import dev.mainstay.core.queue.Progress;
import dev.mainstay.core.queue.PullRequestSnapshot;
import dev.mainstay.core.queue.PullRequestSnapshot.Mergeability;
import dev.mainstay.core.queue.PullRequestSnapshot.Status;
import dev.mainstay.core.queue.QueueAction;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueEvent.Landed;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.queue.QueueSettings.Mode;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Reason;
import dev.mainstay.core.queue.ReasonCode;
import dev.mainstay.core.queue.RunId;
import dev.mainstay.core.queue.Step;
import dev.mainstay.core.queue.rules.Engine;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * The cost of an event as the open queue grows: prints the mean and the worst of the events that
 * one pull request brings about (submission, branch, status, merge, cancellation, push of others),
 * and how many times the mean is that of the queue a tenth as long: at most ten, if growth is
 * linear.
 */
public final class EngineCost {
  private static final int[] SIZES = {100, 1_000, 10_000};
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private EngineCost() {}

  private record Kind(String name, Mode mode, int targets, boolean batch, int budget) {
    Kind(String name, Mode mode, int targets, boolean batch) {
      this(name, mode, targets, batch, 0);
    }
  }

  public static void run() {
    measure(new Kind("warm-up", Mode.PARALLEL, 10, true), 1_000);
    measure(new Kind("warm-up", Mode.SINGLE, 0, false, 2), 1_000);
    System.out.printf("%-28s %8s %12s %12s %8s%n", "queue", "open", "mean µs", "worst µs", "ratio");
    compare(new Kind("single", Mode.SINGLE, 0, false));
    compare(new Kind("single, budget 2", Mode.SINGLE, 0, false, 2));
    compare(new Kind("single, batches", Mode.SINGLE, 0, true));
    for (int targets : new int[] {1, 10, 100, 1_000}) {
      compare(new Kind("parallel, %d targets".formatted(targets), Mode.PARALLEL, targets, false));
    }
    compare(new Kind("parallel, 10, budget 2", Mode.PARALLEL, 10, false, 2));
    compare(new Kind("parallel, 10, batches", Mode.PARALLEL, 10, true));
    compare(new Kind("parallel, 1000, batches", Mode.PARALLEL, 1_000, true));
  }

  private static void compare(Kind kind) {
    double before = 0;
    for (int open : SIZES) {
      double[] micros = measure(kind, open);
      String ratio = before == 0 ? "" : "%.1f".formatted(micros[0] / before);
      System.out.printf(
          Locale.ROOT,
          "%-28s %8d %12.0f %12.0f %8s%n",
          kind.name(),
          open,
          micros[0],
          micros[1],
          ratio);
      before = micros[0];
    }
  }

  private static double[] measure(Kind kind, int open) {
    var world = new World(kind);
    world.begin(open);
    world.turn(20);
    world.costs.clear();
    world.turn(open > 1_000 ? 30 : 150);
    double[] sorted = world.costs.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    if (sorted.length == 0) {
      throw new IllegalStateException(kind.name() + " measured nothing");
    }
    double mean = Arrays.stream(sorted).sum() / sorted.length;
    return new double[] {mean, sorted[sorted.length - 1]};
  }

  /** A queue that stays as long as it is: for each one that ends, another one comes. */
  private static final class World {
    private final Random random = new Random(1);
    private final int targets;
    final List<Double> costs = new ArrayList<>();
    private QueueState state;
    private int submitted;
    private long commits;

    World(Kind kind) {
      targets = kind.targets();
      state =
          QueueState.empty(
              "main",
              Optional.of(new CommitSha("m0")),
              QueueSettings.defaults()
                  .edit()
                  .mode(kind.mode())
                  .concurrency(50)
                  .batch(kind.batch())
                  .speculationBudget(kind.budget())
                  .batchingMaxWaitTimeMinutes(0)
                  .build(),
              new Connection(true, List.of("ci"), false));
    }

    /** Everybody at once: they are let in together by the next event. */
    void begin(int open) {
      var entries = new ArrayList<Entry>();
      while (entries.size() < open) {
        QueueEvent.Submitted event = submission();
        var id = new EntryId(submitted);
        var why = new Reason(ReasonCode.SUBMITTED, "It was submitted.");
        CommitSha head = event.snapshot().orElseThrow().head();
        entries.add(
            Entry.submitted(id, event, why, NOW)
                .touching(new HeadTargets(head, event.targets().orElseThrow())));
      }
      state =
          new QueueState(
              state.settings(),
              state.lifecycle(),
              Optional.empty(),
              state.connection(),
              state.target(),
              Entries.of(entries),
              List.of(),
              List.of(),
              Optional.empty(),
              Optional.empty(),
              submitted,
              Progress.NONE,
              Doubt.NONE,
              Looked.AT_NOBODY,
              state.learned());
      tell(new QueueEvent.TimePassed());
    }

    private void fill(int open) {
      while (state.entries().size() < open) {
        tell(submission());
      }
    }

    /** One of those under test passes, merges, or goes; another one is submitted. */
    void turn(int times) {
      for (int i = 0; i < times; i++) {
        Group group = state.line().get(random.nextInt(Math.min(50, state.line().size())));
        int size = state.entries().size();
        if (i % 10 == 9) {
          tell(new QueueEvent.Cancelled(group.members().getFirst().pr()));
        } else if (i % 30 == 17) {
          tell(
              new QueueEvent.TargetMoved(
                  state.target().head(), commit(), Optional.of(ImpactedTargets.NONE)));
        } else {
          pass(i % 2 == 0 ? state.line().getFirst() : group);
        }
        fill(size);
      }
    }

    private void pass(Group group) {
      if (group.isTesting()) {
        RunId run = group.run().orElseThrow().id();
        tell(new QueueEvent.StatusReported(run, "ci", CheckState.SUCCESS));
      }
    }

    private QueueEvent.Submitted submission() {
      PullRequestRef pr = new PullRequestRef(++submitted);
      var snapshot =
          new PullRequestSnapshot(
              new CommitSha("h" + submitted),
              "main",
              Status.OPEN,
              Mergeability.MERGEABLE,
              Optional.empty(),
              Set.of(),
              NOW);
      return new QueueEvent.Submitted(
          pr, Priority.DEFAULT, false, Optional.of(snapshot), Optional.of(touched()));
    }

    /** Some targets of many: neighbours meet, most others do not. */
    private ImpactedTargets touched() {
      var names = new ArrayList<String>();
      int first = random.nextInt(1_000) * 100;
      for (int i = 0; i < targets; i++) {
        names.add("target-" + (first + i));
      }
      return ImpactedTargets.of(names);
    }

    private CommitSha commit() {
      return new CommitSha("m" + ++commits);
    }

    private void tell(QueueEvent event) {
      long begin = System.nanoTime();
      Step step = Engine.on(event, state, NOW);
      costs.add((System.nanoTime() - begin) / 1_000.0);
      state = step.after();
      step.actions().forEach(this::answer);
    }

    private void answer(QueueAction action) {
      switch (action) {
        case QueueAction.StartRun start ->
            tell(new QueueEvent.TestBranchBuilt(start.run(), commit()));
        case QueueAction.Land land ->
            tell(
                new QueueEvent.LandingEnded(
                    land.landing(),
                    land.changes().stream().map(c -> new Landed(c.pr(), commit())).toList(),
                    Optional.empty()));
        case QueueAction.CancelRun ignored -> {}
        case QueueAction.TakeSnapshot ignored -> {}
        case QueueAction.WakeAt ignored -> {}
      }
    }
  }
}
