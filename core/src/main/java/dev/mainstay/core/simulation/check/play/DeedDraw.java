package dev.mainstay.core.simulation.check.play;

import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.ReasonCode;
import dev.mainstay.core.simulation.check.play.Deed.Tweak;
import dev.mainstay.core.simulation.check.play.PlannedDeed.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Draws what people do in a scenario, and when: at any time, or just when it hurts. */
final class DeedDraw {
  private static final int HOURS_OF_ARRIVALS = 4;
  private static final ReasonCode[] TURNS = {
    ReasonCode.READY,
    ReasonCode.SLOT_FREE,
    ReasonCode.TESTS_SUCCEEDED,
    ReasonCode.TEST_FAILED,
    ReasonCode.PREDECESSOR_LEFT,
    ReasonCode.BISECTING,
    ReasonCode.CLEARED_BY_BISECTION
  };
  private static final List<Tweak> AHEAD = List.of(Tweak.HERMETIC_TESTS, Tweak.SPECULATION_BUDGET);
  private static final List<Tweak> PLAIN =
      Stream.of(Tweak.values())
          .filter(t -> !AHEAD.contains(t) && t != Tweak.FLAKE_RETRIES)
          .toList();
  private final SplittableRandom random;
  private final SplittableRandom ahead;
  private final SplittableRandom health;
  private final int prs;
  private final int pushes;
  private final List<PlannedDeed> deeds = new ArrayList<>();

  DeedDraw(
      SplittableRandom random,
      SplittableRandom ahead,
      SplittableRandom health,
      int prs,
      int pushes) {
    this.random = random;
    this.ahead = ahead;
    this.health = health;
    this.prs = prs;
    this.pushes = pushes;
  }

  /** In a rush all are submitted within a quarter of an hour. */
  List<PlannedDeed> deeds(boolean calm, boolean rush) {
    for (int pr = 1; pr <= prs; pr++) {
      plan(new Moment.At(rush ? random.nextInt(900) : second()), submit(pr));
      plan(sometime(), new Deed.TellTargets(pr, chance(0.15)));
    }
    pushPast();
    int extras = calm ? 0 : random.nextInt(3 * prs);
    for (int i = 0; i < extras; i++) {
      disturb();
    }
    int twists = calm ? 0 : random.nextInt(5);
    for (int i = 0; i < twists; i++) {
      twist();
    }
    if (!calm && health.nextDouble() < 0.4) {
      pauseTheSuspicious();
    }
    return deeds;
  }

  /** People pause a queue that has just paused itself. */
  private void pauseTheSuspicious() {
    for (int i = 0; i < 3; i++) {
      int pr = 1 + health.nextInt(prs);
      plan(new Moment.Once(pr, ReasonCode.TARGET_SUSPECTED), new Deed.Ask(QueueLifecycle.PAUSED));
    }
  }

  /** Some pushes come together, so that the news of them may overtake one another. */
  private void pushPast() {
    Moment moment = underTest();
    for (int push = 1; push <= pushes; push++) {
      plan(moment, new Deed.PushToTarget(push));
      moment = chance(0.6) ? moment : underTest();
    }
  }

  private Moment underTest() {
    int pr = anyPr();
    return chance(0.5) ? new Moment.Once(pr, ReasonCode.SLOT_FREE) : moment(pr);
  }

  private void disturb() {
    int pr = anyPr();
    Moment moment = moment(pr);
    switch (random.nextInt(16)) {
      case 0, 1 -> plan(moment, new Deed.Cancel(pr));
      case 2, 3 -> plan(moment, new Deed.Push(pr));
      case 4 -> thereAndBack(moment, new Deed.SetDraft(pr, true), new Deed.SetDraft(pr, false));
      case 5 -> thereAndBack(moment, new Deed.SetOpen(pr, false), new Deed.SetOpen(pr, true));
      case 6 -> thereAndBack(moment, new Deed.ChangeBase(pr, false), new Deed.ChangeBase(pr, true));
      case 7, 8 -> plan(moment, submit(pr));
      case 9 -> plan(moment, new Deed.Restart(pr));
      case 10 -> plan(moment, new Deed.MergeByHand(pr));
      case 11, 12 -> {
        var rest = chance(0.6) ? QueueLifecycle.PAUSED : QueueLifecycle.DRAINING;
        thereAndBack(moment, new Deed.Ask(rest), new Deed.Ask(QueueLifecycle.RUNNING));
      }
      case 13 -> plan(moment, configure());
      case 14 -> plan(moment, replay());
      default -> {
        if (chance(0.2)) {
          thereAndBack(moment, new Deed.Connect(false), new Deed.Connect(true));
        } else {
          plan(moment, new Deed.TellTargets(pr, chance(0.5)));
        }
      }
    }
  }

  /** Two things that seldom meet by themselves. */
  private void twist() {
    int pr = anyPr();
    switch (random.nextInt(9)) {
      case 0 -> secondThoughts(pr);
      case 1 -> plan(new Moment.Once(pr, ReasonCode.TEST_FAILED), new Deed.Restart(pr));
      case 2 -> plan(new Moment.Once(pr, turn()), new Deed.Restart(pr));
      case 3, 4, 5 ->
          plan(new Moment.Once(pr, ReasonCode.BISECTING), new Deed.Configure(Tweak.MODE, 0));
      case 6 ->
          thereAndBack(
              new Moment.Once(pr, chance(0.5) ? ReasonCode.BISECTING : ReasonCode.TEST_FAILED),
              new Deed.Ask(QueueLifecycle.PAUSED),
              new Deed.Ask(QueueLifecycle.RUNNING));
      case 7 -> plan(new Moment.BeforeLanding(pr), new Deed.Push(anyPr()));
      default -> backAndForth(pr);
    }
  }

  /** A cancel that is taken back while the merge is under way, which then may come to nothing. */
  private void secondThoughts(int pr) {
    var moment = new Moment.BeforeLanding(pr);
    plan(moment, new Deed.Cancel(pr));
    plan(moment, submit(pr));
    if (chance(0.6)) {
      plan(moment, new Deed.MergeByHand(anyPr()));
    }
  }

  /** The forge shows the same pull request twice within seconds, in whatever order. */
  private void backAndForth(int pr) {
    Moment moment = moment(pr);
    plan(moment, new Deed.SetDraft(pr, true));
    plan(moment, new Deed.SetDraft(pr, false));
  }

  private void plan(Moment moment, Deed deed) {
    deeds.add(new PlannedDeed(moment, deed));
  }

  private void thereAndBack(Moment moment, Deed there, Deed back) {
    plan(moment, there);
    if (chance(0.8)) {
      plan(sometime(), back);
    }
  }

  private Deed submit(int pr) {
    int priority =
        switch (random.nextInt(10)) {
          case 0, 1, 2, 3 -> 100;
          case 4 -> 10;
          case 5 -> 200;
          case 6 -> 0;
          case 7 -> 1 + random.nextInt(255);
          default -> 95 + random.nextInt(11);
        };
    return new Deed.Submit(pr, priority, chance(0.1));
  }

  private Deed configure() {
    Tweak tweak = PLAIN.get(random.nextInt(PLAIN.size()));
    int value = random.nextInt(6);
    Tweak drawn = ahead.nextDouble() < 0.8 ? tweak : AHEAD.get(ahead.nextInt(AHEAD.size()));
    return new Deed.Configure(health.nextDouble() < 0.9 ? drawn : Tweak.FLAKE_RETRIES, value);
  }

  private Deed replay() {
    int count = 1 + random.nextInt(20);
    return chance(0.5) ? new Deed.ReplayActions(count) : new Deed.ReplayEvents(count);
  }

  private Moment moment(int pr) {
    return switch (random.nextInt(9)) {
      case 0 -> new Moment.BeforeBuild(pr);
      case 1 -> new Moment.BeforeLanding(pr);
      case 2 -> new Moment.AfterLanding(pr);
      case 3 -> new Moment.Once(pr, turn());
      default -> sometime();
    };
  }

  private ReasonCode turn() {
    return TURNS[random.nextInt(TURNS.length)];
  }

  private Moment sometime() {
    return new Moment.At(second());
  }

  private int second() {
    return random.nextInt(HOURS_OF_ARRIVALS * 3600);
  }

  private int anyPr() {
    return 1 + random.nextInt(prs);
  }

  private boolean chance(double chance) {
    return random.nextDouble() < chance;
  }
}
