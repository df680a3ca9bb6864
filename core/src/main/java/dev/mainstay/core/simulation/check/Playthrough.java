package dev.mainstay.core.simulation.check;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.Doubt.Suspicion;
import dev.mainstay.core.queue.QueueAction;
import dev.mainstay.core.queue.QueueAction.Land;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Step;
import dev.mainstay.core.queue.Transition;
import dev.mainstay.core.simulation.check.coverage.Visits;
import dev.mainstay.core.simulation.check.invariant.Checks;
import dev.mainstay.core.simulation.check.invariant.Invariant;
import dev.mainstay.core.simulation.check.invariant.InvariantBroken;
import dev.mainstay.core.simulation.check.invariant.Observation;
import dev.mainstay.core.simulation.check.invariant.Rules;
import dev.mainstay.core.simulation.check.play.Agenda;
import dev.mainstay.core.simulation.check.play.Deed;
import dev.mainstay.core.simulation.check.play.FakeForge;
import dev.mainstay.core.simulation.check.play.FaultRates;
import dev.mainstay.core.simulation.check.play.Landings;
import dev.mainstay.core.simulation.check.play.Luck;
import dev.mainstay.core.simulation.check.play.Luck.Roll;
import dev.mainstay.core.simulation.check.play.Patch;
import dev.mainstay.core.simulation.check.play.People;
import dev.mainstay.core.simulation.check.play.PlannedDeed;
import dev.mainstay.core.simulation.check.play.PlannedDeed.Moment;
import dev.mainstay.core.simulation.check.play.Post;
import dev.mainstay.core.simulation.check.play.QueuePicture;
import dev.mainstay.core.simulation.check.play.Scenario;
import dev.mainstay.core.simulation.check.play.TestBench;
import dev.mainstay.core.simulation.check.play.Trace;
import dev.mainstay.core.simulation.check.play.TraceWords;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One queue in one world, from the first submission until all is quiet: hands events to the rules,
 * holds every step against the invariants, and does what the rules ask for, with all its faults.
 */
final class Playthrough {
  private static final Instant QUIET_FROM = Agenda.START.plus(Duration.ofHours(9));
  private static final int MOST_EVENTS = 20_000;
  private static final int ROUNDS_OF_TIDYING = 60;

  private final Scenario scenario;
  private final Trace trace;
  private final Agenda agenda = new Agenda();
  private final Luck luck;
  private final FakeForge forge;
  private final Post post;
  private final TestBench bench;
  private final Landings landings;
  private final People people;
  private final Checks checks;
  private final List<QueueAction> done = new ArrayList<>();
  private final Map<Moment, List<Deed>> ambushes = new HashMap<>();
  private FaultRates faults;
  private QueueState state;
  private int events;
  private final Visits visits = new Visits();

  Playthrough(Scenario scenario, Rules rules, Trace trace) {
    this.scenario = scenario;
    this.trace = trace;
    faults = scenario.faults();
    luck = new Luck(scenario.seed());
    forge = new FakeForge(scenario);
    post = new Post(agenda, luck, faults, this::accept);
    bench = new TestBench(agenda, luck, forge, post, faults, scenario.uploads());
    landings = new Landings(luck, forge, faults, scenario.forgeMergesAllOrNone());
    people = new People(scenario, agenda, luck, forge, post);
    checks = new Checks(rules, forge, bench, landings, luck);
    state =
        QueueState.empty(
            FakeForge.BRANCH,
            scenario.headKnown() ? Optional.of(forge.head()) : Optional.empty(),
            scenario.settings(),
            scenario.connection());
  }

  /** Says how many events there were; throws InvariantBroken. */
  int run() {
    for (PlannedDeed planned : scenario.deeds()) {
      if (planned.moment() instanceof Moment.At at) {
        agenda.at(Agenda.START.plusSeconds(at.second()), () -> perform(planned.deed()));
      } else {
        ambushes.computeIfAbsent(planned.moment(), m -> new ArrayList<>()).add(planned.deed());
      }
    }
    if (!scenario.headKnown()) {
      agenda.in(Duration.ofMinutes(20), people::showTarget);
    }
    agenda.at(QUIET_FROM, this::quieten);
    drain();
    var tidying = new Tidying(forge, people);
    for (int round = 0; round < ROUNDS_OF_TIDYING && !state.entries().isEmpty(); round++) {
      tidying.round(state);
      drain();
    }
    checks.atTheEnd(state);
    return events;
  }

  int events() {
    return events;
  }

  Visits visits() {
    return visits;
  }

  private void drain() {
    for (Optional<Runnable> due = agenda.next(); due.isPresent(); due = agenda.next()) {
      due.get().run();
    }
  }

  private void quieten() {
    trace.say(agenda.now(), "--", () -> "from here on nothing goes wrong any more");
    faults = FaultRates.NONE;
    ambushes.clear();
    post.calmDown();
    bench.calmDown();
    landings.calmDown();
    people.calmDown();
    if (!people.isConnected()) {
      people.connect(true);
    }
    QueueLifecycle asked =
        state.doubt().suspicion().map(Suspicion::goesOnAs).orElse(state.lifecycle());
    if (asked == QueueLifecycle.PAUSED || asked == QueueLifecycle.DRAINING) {
      post.hand(new QueueEvent.LifecycleRequested(QueueLifecycle.RUNNING));
    }
  }

  private void perform(Deed deed) {
    TraceWords.of(deed).ifPresent(words -> trace.say(agenda.now(), "**", () -> words));
    if (deed instanceof Deed.ReplayActions replay) {
      done.stream().skip(Math.max(0, done.size() - replay.count())).toList().forEach(this::execute);
    } else {
      people.perform(deed);
    }
  }

  private void ambush(Moment moment) {
    Optional.ofNullable(ambushes.remove(moment)).orElse(List.of()).forEach(this::perform);
  }

  private void accept(QueueEvent event) {
    if (++events > MOST_EVENTS) {
      throw new InvariantBroken(
          Invariant.COMES_TO_REST, "After %d events it still goes on".formatted(events));
    }
    if (event instanceof QueueEvent.StatusReported report) {
      bench.before(report).forEach(this::accept);
      bench.heard(report);
    }
    QueueState before = state;
    trace.say(agenda.now(), "->", () -> TraceWords.of(event));
    Step step = checks.ask(event, before, agenda.now());
    state = step.after();
    step.transitions().forEach(t -> trace.say(agenda.now(), "     ", () -> TraceWords.of(t)));
    step.actions().forEach(a -> trace.say(agenda.now(), "   =>", () -> TraceWords.of(a)));
    trace.say(agenda.now(), "    ", () -> QueuePicture.of(state));
    step.actions().forEach(this::note);
    var observation = new Observation(event, before, step, agenda.now());
    visits.count(observation);
    checks.after(observation);
    step.actions().forEach(this::carryOut);
    step.transitions().forEach(this::waylay);
  }

  /** Deeds that wait for a transition are done a little later: users see it first. */
  private void waylay(Transition t) {
    int pr = t.pr().number();
    Optional.ofNullable(ambushes.remove(new Moment.Once(pr, t.reason().code())))
        .ifPresent(
            deeds ->
                agenda.in(
                    Duration.ofSeconds(luck.between(0, 240, Roll.AMBUSH, pr)),
                    () -> deeds.forEach(this::performUnlessQuiet)));
  }

  private void performUnlessQuiet(Deed deed) {
    if (agenda.now().isBefore(QUIET_FROM)) {
      perform(deed);
    }
  }

  private void note(QueueAction action) {
    switch (action) {
      case QueueAction.StartRun start -> bench.note(start);
      case QueueAction.CancelRun cancel ->
          bench.run(cancel.run()).ifPresent(r -> r.unwanted = true);
      case QueueAction.Land land -> {}
      case QueueAction.TakeSnapshot look -> {}
      case QueueAction.WakeAt wake -> {}
    }
  }

  private void carryOut(QueueAction action) {
    if (action instanceof QueueAction.WakeAt wake) {
      agenda.at(wake.at(), () -> accept(new QueueEvent.TimePassed()));
      return;
    }
    long about = about(action);
    long minutes =
        luck.happens(faults.crash(), Roll.CRASH, about)
            ? luck.between(2, 45, Roll.CRASH, about)
            : 0;
    long millis = luck.between(100, 4000, Roll.LATENCY, about);
    agenda.in(Duration.ofMillis(minutes * 60_000 + millis), () -> execute(action));
    if (luck.happens(faults.repeated(), Roll.REPETITION, about)) {
      long again = luck.between(0, 90, Roll.REPETITION, about);
      agenda.in(Duration.ofMillis(again * 60_000 + millis + 1), () -> execute(action));
    }
  }

  private static long about(QueueAction action) {
    return switch (action) {
      case QueueAction.StartRun a -> Luck.mix(1, hash(a.tested()));
      case QueueAction.CancelRun a -> Luck.mix(2, a.run().number());
      case QueueAction.Land a -> Luck.mix(3, hash(a.changes()));
      case QueueAction.TakeSnapshot a -> Luck.mix(4, a.pr().number());
      case QueueAction.WakeAt a -> 5;
    };
  }

  private static long hash(List<Change> changes) {
    return changes.stream().mapToLong(c -> Patch.of(c).hash()).reduce(11, Luck::mix);
  }

  private void execute(QueueAction action) {
    done.add(action);
    switch (action) {
      case QueueAction.StartRun start -> {
        start.tested().forEach(c -> ambush(new Moment.BeforeBuild(c.pr().number())));
        bench.run(start.run()).ifPresent(bench::start);
      }
      case QueueAction.CancelRun cancel ->
          bench.run(cancel.run()).ifPresent(run -> run.cancelled = true);
      case Land land -> land(land);
      case QueueAction.TakeSnapshot look -> people.show(look.pr().number());
      case QueueAction.WakeAt wake -> {}
    }
  }

  private void land(Land land) {
    boolean first = landings.answered(land).isEmpty();
    if (first) {
      land.changes().forEach(c -> ambush(new Moment.BeforeLanding(c.pr().number())));
    }
    int before = forge.history().size();
    QueueEvent.LandingEnded ended = landings.land(land);
    if (first) {
      tellWhatMoved(before);
    }
    post.send(ended, Luck.mix(9, hash(land.changes())));
  }

  private void tellWhatMoved(int before) {
    List<CommitSha> commits = forge.history();
    for (int i = before; i < commits.size(); i++) {
      Patch patch = forge.newest(commits.get(i));
      people.moved(commits.get(i - 1), commits.get(i), Set.of(patch));
      people.show(patch.number());
      ambush(new Moment.AfterLanding(patch.number()));
    }
  }
}
