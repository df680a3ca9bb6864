package dev.mainstay.core.simulation.check.play;

import dev.mainstay.core.queue.Connection;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.queue.QueueSettings.DirectMergeMode;
import dev.mainstay.core.queue.QueueSettings.Mode;
import dev.mainstay.core.queue.QueueSettings.OptimizationMode;
import dev.mainstay.core.queue.QueueSettings.Sizing;
import dev.mainstay.core.simulation.check.play.Scenario.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Draws a scenario from its seed: calm ones, wild ones, and all between. */
public final class ScenarioDraw {
  private final SplittableRandom random;
  private final long seed;
  private final int prs;
  private final int pushes;
  private final int targets;

  /** Many at once in few lanes, in small batches, at a forge that merges one by one. */
  private final boolean crowded;

  /** Apart from the rest, which is as it was before queues thought ahead. */
  private final SplittableRandom ahead;

  /** Apart from both, which are as they were before queues asked test health. */
  private final SplittableRandom health;

  /** Apart from all, which are as they were before queues found sizes by themselves. */
  private final SplittableRandom sizing;

  /** Apart from all, which are as they were before anybody overtook. */
  private final SplittableRandom room;

  /** Apart from all; the worlds that once broke the queue are as before results came in parts. */
  private final SplittableRandom parts;

  private ScenarioDraw(long seed) {
    this.seed = seed;
    this.parts = new SplittableRandom(Luck.mix(seed, 106));
    this.room = new SplittableRandom(Luck.mix(seed, 21));
    this.sizing = new SplittableRandom(Luck.mix(seed, 20));
    this.health = new SplittableRandom(Luck.mix(seed, 19));
    this.ahead = new SplittableRandom(Luck.mix(seed, 18));
    this.random = new SplittableRandom(Luck.mix(seed, 17));
    this.crowded = chance(0.15);
    this.prs =
        crowded
            ? 6 + random.nextInt(8)
            : chance(0.04) ? 20 + random.nextInt(10) : 2 + random.nextInt(11);
    this.pushes = chance(0.5) ? 1 + random.nextInt(4) : 0;
    this.targets = crowded ? 4 : 1 + random.nextInt(6);
  }

  public static Scenario draw(long seed) {
    return new ScenarioDraw(seed).scenario();
  }

  private Scenario scenario() {
    QueueSettings plain = crowded ? inSmallBatches(settings()) : settings();
    QueueSettings settings = roomy(plain.edit().flakeRetries(health.nextInt(4)).build());
    boolean nothingRequired = settings.requiredStatuses().filter(List::isEmpty).isPresent();
    boolean calm = chance(0.3);
    boolean allOrNone = !crowded && chance(0.5);
    FaultRates faults = chance(0.4) ? FaultRates.NONE : faults();
    Flaws flaws = nothingRequired || chance(crowded ? 0.6 : 0.15) ? Flaws.NONE : flaws();
    return new Scenario(
        seed,
        settings,
        connection(),
        crowded || (!allOrNone && chance(0.5)) ? halving(faults) : faults,
        flaws,
        subjects(settings),
        new DeedDraw(random, ahead, health, prs, pushes).deeds(calm, crowded || chance(0.3)),
        allOrNone,
        chance(0.92),
        uploads());
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
        .hermeticTests(ahead.nextDouble() < 0.5)
        .speculationBudget(ahead.nextDouble() < 0.6 ? 0 : 1 + ahead.nextInt(3))
        .batchSizing(sizing())
        .timeoutSizing(sizing())
        .build();
  }

  private Sizing sizing() {
    return sizing.nextDouble() < 0.25 ? Sizing.AUTO : Sizing.FIXED;
  }

  private QueueSettings inSmallBatches(QueueSettings settings) {
    return settings
        .edit()
        .mode(Mode.PARALLEL)
        .concurrency(3 + random.nextInt(4))
        .batch(true)
        .batchingMinSize(2 + random.nextInt(2))
        .batchingMaxWaitTimeMinutes(random.nextInt(10))
        .build();
  }

  /** At times there are slots enough for guesses, which let the quick overtake the slow. */
  private QueueSettings roomy(QueueSettings settings) {
    if (room.nextDouble() >= 0.25) {
      return settings;
    }
    return settings
        .edit()
        .concurrency(8 + room.nextInt(8))
        .canOptimisticallyMerge(false)
        .speculationBudget(1 + room.nextInt(3))
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

  /** A forge that merges one by one may well stop halfway. */
  private FaultRates halving(FaultRates faults) {
    return faults.with(
        FaultRates.Kind.HALF_LANDINGS, (crowded ? 0.4 : 0.1) + 0.5 * random.nextDouble());
  }

  private Uploads uploads() {
    return health.nextDouble() < 0.5
        ? Uploads.NONE
        : new Uploads(
            health.nextDouble() < 0.3 ? 0 : 0.4 * health.nextDouble(),
            health.nextDouble() < 0.5 ? 1 : health.nextDouble(),
            health.nextDouble() < 0.5 ? 0 : 0.5 * health.nextDouble(),
            health.nextDouble() < 0.5 ? 0 : 0.3 * health.nextDouble(),
            parts.nextDouble() < 0.75 ? 0 : 0.5 + 0.5 * parts.nextDouble(),
            outages(),
            health.nextDouble() < 0.7);
  }

  private List<Uploads.Outage> outages() {
    var outages = new ArrayList<Uploads.Outage>();
    int count = health.nextDouble() < 0.5 ? 0 : 1 + health.nextInt(2);
    for (int i = 0; i < count; i++) {
      outages.add(new Uploads.Outage(health.nextInt(240), 20 + health.nextInt(100)));
    }
    return outages;
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
    int count = chance(crowded ? 0.3 : 0.6) ? 1 : 2 + random.nextInt(2);
    for (int i = 0; i < count; i++) {
      names.add("t" + random.nextInt(targets));
    }
    return ImpactedTargets.of(names);
  }

  private boolean chance(double chance) {
    return random.nextDouble() < chance;
  }
}
