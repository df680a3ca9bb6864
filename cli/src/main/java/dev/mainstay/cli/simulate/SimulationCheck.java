package dev.mainstay.cli.simulate;

import dev.mainstay.core.queue.rules.Engine;
import dev.mainstay.core.simulation.check.Failure;
import dev.mainstay.core.simulation.check.SeedCheck;
import dev.mainstay.core.simulation.check.SeedResult;
import dev.mainstay.core.simulation.check.Story;
import dev.mainstay.core.simulation.check.coverage.Visits;
import java.io.PrintWriter;
import java.util.ArrayDeque;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongSupplier;

/**
 * {@code simulate --check}: tries to break the queue's rules in the worlds of many seeds, and tells
 * the shortest story of the first one that does, or names all that do.
 */
public final class SimulationCheck {
  private static final int HOLDS = 0;
  private static final int BROKEN = 1;
  private static final int CORES = Runtime.getRuntime().availableProcessors();
  private static final int AHEAD = 16 * CORES;
  private final PrintWriter out;
  private final PrintWriter progress;
  private final boolean atTerminal;
  private final LongSupplier nanos;
  private final SeedCheck check;

  /** Progress is shown at a terminal only. */
  public SimulationCheck(
      PrintWriter out, PrintWriter progress, boolean atTerminal, LongSupplier nanos) {
    this(new SeedCheck(Engine::on), out, progress, atTerminal, nanos);
  }

  SimulationCheck(
      SeedCheck check,
      PrintWriter out,
      PrintWriter progress,
      boolean atTerminal,
      LongSupplier nanos) {
    this.check = check;
    this.out = out;
    this.progress = progress;
    this.atTerminal = atTerminal;
    this.nanos = nanos;
  }

  /**
   * Checks so many seeds from the first on, on all cores; gives the exit code. The first one that
   * breaks a promise is the last, unless it is to keep going.
   */
  public int run(long firstSeed, int seeds, boolean keepGoing) {
    ExecutorService workers = Executors.newFixedThreadPool(CORES);
    try {
      return run(firstSeed, seeds, keepGoing, workers);
    } finally {
      workers.shutdownNow();
    }
  }

  /** Verdicts come in the order of their seeds, whichever is found first. */
  private int run(long firstSeed, int seeds, boolean keepGoing, Executor workers) {
    long start = nanos.getAsLong();
    long events = 0;
    int broken = 0;
    var visits = new Visits();
    var ahead = new ArrayDeque<CompletableFuture<SeedResult>>();
    for (int done = 0, asked = 0; done < seeds; done++) {
      for (; asked < Math.min(seeds, done + AHEAD); asked++) {
        long seed = firstSeed + asked;
        ahead.add(CompletableFuture.supplyAsync(() -> check.check(seed), workers));
      }
      SeedResult verdict = ahead.remove().join();
      events += verdict.events();
      visits.add(verdict.visits());
      if (!verdict.holds()) {
        clear();
        if (!keepGoing) {
          return broken(verdict);
        }
        broken++;
        name(verdict);
      }
      show(done + 1, seeds, perSecond(events, start));
    }
    clear();
    out.printf(
        Locale.ROOT,
        "%d seeds from %d on, %d events, %d events per second: %s.%n",
        seeds,
        firstSeed,
        events,
        perSecond(events, start),
        broken == 0
            ? "every invariant holds"
            : broken + " broken; --check with --seed alone tells the story of one");
    out.println("Corners, and how often they were visited:");
    visits.told().forEach(out::println);
    out.flush();
    return broken == 0 ? HOLDS : BROKEN;
  }

  private void name(SeedResult verdict) {
    Failure failure = verdict.failure().orElseThrow();
    out.printf(
        Locale.ROOT,
        "Seed %d breaks %s: %s%n",
        verdict.seed(),
        failure.invariant(),
        failure.detail());
    out.flush();
  }

  /** Tells the story of one seed: the shortest one where it fails, else all of it. */
  public int replay(long seed) {
    SeedResult verdict = check.check(seed);
    if (!verdict.holds()) {
      return broken(verdict);
    }
    out.println(Story.world(check.scenario(seed)));
    check.replay(seed).forEach(out::println);
    out.printf(Locale.ROOT, "Seed %d, %d events: every invariant holds.%n", seed, verdict.events());
    out.flush();
    return HOLDS;
  }

  private int broken(SeedResult verdict) {
    Failure failure = verdict.failure().orElseThrow();
    out.printf(
        Locale.ROOT,
        "Seed %d breaks the rules; looking for the shortest story ...%n",
        verdict.seed());
    out.flush();
    out.println(Story.failure(verdict.seed(), check.shortest(failure)));
    out.flush();
    return BROKEN;
  }

  private long perSecond(long events, long start) {
    return events * 1_000_000_000L / Math.max(1, nanos.getAsLong() - start);
  }

  private void show(int done, int seeds, long perSecond) {
    if (atTerminal && (done % 20 == 0 || done == seeds)) {
      progress.printf(
          Locale.ROOT, "\r%d of %d seeds, %d events per second ", done, seeds, perSecond);
      progress.flush();
    }
  }

  private void clear() {
    if (atTerminal) {
      progress.print("\r" + " ".repeat(70) + "\r");
      progress.flush();
    }
  }
}
