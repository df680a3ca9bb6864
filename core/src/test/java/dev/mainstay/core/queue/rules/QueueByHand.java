package dev.mainstay.core.queue.rules;

import static dev.mainstay.core.queue.QueueSettings.Mode.PARALLEL;

import dev.mainstay.core.chance.Learned;
import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.Connection;
import dev.mainstay.core.queue.EntryId;
import dev.mainstay.core.queue.FailingTest;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.LandingProblem;
import dev.mainstay.core.queue.PullRequestSnapshot;
import dev.mainstay.core.queue.PullRequestSnapshot.Mergeability;
import dev.mainstay.core.queue.PullRequestSnapshot.Status;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueAction;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueEvent.Landed;
import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.RunId;
import dev.mainstay.core.queue.RunKind;
import dev.mainstay.core.queue.Step;
import dev.mainstay.core.queue.Transition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A queue on the branch main and the world around it, told by hand. The forge builds and merges at
 * once unless held, and tells everything twice: doubled events must be harmless everywhere.
 */
final class QueueByHand {
  private static final String CI = "ci";
  final ForgeByHand forge = new ForgeByHand();
  QueueState state =
      QueueState.empty(
          "main",
          Optional.of(forge.main),
          QueueSettings.defaults(),
          new Connection(true, List.of(CI), false));
  Instant now = Instant.parse("2026-01-01T00:00:00Z");
  final Map<RunId, QueueAction.StartRun> runs = new LinkedHashMap<>();
  final List<QueueAction> actions = new ArrayList<>();
  final List<Transition> transitions = new ArrayList<>();
  private final Map<EntryId, PullRequestState> last = new HashMap<>();
  private final Deque<QueueEvent> answers = new ArrayDeque<>();
  private boolean holdsBuilds;
  private boolean holdsLandings;
  private boolean holdsSnapshots;

  QueueByHand settings(UnaryOperator<QueueSettings.Builder> change) {
    return tell(new QueueEvent.SettingsChanged(change.apply(state.settings().edit()).build()));
  }

  QueueByHand parallel() {
    return settings(s -> s.mode(PARALLEL));
  }

  QueueByHand slots(int concurrency) {
    return settings(s -> s.concurrency(concurrency));
  }

  QueueByHand batches(int size) {
    return settings(s -> s.batch(true).batchingMinSize(size));
  }

  QueueByHand submit(Pr... prs) {
    for (Pr pr : prs) {
      tell(
          new QueueEvent.Submitted(
              pr.ref(),
              pr.priority(),
              pr.noBatch(),
              Optional.of(forge.show(pr.ref())),
              pr.targets()));
    }
    return this;
  }

  /** The runs that these pull requests have now end this way, one after the other. */
  QueueByHand finish(Pr.Outcome... outcomes) {
    var ending = new LinkedHashMap<RunId, CheckState>();
    for (Pr.Outcome outcome : outcomes) {
      ending.put(runOf(outcome.pr()), outcome.state());
    }
    ending.forEach(this::report);
    return this;
  }

  QueueByHand report(RunId run, CheckState said) {
    for (String name : started(run).requiredStatuses()) {
      tellTwice(new QueueEvent.StatusReported(run, name, said));
    }
    return this;
  }

  /** The tests of its run fail: (flaky) ones, those that the target branch !fails, and others. */
  QueueByHand fails(Pr pr, String... tests) {
    return results(pr, tests).report(runOf(pr), CheckState.FAILURE);
  }

  /** The results of its run that are known by now. */
  QueueByHand results(Pr pr, String... tests) {
    return tellTwice(new QueueEvent.TestsFailed(runOf(pr), tests.length, tests(tests)));
  }

  /** The run that tests the target branch by itself. */
  RunId target() {
    return state.side().stream()
        .filter(Group::testsTarget)
        .findFirst()
        .flatMap(Group::run)
        .orElseThrow(() -> new AssertionError("the target branch is not tested in " + this))
        .id();
  }

  static List<FailingTest> tests(String... names) {
    return Stream.of(names)
        .map(
            n ->
                switch (n.charAt(0)) {
                  case '(' ->
                      new FailingTest(n, n.substring(1, n.length() - 1), Optional.of("seen"));
                  case '!' ->
                      new FailingTest(
                          n.substring(1),
                          n.substring(1),
                          Optional.empty(),
                          Optional.of("it fails on main, too"));
                  default -> new FailingTest(n, n, Optional.empty());
                })
        .toList();
  }

  RunId runOf(Pr pr) {
    return state
        .runOf(pr.ref())
        .orElseThrow(() -> new AssertionError(pr.name() + " has no run in " + this))
        .id();
  }

  QueueAction.StartRun started(RunId run) {
    return Optional.ofNullable(runs.get(run)).orElseThrow();
  }

  /** The changes on the test branch that the pull request is tested on, and the commit below. */
  String branchOf(Pr pr) {
    QueueAction.StartRun run = started(runOf(pr));
    var names = new ArrayList<String>();
    names.add(run.base().value());
    run.standsOn().forEach(c -> names.add(Pr.nameOf(c.pr())));
    run.tested().forEach(c -> names.add(Pr.nameOf(c.pr())));
    return String.join(" ", names);
  }

  QueueByHand cancel(Pr pr) {
    return tell(new QueueEvent.Cancelled(pr.ref()));
  }

  QueueByHand restart(Pr pr) {
    return tell(new QueueEvent.RestartRequested(pr.ref()));
  }

  QueueByHand push(Pr pr) {
    CommitSha head = forge.newHead(pr.ref());
    return change(pr, s -> snapshot(head, s.baseBranch(), s.status(), Mergeability.MERGEABLE, s));
  }

  /** The push happens, and nobody has told the queue yet. */
  QueueByHand pushUnseen(Pr pr) {
    PullRequestSnapshot old = forge.show(pr.ref());
    CommitSha head = forge.newHead(pr.ref());
    var next = snapshot(head, old.baseBranch(), old.status(), old.mergeability(), old);
    forge.change(next, pr.ref(), now);
    return this;
  }

  QueueByHand close(Pr pr) {
    return becomes(pr, Status.CLOSED);
  }

  QueueByHand becomes(Pr pr, Status status) {
    return change(pr, s -> snapshot(s.head(), s.baseBranch(), status, s.mergeability(), s));
  }

  QueueByHand retarget(Pr pr, String base) {
    return change(pr, s -> snapshot(s.head(), base, s.status(), s.mergeability(), s));
  }

  QueueByHand becomes(Pr pr, Mergeability answer) {
    return change(pr, s -> s.with(answer));
  }

  /** The forge asks for these before it would merge. */
  QueueByHand asksFor(Pr pr, String... obstacles) {
    return change(
        pr,
        s ->
            new PullRequestSnapshot(
                s.head(),
                s.baseBranch(),
                s.status(),
                s.mergeability(),
                s.mergeBase(),
                s.passedStatuses(),
                s.asOf(),
                s.heldBy(),
                s.empty(),
                List.of(obstacles),
                s.author(),
                s.changedFiles()));
  }

  /** The forge tells who wrote it. */
  QueueByHand writtenBy(Pr pr, String author) {
    return change(pr, s -> s.by(Optional.of(author), s.changedFiles()));
  }

  /** Up to date with the target branch, with these statuses passed on its head commit. */
  QueueByHand upToDate(Pr pr, String... passed) {
    return change(
        pr,
        s ->
            new PullRequestSnapshot(
                s.head(),
                s.baseBranch(),
                s.status(),
                s.mergeability(),
                Optional.of(forge.main),
                Set.of(passed),
                s.asOf()));
  }

  private static PullRequestSnapshot snapshot(
      CommitSha head, String base, Status status, Mergeability answer, PullRequestSnapshot old) {
    return new PullRequestSnapshot(
        head, base, status, answer, old.mergeBase(), old.passedStatuses(), old.asOf());
  }

  private QueueByHand change(Pr pr, UnaryOperator<PullRequestSnapshot> change) {
    forge.change(change.apply(forge.show(pr.ref())), pr.ref(), now);
    return show(pr);
  }

  QueueByHand show(Pr pr) {
    return tellTwice(new QueueEvent.SnapshotTaken(pr.ref(), forge.show(pr.ref())));
  }

  QueueByHand touches(Pr pr, String... targets) {
    return touches(pr, ImpactedTargets.of(List.of(targets)));
  }

  QueueByHand touches(Pr pr, ImpactedTargets targets) {
    CommitSha head = forge.show(pr.ref()).head();
    return tellTwice(new QueueEvent.ImpactedTargetsSet(pr.ref(), head, targets));
  }

  QueueByHand someoneMovesMain(Optional<ImpactedTargets> touched) {
    Optional<CommitSha> from = Optional.of(forge.main);
    return tellTwice(new QueueEvent.TargetMoved(from, forge.newCommit(), touched));
  }

  QueueByHand someoneMovesMain() {
    return someoneMovesMain(Optional.empty());
  }

  QueueByHand becomes(QueueLifecycle lifecycle) {
    return tell(new QueueEvent.LifecycleRequested(lifecycle));
  }

  QueueByHand holdBuilds() {
    holdsBuilds = true;
    return this;
  }

  QueueByHand holdLandings() {
    holdsLandings = true;
    return this;
  }

  QueueByHand holdSnapshots() {
    holdsSnapshots = true;
    return this;
  }

  QueueAction.Land landing() {
    return actions.stream()
        .filter(QueueAction.Land.class::isInstance)
        .map(QueueAction.Land.class::cast)
        .reduce((a, b) -> b)
        .orElseThrow(() -> new AssertionError("Nothing was to be merged"));
  }

  /** Lets the held merge happen, as far as these pull requests, and then fail. */
  QueueByHand land(LandingProblem problem, Pr... merged) {
    var landed = new ArrayList<Landed>();
    for (Pr pr : merged) {
      landed.add(new Landed(pr.ref(), forge.newCommit()));
    }
    return tellTwice(
        new QueueEvent.LandingEnded(landing().landing(), landed, Optional.of(problem)));
  }

  /** Lets the held merge happen. */
  QueueByHand land() {
    return tellTwice(merged(landing()));
  }

  private QueueEvent merged(QueueAction.Land land) {
    var landed = land.changes().stream().map(c -> new Landed(c.pr(), forge.newCommit())).toList();
    return new QueueEvent.LandingEnded(land.landing(), landed, Optional.empty());
  }

  /** Time goes by; the queue is woken when it asked to be. */
  QueueByHand minutesPass(int minutes) {
    Instant until = now.plus(Duration.ofMinutes(minutes));
    while (state.wakeAt().filter(at -> !at.isAfter(until)).isPresent()) {
      now = state.wakeAt().get();
      tell(new QueueEvent.TimePassed());
    }
    now = until;
    return this;
  }

  /** With a past that was not played. */
  void knowing(Learned learned) {
    state =
        new QueueState(
            state.settings(),
            state.lifecycle(),
            state.switchingTo(),
            state.connection(),
            state.target(),
            state.entries(),
            state.line(),
            state.side(),
            state.landing(),
            state.wakeAt(),
            state.lastId(),
            state.progress(),
            state.doubt(),
            state.looked(),
            learned);
  }

  QueueByHand tellTwice(QueueEvent event) {
    return tell(event).tell(event);
  }

  QueueByHand tell(QueueEvent event) {
    step(event);
    while (!answers.isEmpty()) {
      step(answers.removeFirst());
    }
    Invariants.rests(state, now);
    return this;
  }

  private void step(QueueEvent event) {
    Step step = Engine.on(event, state, now);
    Invariants.doesNotDependOnWhatWasSeen(event, state, step, now);
    Invariants.hold(step);
    state = step.after();
    actions.addAll(step.actions());
    transitions.addAll(step.transitions());
    for (Transition t : step.transitions()) {
      Invariants.follows(Optional.ofNullable(last.put(t.entry(), t.to())), t);
    }
    step.actions().forEach(this::answer);
    Invariants.runsAreUpToDate(state, runs);
  }

  private void answer(QueueAction action) {
    switch (action) {
      case QueueAction.StartRun start -> {
        runs.put(start.run(), start);
        if (!holdsBuilds) {
          answerTwice(build(start));
        }
      }
      case QueueAction.Land land -> {
        if (!holdsLandings) {
          answerTwice(merged(land));
        }
      }
      case QueueAction.TakeSnapshot ask -> {
        if (!holdsSnapshots) {
          answerTwice(new QueueEvent.SnapshotTaken(ask.pr(), forge.show(ask.pr())));
        }
      }
      case QueueAction.CancelRun ignored -> {}
      case QueueAction.WakeAt ignored -> {}
    }
  }

  private void answerTwice(QueueEvent event) {
    answers.add(event);
    answers.add(event);
  }

  QueueEvent build(QueueAction.StartRun start) {
    var changes = new ArrayList<>(start.standsOn());
    changes.addAll(start.tested());
    return forge
        .firstConflict(changes)
        .<QueueEvent>map(pr -> new QueueEvent.TestBranchConflicted(start.run(), pr, false))
        .orElseGet(
            () ->
                new QueueEvent.TestBranchBuilt(
                    start.run(), new CommitSha("t" + start.run().number())));
  }

  List<Transition> historyOf(Pr pr) {
    return transitions.stream().filter(t -> t.pr().equals(pr.ref())).toList();
  }

  Collection<RunId> runsStarted() {
    return List.copyOf(runs.keySet());
  }

  boolean cancelled(RunId run) {
    return actions.stream()
        .anyMatch(a -> a instanceof QueueAction.CancelRun c && c.run().equals(run));
  }

  long runsStarted(RunKind kind) {
    return runs.values().stream().filter(r -> r.kind() == kind).count();
  }

  /** The queue as its users see it. */
  @Override
  public String toString() {
    return LanePicture.of(state);
  }

  static List<String> names(Collection<PullRequestRef> prs) {
    return prs.stream().map(Pr::nameOf).toList();
  }
}
