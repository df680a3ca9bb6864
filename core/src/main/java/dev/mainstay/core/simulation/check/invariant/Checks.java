package dev.mainstay.core.simulation.check.invariant;

import dev.mainstay.core.queue.QueueAction;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Step;
import dev.mainstay.core.simulation.check.play.FakeForge;
import dev.mainstay.core.simulation.check.play.Landings;
import dev.mainstay.core.simulation.check.play.Luck;
import dev.mainstay.core.simulation.check.play.Luck.Roll;
import dev.mainstay.core.simulation.check.play.QueuePicture;
import dev.mainstay.core.simulation.check.play.TestBench;
import dev.mainstay.core.simulation.check.play.TraceWords;
import java.time.Instant;
import java.util.Optional;

/** All that must be true after every event and at the end. */
public final class Checks {
  private final Rules rules;
  private final FakeForge forge;
  private final TestBench bench;
  private final Luck luck;
  private final Fates fates = new Fates();
  private final RunChecks runs;
  private final LandingChecks landings;
  private final OvertakingChecks overtaking;
  private final EntryChecks entries = new EntryChecks();
  private final BatchChecks batches = new BatchChecks();
  private final MoveChecks moves = new MoveChecks();
  private final RestartChecks restarts = new RestartChecks();
  private final WaitChecks waits = new WaitChecks();
  private final VerdictChecks verdicts;
  private final FlakeChecks flakes = new FlakeChecks();
  private final DoubtChecks doubts;

  public Checks(Rules rules, FakeForge forge, TestBench bench, Landings landings, Luck luck) {
    this.rules = rules;
    this.forge = forge;
    this.bench = bench;
    this.luck = luck;
    this.runs = new RunChecks(forge, bench);
    this.landings = new LandingChecks(forge, bench);
    this.overtaking = new OvertakingChecks(forge, bench);
    this.doubts = new DoubtChecks(bench);
    this.verdicts = new VerdictChecks(forge, bench, landings);
  }

  public Step ask(QueueEvent event, QueueState before, Instant now) {
    try {
      return rules.on(event, before, now);
    } catch (RuntimeException e) {
      throw new InvariantBroken(Invariant.ANSWERS, "%s: %s".formatted(TraceWords.of(event), e), e);
    }
  }

  public void after(Observation o) {
    fates.after(o);
    entries.after(o);
    moves.after(o);
    restarts.after(o);
    runs.after(o);
    batches.after(o);
    landings.after(o);
    overtaking.after(o);
    verdicts.after(o);
    flakes.after(o);
    doubts.after(o);
    waits.after(o);
    if (luck.happens(0.4, Roll.SAMPLE, 0)) {
      nothingIsLeftUndone(o);
    }
    if (luck.happens(0.15, Roll.SAMPLE, 1)) {
      twiceIsHarmless(o);
    }
    if (luck.happens(0.25, Roll.SAMPLE, 2)) {
      itIsTheSameAgain(o);
    }
  }

  private void nothingIsLeftUndone(Observation o) {
    Step next = ask(new QueueEvent.TimePassed(), o.after(), o.now());
    work(next)
        .ifPresent(
            work -> {
              throw new InvariantBroken(
                  Invariant.PLANNED_TO_THE_END, "It takes another event until: " + work);
            });
  }

  private void twiceIsHarmless(Observation o) {
    boolean asksForMore =
        o.event() instanceof QueueEvent.Submitted
            || o.event() instanceof QueueEvent.RestartRequested;
    if (asksForMore) {
      return;
    }
    work(ask(o.event(), o.after(), o.now()))
        .ifPresent(
            work -> {
              throw new InvariantBroken(Invariant.HARMLESS_TWICE, "Told again, it did: " + work);
            });
  }

  /** Knowing the entries they have looked at before saves rules time, and changes nothing. */
  private void itIsTheSameAgain(Observation o) {
    if (!ask(o.event(), o.before().unseen(), o.now()).equals(o.step())) {
      throw new InvariantBroken(Invariant.SAME_AGAIN, TraceWords.of(o.event()));
    }
  }

  private static Optional<String> work(Step step) {
    return step.transitions().stream()
        .map(TraceWords::of)
        .findFirst()
        .or(
            () ->
                step.actions().stream()
                    .filter(a -> !(a instanceof QueueAction.WakeAt))
                    .map(TraceWords::of)
                    .findFirst());
  }

  public void atTheEnd(QueueState state) {
    if (!state.entries().isEmpty()) {
      throw new InvariantBroken(
          Invariant.EVERY_WAIT_ENDS, "Still in the queue: " + QueuePicture.of(state));
    }
    fates.atTheEnd();
    if (!forge.isGood(forge.tree(forge.head()))) {
      throw new InvariantBroken(
          Invariant.MAIN_IS_GREEN,
          "The target branch is broken: " + forge.tree(forge.head()).patches());
    }
    boolean clean =
        state.line().isEmpty()
            && state.side().isEmpty()
            && state.landing().isEmpty()
            && state.wakeAt().isEmpty();
    if (!clean) {
      throw new InvariantBroken(Invariant.NOTHING_LEFT_BEHIND, QueuePicture.of(state));
    }
    bench.runs().stream()
        .filter(r -> r.begun && !r.cancelled)
        .findFirst()
        .ifPresent(
            r -> {
              throw new InvariantBroken(
                  Invariant.NOTHING_LEFT_BEHIND, "The test branch of " + r.asked.run());
            });
  }
}
