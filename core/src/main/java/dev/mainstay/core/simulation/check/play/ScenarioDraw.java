package dev.mainstay.core.simulation.check.play;

import dev.mainstay.core.queue.Connection;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.queue.QueueSettings.DirectMergeMode;
import dev.mainstay.core.queue.QueueSettings.Mode;
import dev.mainstay.core.queue.QueueSettings.OptimizationMode;
import dev.mainstay.core.simulation.check.play.Deed.Tweak;
import dev.mainstay.core.simulation.check.play.PlannedDeed.Moment;
import dev.mainstay.core.simulation.check.play.Scenario.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Draws a scenario from its seed: calm ones, wild ones, and all between. */
public final class ScenarioDraw {
  private static final int HOURS_OF_ARRIVALS = 4;
  private final SplittableRandom random;
  private final long seed;
  private final int prs;
  private final int pushes;
  private final int targets;

  private ScenarioDraw(long seed) {
    this.seed = seed;
    this.random = new SplittableRandom(Luck.mix(seed, 17));
    this.prs = chance(0.04) ? 20 + random.nextInt(10) : 2 + random.nextInt(11);
    this.pushes = chance(0.4) ? 1 + random.nextInt(3) : 0;
    this.targets = 1 + random.nextInt(5);
  }

  public static Scenario draw(long seed) {
    return new ScenarioDraw(seed).scenario();
  }

  private Scenario scenario() {
    QueueSettings settings = settings();
    boolean nothingRequired = settings.requiredStatuses().filter(List::isEmpty).isPresent();
    boolean calm = chance(0.3);
    Flaws flaws = nothingRequired || chance(0.15) ? Flaws.NONE : flaws();
    return new Scenario(
        seed,
        settings,
        connection(),
        chance(0.4) ? FaultRates.NONE : faults(),
        flaws,
        subjects(settings),
        deeds(calm),
        chance(0.5),
        chance(0.92));
  }

  private QueueSettings settings() {
    return QueueSettings.defaults()
        .edit()
        .mode(chance(0.5) ? Mode.SINGLE : Mode.PARALLEL)
        .concurrency(1 + random.nextInt(6))
        .bisectionConcurrency(chance(0.5) ? Optional.empty() : Optional.of(1 + random.nextInt(3)))
        .testingTimeoutMinutes(chance(0.2) ? 0 : 120 + random.nextInt(180))
        .pendingFailureDepth(chance(0.6) ? 0 : 1 + random.nextInt(3))
        .canOptimisticallyMerge(chance(0.4))
        .batch(chance(0.5))
        .batchingMinSize(2 + random.nextInt(4))
        .batchingMaxWaitTimeMinutes(random.nextInt(25))
        .directMergeMode(chance(0.2) ? DirectMergeMode.ALWAYS : DirectMergeMode.OFF)
        .optimizationMode(
            chance(0.4) ? OptimizationMode.BISECTION_SKIP_REDUNDANT_TESTS : OptimizationMode.OFF)
        .requiredStatuses(required())
        .build();
  }

  private Optional<List<String>> required() {
    return switch (random.nextInt(10)) {
      case 0 -> Optional.of(List.of());
      case 1, 2, 3, 4 -> Optional.empty();
      case 5, 6 -> Optional.of(List.of("test"));
      default -> Optional.of(List.of("build", "test", "lint"));
    };
  }

  private Connection connection() {
    return switch (random.nextInt(8)) {
      case 0 -> new Connection(true, List.of(), true);
      case 1, 2 -> new Connection(true, List.of("build"), true);
      default -> new Connection(true, List.of("build", "test"), false);
    };
  }

  private FaultRates faults() {
    FaultRates faults = FaultRates.NONE;
    for (FaultRates.Kind kind : FaultRates.Kind.values()) {
      if (chance(0.4)) {
        faults = faults.with(kind, 0.02 + 0.2 * random.nextDouble());
      }
    }
    return faults;
  }

  private Flaws flaws() {
    var broken = new ArrayList<Flaws.Broken>();
    double rate = random.nextDouble() * 0.4;
    for (int pr = 1; pr <= prs; pr++) {
      if (chance(rate)) {
        broken.add(new Flaws.Broken(pr, 1 + random.nextInt(2)));
      }
    }
    return new Flaws(broken, pairs(random.nextDouble() * 0.3), pairs(random.nextDouble() * 0.15));
  }

  private List<Flaws.Pair> pairs(double rate) {
    var pairs = new ArrayList<Flaws.Pair>();
    for (int one = -pushes; one <= prs; one++) {
      for (int other = Math.max(1, one + 1); other <= prs; other++) {
        if (one != 0 && chance(rate)) {
          pairs.add(new Flaws.Pair(one, other));
        }
      }
    }
    return pairs;
  }

  private Map<Integer, Subject> subjects(QueueSettings settings) {
    var subjects = new TreeMap<Integer, Subject>();
    double told = settings.isParallel() ? 0.7 : 0.3;
    for (int number = -pushes; number <= prs; number++) {
      if (number != 0) {
        subjects.put(number, new Subject(someTargets(), chance(0.3), chance(told)));
      }
    }
    return subjects;
  }

  private ImpactedTargets someTargets() {
    if (chance(0.1)) {
      return ImpactedTargets.ALL;
    }
    if (chance(0.05)) {
      return ImpactedTargets.NONE;
    }
    var names = new ArrayList<String>();
    int count = 1 + random.nextInt(2);
    for (int i = 0; i < count; i++) {
      names.add("t" + random.nextInt(targets));
    }
    return ImpactedTargets.of(names);
  }

  private List<PlannedDeed> deeds(boolean calm) {
    var deeds = new ArrayList<PlannedDeed>();
    boolean rush = chance(0.3);
    for (int pr = 1; pr <= prs; pr++) {
      var moment = new Moment.At(rush ? random.nextInt(900) : second());
      deeds.add(new PlannedDeed(moment, submit(pr)));
      deeds.add(new PlannedDeed(sometime(), new Deed.TellTargets(pr, chance(0.15))));
    }
    for (int push = 1; push <= pushes; push++) {
      deeds.add(new PlannedDeed(moment(anyPr()), new Deed.PushToTarget(push)));
    }
    int extras = calm ? 0 : random.nextInt(3 * prs);
    for (int i = 0; i < extras; i++) {
      disturb(deeds);
    }
    return deeds;
  }

  private void disturb(List<PlannedDeed> deeds) {
    int pr = anyPr();
    Moment moment = moment(pr);
    switch (random.nextInt(16)) {
      case 0, 1 -> deeds.add(new PlannedDeed(moment, new Deed.Cancel(pr)));
      case 2, 3 -> deeds.add(new PlannedDeed(moment, new Deed.Push(pr)));
      case 4 ->
          thereAndBack(deeds, moment, new Deed.SetDraft(pr, true), new Deed.SetDraft(pr, false));
      case 5 ->
          thereAndBack(deeds, moment, new Deed.SetOpen(pr, false), new Deed.SetOpen(pr, true));
      case 6 ->
          thereAndBack(
              deeds, moment, new Deed.ChangeBase(pr, false), new Deed.ChangeBase(pr, true));
      case 7, 8 -> deeds.add(new PlannedDeed(moment, submit(pr)));
      case 9 -> deeds.add(new PlannedDeed(moment, new Deed.Restart(pr)));
      case 10 -> deeds.add(new PlannedDeed(moment, new Deed.MergeByHand(pr)));
      case 11, 12 -> {
        var rest = chance(0.6) ? QueueLifecycle.PAUSED : QueueLifecycle.DRAINING;
        thereAndBack(deeds, moment, new Deed.Ask(rest), new Deed.Ask(QueueLifecycle.RUNNING));
      }
      case 13 -> deeds.add(new PlannedDeed(moment, configure()));
      case 14 -> deeds.add(new PlannedDeed(moment, replay()));
      default -> {
        if (chance(0.2)) {
          thereAndBack(deeds, moment, new Deed.Connect(false), new Deed.Connect(true));
        } else {
          deeds.add(new PlannedDeed(moment, new Deed.TellTargets(pr, chance(0.5))));
        }
      }
    }
  }

  private void thereAndBack(List<PlannedDeed> deeds, Moment moment, Deed there, Deed back) {
    deeds.add(new PlannedDeed(moment, there));
    if (chance(0.8)) {
      deeds.add(new PlannedDeed(sometime(), back));
    }
  }

  private Deed submit(int pr) {
    int[] priorities = {100, 100, 100, 100, 10, 200, 50, 0};
    return new Deed.Submit(pr, priorities[random.nextInt(priorities.length)], chance(0.1));
  }

  private Deed configure() {
    Tweak[] tweaks = Tweak.values();
    return new Deed.Configure(tweaks[random.nextInt(tweaks.length)], random.nextInt(6));
  }

  private Deed replay() {
    int count = 1 + random.nextInt(20);
    return chance(0.5) ? new Deed.ReplayActions(count) : new Deed.ReplayEvents(count);
  }

  private Moment moment(int pr) {
    return switch (random.nextInt(8)) {
      case 0 -> new Moment.BeforeBuild(pr);
      case 1 -> new Moment.BeforeLanding(pr);
      case 2 -> new Moment.AfterLanding(pr);
      default -> sometime();
    };
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
