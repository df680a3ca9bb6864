package dev.mainstay.server.queue;

import static java.util.stream.Collectors.toMap;

import dev.mainstay.core.queue.ReasonCode;
import dev.mainstay.server.queue.QueueHealth.Exits;
import dev.mainstay.server.queue.QueueHealth.Numbers;
import dev.mainstay.server.queue.QueueHealth.Percentiles;
import dev.mainstay.server.queue.store.QueueHealthStore;
import dev.mainstay.server.queue.store.QueueHealthStore.Level;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;

/** Draws up the health of a queue from what is counted in its tables. */
final class HealthChart {
  private static final Level NOBODY = new Level(0, 0, 0);

  private final HealthWindow window;
  private final int slots;
  private final Count total = new Count();
  private final List<Count> counts = new ArrayList<>();
  private final Map<Integer, QueueHealth.Times> times;
  private final Optional<QueueHealth.Times> timesInAll;
  private final Map<Integer, Level> depths;
  private final Map<Integer, Level> used;

  /** Reads the tables. */
  HealthChart(Handle handle, long queueId, HealthWindow window, int slots) {
    this.window = window;
    this.slots = slots;
    var stretch = new QueueHealthStore.Stretch(window.from(), window.to(), window.step().length());
    for (int i = 0; i < window.count(); i++) {
      counts.add(new Count());
    }
    QueueHealthStore.ended(handle, queueId, stretch).forEach(e -> at(e.step(), c -> c.ended(e)));
    QueueHealthStore.moved(handle, queueId, stretch).forEach(m -> at(m.step(), c -> c.moved(m)));
    QueueHealthStore.built(handle, queueId, stretch).forEach(b -> at(b.step(), c -> c.built(b)));
    QueueHealthStore.landed(handle, queueId, stretch).forEach(l -> at(l.step(), c -> c.landed(l)));
    List<QueueHealthStore.Times> measured = QueueHealthStore.times(handle, queueId, stretch);
    times =
        measured.stream()
            .filter(t -> t.step().isPresent())
            .collect(toMap(t -> t.step().orElseThrow(), HealthChart::times));
    timesInAll =
        measured.stream().filter(t -> t.step().isEmpty()).map(HealthChart::times).findFirst();
    depths = byStep(QueueHealthStore.depths(handle, queueId, stretch));
    used = byStep(QueueHealthStore.slotsUsed(handle, queueId, stretch));
  }

  private void at(int step, Consumer<Count> adds) {
    Stream.of(counts.get(step), total).forEach(adds);
  }

  private static Map<Integer, Level> byStep(List<Level> levels) {
    return levels.stream().collect(toMap(Level::step, Function.identity()));
  }

  private static QueueHealth.Times times(QueueHealthStore.Times t) {
    return new QueueHealth.Times(
        percentiles(t.inQueue()),
        percentiles(t.waiting()),
        percentiles(t.testing()),
        percentiles(t.blocked()));
  }

  private static Percentiles percentiles(List<Double> two) {
    return new Percentiles(rounded(two.getFirst()), rounded(two.getLast()));
  }

  private static double rounded(double number) {
    return Math.round(number * 1000) / 1000.0;
  }

  QueueHealth drawn() {
    var steps = new ArrayList<QueueHealth.Step>();
    for (int i = 0; i < counts.size(); i++) {
      Count count = counts.get(i);
      Level depth = depths.getOrDefault(i, NOBODY);
      steps.add(
          new QueueHealth.Step(
              window.begin(i),
              count.numbers(Optional.ofNullable(times.get(i))),
              count.exits(),
              depth.most(),
              rounded(depth.mean()),
              slots,
              rounded(used.getOrDefault(i, NOBODY).mean())));
    }
    return new QueueHealth(window, total.numbers(timesInAll), total.exits(), steps);
  }

  /** What is added up over a step, or over all of them. */
  private static final class Count {
    private final Map<ReasonCode, Integer> exits = new EnumMap<>(ReasonCode.class);
    private int entered;
    private int merged;
    private int failed;
    private int cancelled;
    private int restarts;
    private int bisections;
    private int builds;
    private int buildsOfBatches;
    private int landed;
    private int landedByBatches;

    void ended(QueueHealthStore.Ended ended) {
      exits.merge(ended.reason(), ended.count(), Integer::sum);
      switch (ended.state()) {
        case MERGED -> merged += ended.count();
        case FAILED -> failed += ended.count();
        case CANCELLED -> cancelled += ended.count();
        case NOT_READY, PENDING, TESTING, TESTS_PASSED, PENDING_FAILURE ->
            throw new IllegalStateException(ended + " has not ended");
      }
    }

    void moved(QueueHealthStore.Moved moved) {
      entered += moved.entered();
      restarts += moved.restarts();
      bisections += moved.bisections();
    }

    void built(QueueHealthStore.Built built) {
      builds += built.builds();
      buildsOfBatches += built.ofBatches();
    }

    void landed(QueueHealthStore.Landed changes) {
      landed += changes.changes();
      landedByBatches += changes.byBatches();
    }

    Numbers numbers(Optional<QueueHealth.Times> times) {
      return new Numbers(
          entered,
          merged,
          failed,
          cancelled,
          restarts,
          bisections,
          builds,
          Math.max(0, landedByBatches - buildsOfBatches),
          landed == 0 ? Optional.empty() : Optional.of(rounded((double) builds / landed)),
          times);
    }

    /** The most frequent first. */
    List<Exits> exits() {
      return exits.entrySet().stream()
          .map(e -> new Exits(e.getKey(), e.getValue()))
          .sorted(Comparator.comparingInt(Exits::count).reversed())
          .toList();
    }
  }
}
