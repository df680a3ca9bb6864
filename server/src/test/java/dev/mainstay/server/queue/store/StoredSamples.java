package dev.mainstay.server.queue.store;

import dev.mainstay.core.chance.Learned;
import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.Connection;
import dev.mainstay.core.queue.FailingTest;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.LandedHow;
import dev.mainstay.core.queue.LandingId;
import dev.mainstay.core.queue.LandingProblem;
import dev.mainstay.core.queue.Priority;
import dev.mainstay.core.queue.Progress;
import dev.mainstay.core.queue.PullRequestSnapshot;
import dev.mainstay.core.queue.PullRequestSnapshot.Mergeability;
import dev.mainstay.core.queue.PullRequestSnapshot.Status;
import dev.mainstay.core.queue.QueueAction;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.queue.QueueSettings.MergeMethod;
import dev.mainstay.core.queue.QueueSettings.Mode;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Reason;
import dev.mainstay.core.queue.ReasonCode;
import dev.mainstay.core.queue.Run;
import dev.mainstay.core.queue.RunId;
import dev.mainstay.core.queue.RunKind;
import dev.mainstay.core.queue.SentValue;
import dev.mainstay.core.queue.Stall;
import dev.mainstay.core.queue.rules.Engine;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** One of everything that is stored. */
public final class StoredSamples {
  private static final Instant AT = Instant.parse("2026-03-01T12:00:00.123456Z");

  private StoredSamples() {}

  public static ImpactedTargets targets(int count) {
    return ImpactedTargets.of(
        new TreeSet<>(
            IntStream.range(0, count)
                .mapToObj(i -> "//services/part%d:target_%d".formatted(i % 97, i))
                .toList()));
  }

  private static CommitSha sha(int n) {
    return new CommitSha("%040x".formatted(n));
  }

  private static PullRequestRef pr(int number) {
    return new PullRequestRef(number);
  }

  private static PullRequestSnapshot snapshot(int number) {
    return new PullRequestSnapshot(
        sha(number),
        "main",
        Status.OPEN,
        Mergeability.MERGEABLE,
        Optional.of(sha(0)),
        Set.of("lint"),
        AT);
  }

  private static PullRequestSnapshot there() {
    PullRequestSnapshot s = snapshot(1);
    return new PullRequestSnapshot(
        s.head(),
        s.baseBranch(),
        s.status(),
        s.mergeability(),
        s.mergeBase(),
        s.passedStatuses(),
        s.asOf(),
        Optional.of(sha(50)),
        true,
        List.of(),
        Optional.empty(),
        Optional.empty());
  }

  static Map<String, QueueEvent> events() {
    var events = new LinkedHashMap<String, QueueEvent>();
    events.put(
        "Submitted",
        new QueueEvent.Submitted(
            pr(1),
            Priority.HIGH,
            true,
            Optional.of(snapshot(1)),
            Optional.of(ImpactedTargets.of("a", "b"))));
    events.put(
        "Submitted-bare",
        new QueueEvent.Submitted(
            pr(2), Priority.MEDIUM, false, Optional.empty(), Optional.empty()));
    events.put("Cancelled", new QueueEvent.Cancelled(pr(1)));
    events.put("RestartRequested", new QueueEvent.RestartRequested(pr(1)));
    events.put("SnapshotTaken", new QueueEvent.SnapshotTaken(pr(1), snapshot(1)));
    events.put(
        "ImpactedTargetsSet",
        new QueueEvent.ImpactedTargetsSet(pr(1), sha(1), ImpactedTargets.ALL));
    events.put(
        "ImpactedTargetsSet-many", new QueueEvent.ImpactedTargetsSet(pr(1), sha(1), targets(30)));
    events.put("TestBranchBuilt", new QueueEvent.TestBranchBuilt(new RunId(7), sha(9)));
    events.put(
        "TestBranchBuilt-nothing",
        new QueueEvent.TestBranchBuilt(new RunId(7), sha(9), List.of(pr(1))));
    events.put("SnapshotTaken-there", new QueueEvent.SnapshotTaken(pr(1), there()));
    events.put(
        "LandingEnded-how",
        new QueueEvent.LandingEnded(
            new LandingId(8),
            List.of(
                new QueueEvent.Landed(pr(1), sha(10), Optional.of(LandedHow.TESTED_COMMIT)),
                new QueueEvent.Landed(pr(2), sha(10), Optional.of(LandedHow.ALREADY_THERE))),
            Optional.empty()));
    events.put(
        "TestBranchConflicted", new QueueEvent.TestBranchConflicted(new RunId(7), pr(1), true));
    events.put(
        "TestBranchNotBuilt", new QueueEvent.TestBranchNotBuilt(new RunId(7), "It is down."));
    events.put(
        "StatusReported", new QueueEvent.StatusReported(new RunId(7), "ci", CheckState.FAILURE));
    events.put("TestsFailed", new QueueEvent.TestsFailed(new RunId(7), 2, failing()));
    events.put(
        "TestsFailed-target",
        new QueueEvent.TestsFailed(
            new RunId(7),
            1,
            List.of(
                new FailingTest(
                    "a", "Cart adds", Optional.empty(), Optional.of("it fails on main, too")))));
    events.put("ResultsExpected", new QueueEvent.ResultsExpected(new RunId(7), AT));
    events.put("CiNeverStarted", new QueueEvent.CiNeverStarted(new RunId(7)));
    events.put(
        "LandingEnded",
        new QueueEvent.LandingEnded(
            new LandingId(8), List.of(new QueueEvent.Landed(pr(1), sha(10))), Optional.empty()));
    problems()
        .forEach(
            problem ->
                events.put(
                    "LandingEnded-" + problem.getClass().getSimpleName(),
                    new QueueEvent.LandingEnded(
                        new LandingId(8), List.of(), Optional.of(problem))));
    events.put(
        "TargetMoved",
        new QueueEvent.TargetMoved(Optional.of(sha(1)), sha(2), Optional.of(ImpactedTargets.NONE)));
    events.put("TargetBranchSeen", new QueueEvent.TargetBranchSeen(true));
    events.put("TargetBranchSeen-missing", new QueueEvent.TargetBranchSeen(false));
    events.put("SettingsChanged", new QueueEvent.SettingsChanged(settings()));
    events.put(
        "SettingsChanged-defaults",
        new QueueEvent.SettingsChanged(
            QueueSettings.defaults().edit().createPrsForTestingBranches(true).build()));
    events.put(
        "SettingsChanged-sent",
        new QueueEvent.SettingsChanged(
            QueueSettings.defaults()
                .edit()
                .testingTimeoutMinutes(10_080)
                .enqueueingLabel(Optional.of("merge"))
                .labelCommandsEnabled(true)
                .stateLabelsEnabled(true)
                .extensionEnabled(true)
                .sentValues(List.of(new SentValue("testingTimeoutMinutes", "20000", "10080")))
                .build()));
    events.put(
        "SettingsChanged-prefixes",
        new QueueEvent.SettingsChanged(
            QueueSettings.defaults().edit().commandPrefixes(QueueSettings.PREFIXES).build()));
    events.put("LifecycleRequested", new QueueEvent.LifecycleRequested(QueueLifecycle.PAUSED));
    events.put(
        "ConnectionChanged",
        new QueueEvent.ConnectionChanged(new Connection(true, List.of("ci"), true)));
    events.put(
        "Stalled",
        new QueueEvent.Stalled(
            new Stall(AT, Stall.Cause.CHECK_MISSING, "Nobody has said a word of ci.")));
    events.put("TimePassed", new QueueEvent.TimePassed());
    return events;
  }

  private static List<FailingTest> failing() {
    return List.of(
        new FailingTest("a", "Cart adds", Optional.empty()),
        new FailingTest("b", "Cart removes", Optional.of("It passed and failed on one commit")));
  }

  private static List<LandingProblem> problems() {
    return List.of(
        new LandingProblem.HeadMoved(pr(1)),
        new LandingProblem.TargetMoved(sha(3)),
        new LandingProblem.Conflicted(pr(1)),
        new LandingProblem.TreeDiffered(),
        new LandingProblem.Untested("Another tree."),
        new LandingProblem.Refused(pr(1), "No."),
        new LandingProblem.ForgeUnavailable("It is down."));
  }

  static Map<String, QueueAction> actions() {
    var actions = new LinkedHashMap<String, QueueAction>();
    var change = new Change(pr(1), sha(1));
    actions.put(
        "StartRun",
        new QueueAction.StartRun(
            new RunId(7),
            RunKind.BISECTION,
            sha(0),
            List.of(change),
            List.of(change),
            List.of("ci"),
            List.of()));
    actions.put(
        "StartRun-guess",
        new QueueAction.StartRun(
            new RunId(7),
            RunKind.MAIN,
            sha(0),
            List.of(),
            List.of(change),
            List.of("ci"),
            List.of(pr(2))));
    var failed = new Reason(ReasonCode.TEST_FAILED, "Its tests failed.");
    actions.put(
        "CancelRun",
        new QueueAction.CancelRun(new RunId(7), new Run.Outcome.Failed(failed, false)));
    actions.put(
        "Land",
        new QueueAction.Land(
            new LandingId(8),
            List.of(change),
            sha(0),
            Optional.of(sha(9)),
            true,
            MergeMethod.REBASE));
    actions.put("TakeSnapshot", new QueueAction.TakeSnapshot(9, pr(1)));
    actions.put("WakeAt", new QueueAction.WakeAt(AT));
    return actions;
  }

  private static QueueSettings settings() {
    return QueueSettings.defaults()
        .edit()
        .mode(Mode.PARALLEL)
        .concurrency(3)
        .bisectionConcurrency(Optional.of(2))
        .batch(true)
        .batchingMinSize(2)
        .batchingMaxWaitTimeMinutes(0)
        .canOptimisticallyMerge(true)
        .requiredStatuses(Optional.of(List.of("ci", "lint")))
        .createPrsForTestingBranches(true)
        .build();
  }

  /** A merge under way with a move held back, a bisection, and some who wait, leave or cannot. */
  static QueueState state() {
    QueueState state =
        QueueState.empty(
            "main", Optional.empty(), settings(), new Connection(true, List.of("ci"), true));
    for (int number = 1; number <= 8; number++) {
      state = on(state, submitted(number));
    }
    state = on(state, new QueueEvent.TargetMoved(Optional.empty(), sha(50), Optional.empty()));
    RunId batch = state.runOf(pr(1)).orElseThrow().id();
    RunId other = state.runOf(pr(3)).orElseThrow().id();
    state = on(state, new QueueEvent.TestBranchBuilt(batch, sha(100)));
    state = on(state, new QueueEvent.StatusReported(batch, "ci", CheckState.FAILURE));
    state = on(state, new QueueEvent.TestBranchBuilt(other, sha(101)));
    for (String status : List.of("ci", "lint")) {
      state = on(state, new QueueEvent.StatusReported(other, status, CheckState.SUCCESS));
    }
    state = on(state, new QueueEvent.TargetMoved(Optional.of(sha(50)), sha(51), Optional.empty()));
    RunId conflicting = state.runOf(pr(4)).orElseThrow().id();
    state = on(state, new QueueEvent.TestBranchConflicted(conflicting, pr(4), true));
    return still(on(state, new QueueEvent.Cancelled(pr(3))));
  }

  /** Somebody was told that nothing moves. */
  static QueueState stalled() {
    var stall = new Stall(AT, Stall.Cause.FORGE_UNREACHABLE, "The host is down.");
    RunId failing = state().runOf(pr(5)).orElseThrow().id();
    QueueState moved =
        on(state(), new QueueEvent.StatusReported(failing, "ci", CheckState.PENDING));
    return on(moved, new QueueEvent.Stalled(stall));
  }

  /** As it was stored before it was known when something moved, and before anything was learned. */
  private static QueueState still(QueueState s) {
    return new QueueState(
        s.settings(),
        s.lifecycle(),
        s.switchingTo(),
        s.connection(),
        s.target(),
        s.entries(),
        s.line(),
        s.side(),
        s.landing(),
        s.wakeAt(),
        s.lastId(),
        Progress.NONE,
        s.doubt(),
        s.looked(),
        Learned.NOTHING);
  }

  /** One failed and waits for those ahead, one is in conflict with them. */
  static QueueState failed() {
    QueueState state = state();
    RunId failing = state.runOf(pr(5)).orElseThrow().id();
    state = on(state, new QueueEvent.StatusReported(failing, "ci", CheckState.FAILURE));
    RunId conflicting = state.runOf(pr(6)).orElseThrow().id();
    return still(on(state, new QueueEvent.TestBranchConflicted(conflicting, pr(6), false)));
  }

  /** One merged and one failed, of whom the queue learned something. */
  static QueueState learned() {
    QueueState state =
        QueueState.empty(
            "main",
            Optional.of(sha(50)),
            QueueSettings.defaults(),
            new Connection(true, List.of("ci"), true));
    for (int number = 1; number <= 2; number++) {
      state = on(state, submitted(number));
      state = on(state, new QueueEvent.SnapshotTaken(pr(number), told(number)));
    }
    for (int number = 1; number <= 2; number++) {
      RunId run = state.runOf(pr(number)).orElseThrow().id();
      CheckState end = number == 1 ? CheckState.SUCCESS : CheckState.FAILURE;
      state = on(state, new QueueEvent.TestBranchBuilt(run, sha(100 + number)));
      state = on(state, new QueueEvent.StatusReported(run, "ci", end));
    }
    var landed = new QueueEvent.Landed(pr(1), sha(60));
    LandingId landing = state.landing().orElseThrow().id();
    return on(state, new QueueEvent.LandingEnded(landing, List.of(landed), Optional.empty()));
  }

  private static PullRequestSnapshot told(int number) {
    return new PullRequestSnapshot(
            sha(number),
            "main",
            Status.OPEN,
            Mergeability.MERGEABLE,
            Optional.of(sha(0)),
            Set.of("lint"),
            AT.plusSeconds(1))
        .by(Optional.of("ada"), Optional.of(7 * number));
  }

  /** One is also tested without the one ahead that failed. */
  static QueueState guessing() {
    QueueState state =
        QueueState.empty(
            "main",
            Optional.of(sha(50)),
            QueueSettings.defaults().edit().speculationBudget(1).pendingFailureDepth(1).build(),
            new Connection(true, List.of("ci"), true));
    for (int number = 1; number <= 3; number++) {
      state = on(state, submitted(number));
    }
    RunId failing = state.runOf(pr(2)).orElseThrow().id();
    state = on(state, new QueueEvent.TestBranchBuilt(failing, sha(101)));
    return still(on(state, new QueueEvent.StatusReported(failing, "ci", CheckState.FAILURE)));
  }

  /** One is tested again because of a flaky test, and one waits for its results. */
  static QueueState flaky() {
    QueueState state =
        QueueState.empty(
            "main",
            Optional.of(sha(50)),
            QueueSettings.defaults().edit().flakeRetries(2).pendingFailureDepth(1).build(),
            new Connection(true, List.of("ci"), true));
    for (int number = 1; number <= 3; number++) {
      state = on(state, submitted(number));
      RunId run = state.runOf(pr(number)).orElseThrow().id();
      state = on(state, new QueueEvent.TestBranchBuilt(run, sha(100 + number)));
    }
    RunId flaking = state.runOf(pr(1)).orElseThrow().id();
    state = on(state, new QueueEvent.TestsFailed(flaking, 1, failing().subList(1, 2)));
    state = on(state, new QueueEvent.StatusReported(flaking, "ci", CheckState.FAILURE));
    RunId failing = state.runOf(pr(2)).orElseThrow().id();
    state = on(state, new QueueEvent.TestsFailed(failing, 2, failing()));
    state = on(state, new QueueEvent.StatusReported(failing, "ci", CheckState.FAILURE));
    RunId waiting = state.runOf(pr(3)).orElseThrow().id();
    state = on(state, new QueueEvent.ResultsExpected(waiting, AT.plusSeconds(60)));
    return still(on(state, new QueueEvent.StatusReported(waiting, "ci", CheckState.FAILURE)));
  }

  /** The target branch is tested by itself: it fails where others fail. */
  static QueueState suspecting() {
    QueueState state = flaky();
    RunId failing = state.runOf(pr(1)).orElseThrow().id();
    var test =
        new FailingTest("a", "Cart adds", Optional.empty(), Optional.of("it fails on main, too"));
    state = on(state, new QueueEvent.TestBranchBuilt(failing, sha(110)));
    state = on(state, new QueueEvent.TestsFailed(failing, 1, List.of(test)));
    return still(on(state, new QueueEvent.StatusReported(failing, "ci", CheckState.FAILURE)));
  }

  private static QueueEvent submitted(int number) {
    ImpactedTargets touched =
        switch (number) {
          case 1, 2 -> ImpactedTargets.of("x");
          case 3 -> targets(30);
          case 4 -> ImpactedTargets.of("y");
          default -> ImpactedTargets.ALL;
        };
    return new QueueEvent.Submitted(
        pr(number),
        new Priority(number * 10),
        number >= 5,
        number == 8 ? Optional.empty() : Optional.of(snapshot(number)),
        Optional.of(touched));
  }

  private static QueueState on(QueueState state, QueueEvent event) {
    return Engine.on(event, state, AT).after();
  }
}
