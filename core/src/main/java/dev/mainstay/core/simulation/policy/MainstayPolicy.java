package dev.mainstay.core.simulation.policy;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.Connection;
import dev.mainstay.core.queue.FailingTest;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.Priority;
import dev.mainstay.core.queue.PullRequestSnapshot;
import dev.mainstay.core.queue.QueueAction;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.RunId;
import dev.mainstay.core.queue.Step;
import dev.mainstay.core.queue.Transition;
import dev.mainstay.core.queue.rules.Engine;
import dev.mainstay.core.simulation.Build;
import dev.mainstay.core.simulation.Policy;
import dev.mainstay.core.simulation.Stage;
import dev.mainstay.core.simulation.world.SimulatedChange;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Ours: the real engine, with a forge that never fails and answers at once. */
public final class MainstayPolicy implements Policy {
  private static final String BRANCH = "main";
  private static final String STATUS = "test";
  private static final List<FailingTest> FLAKE =
      List.of(new FailingTest("flake", "flake", Optional.of("it fails for no reason")));

  private final Deque<QueueEvent> inbox = new ArrayDeque<>();
  private final Map<RunId, Build> builds = new HashMap<>();
  private final Map<Build, RunId> runs = new HashMap<>();
  private final Map<CommitSha, Build> tested = new HashMap<>();
  private final Map<Integer, Build> proofs = new HashMap<>();
  private final Map<Integer, Build> begun = new HashMap<>();
  private final Watcher watcher;
  private final boolean knowsFlakes;
  private QueueState state;
  private long commits;

  /** Sees the queue right after a change has arrived. */
  @FunctionalInterface
  public interface Watcher {
    void arrived(SimulatedChange change, PullRequestRef pr, QueueState after, Instant now);
  }

  public MainstayPolicy(QueueSettings settings) {
    this(settings, false, (change, pr, after, now) -> {});
  }

  public MainstayPolicy(QueueSettings settings, Watcher watcher) {
    this(settings, false, watcher);
  }

  /** Where it knows flakes, test health tells it of builds that failed for no reason. */
  public MainstayPolicy(QueueSettings settings, boolean knowsFlakes) {
    this(settings, knowsFlakes, (change, pr, after, now) -> {});
  }

  private MainstayPolicy(QueueSettings settings, boolean knowsFlakes, Watcher watcher) {
    this.knowsFlakes = knowsFlakes;
    this.watcher = watcher;
    state =
        QueueState.empty(
            BRANCH,
            Optional.of(new CommitSha("main-0")),
            settings.edit().requiredStatuses(Optional.of(List.of(STATUS))).build(),
            new Connection(true, List.of(STATUS), false));
  }

  @Override
  public void arrived(SimulatedChange change, Stage stage) {
    inbox.add(
        new QueueEvent.Submitted(
            pullRequest(change.id()),
            Priority.DEFAULT,
            false,
            Optional.of(snapshot(pullRequest(change.id()), stage)),
            Optional.of(targets(change))));
    work(stage);
    watcher.arrived(change, pullRequest(change.id()), state, Instant.ofEpochMilli(stage.now()));
  }

  @Override
  public void finished(Build build, Stage stage) {
    RunId run = runs.get(build);
    if (run == null) {
      throw new IllegalStateException("a build finished that no run asked for");
    }
    build.own().forEach(change -> proofs.put(change, build));
    if (knowsFlakes && build.flaked()) {
      inbox.add(new QueueEvent.TestsFailed(run, 1, FLAKE));
    }
    CheckState result = build.passed() ? CheckState.SUCCESS : CheckState.FAILURE;
    inbox.add(new QueueEvent.StatusReported(run, STATUS, result));
    work(stage);
  }

  @Override
  public void woke(Stage stage) {
    inbox.add(new QueueEvent.TimePassed());
    work(stage);
  }

  private void work(Stage stage) {
    while (!inbox.isEmpty()) {
      Step step = Engine.on(inbox.removeFirst(), state, Instant.ofEpochMilli(stage.now()));
      state = step.after();
      // A change that has landed by this step is part of the base that its new runs start from.
      step.transitions().forEach(transition -> record(transition, stage));
      step.actions().forEach(action -> act(action, stage));
    }
  }

  private void act(QueueAction action, Stage stage) {
    switch (action) {
      case QueueAction.StartRun start -> start(start, stage);
      case QueueAction.CancelRun cancel -> {
        Build build = builds.remove(cancel.run());
        if (build != null) {
          stage.abort(build);
        }
      }
      case QueueAction.Land landing -> land(landing);
      case QueueAction.TakeSnapshot ask ->
          inbox.add(new QueueEvent.SnapshotTaken(ask.pr(), snapshot(ask.pr(), stage)));
      case QueueAction.WakeAt wake -> stage.wakeAt(wake.at().toEpochMilli());
    }
  }

  private void start(QueueAction.StartRun start, Stage stage) {
    List<Integer> own = start.tested().stream().map(change -> id(change.pr())).toList();
    List<Integer> assumed =
        start.standsOn().stream()
            .map(change -> id(change.pr()))
            .filter(change -> !stage.hasLanded(change))
            .toList();
    Build build = stage.build(own, assumed);
    var commit = new CommitSha("test-" + start.run().number());
    builds.put(start.run(), build);
    own.forEach(change -> begun.put(change, build));
    runs.put(build, start.run());
    tested.put(commit, build);
    inbox.add(new QueueEvent.TestBranchBuilt(start.run(), commit));
    inbox.add(new QueueEvent.StatusReported(start.run(), STATUS, CheckState.PENDING));
  }

  private void land(QueueAction.Land landing) {
    landing
        .tested()
        .map(tested::get)
        .ifPresent(
            proof -> landing.changes().forEach(change -> proofs.put(id(change.pr()), proof)));
    var landed =
        landing.changes().stream()
            .map(change -> new QueueEvent.Landed(change.pr(), new CommitSha("main-" + ++commits)))
            .toList();
    inbox.add(new QueueEvent.LandingEnded(landing.landing(), landed, Optional.empty()));
  }

  private void record(Transition transition, Stage stage) {
    int change = id(transition.pr());
    switch (transition.to()) {
      case MERGED -> stage.land(change, proof(change));
      case FAILED -> stage.reject(change, proof(change));
      case CANCELLED ->
          throw new IllegalStateException("nobody cancelled " + transition.pr() + " here");
      case NOT_READY, PENDING, TESTING, TESTS_PASSED, PENDING_FAILURE -> {}
    }
  }

  /** Of one whose every build took too long, the last that was begun. */
  private Build proof(int change) {
    Build proof = proofs.containsKey(change) ? proofs.get(change) : begun.get(change);
    if (proof == null) {
      throw new IllegalStateException("change " + change + " ended without any build");
    }
    return proof;
  }

  private static PullRequestSnapshot snapshot(PullRequestRef pr, Stage stage) {
    SimulatedChange.Origin origin = stage.world().change(id(pr)).origin();
    return new PullRequestSnapshot(
            new CommitSha("head-" + pr.number()),
            BRANCH,
            PullRequestSnapshot.Status.OPEN,
            PullRequestSnapshot.Mergeability.MERGEABLE,
            Optional.empty(),
            Set.of(),
            Instant.ofEpochMilli(stage.now()))
        .by(origin.author(), origin.files());
  }

  private static ImpactedTargets targets(SimulatedChange change) {
    return change.touchesAll()
        ? ImpactedTargets.ALL
        : ImpactedTargets.of(change.targets().stream().map(target -> "t" + target).toList());
  }

  private static PullRequestRef pullRequest(int change) {
    return new PullRequestRef(change + 1);
  }

  private static int id(PullRequestRef pr) {
    return pr.number() - 1;
  }
}
