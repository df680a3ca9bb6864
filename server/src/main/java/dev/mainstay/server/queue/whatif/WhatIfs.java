package dev.mainstay.server.queue.whatif;

import com.github.benmanes.caffeine.cache.Cache;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.simulation.Score;
import dev.mainstay.core.simulation.past.PastWorld;
import dev.mainstay.core.simulation.past.Trial;
import dev.mainstay.core.simulation.past.UsualTrials;
import dev.mainstay.core.simulation.past.WhatIf;
import dev.mainstay.core.simulation.policy.Policies;
import dev.mainstay.server.platform.Caches;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.queue.run.QueueRunner;
import dev.mainstay.server.queue.store.OpenQueue;
import dev.mainstay.server.queue.store.QueueName;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Answers what other settings would have made of a queue's past. It reads and never writes; an
 * answer is given again to the same question for a while.
 */
public final class WhatIfs {
  /** With fewer changes a percentile says nothing. */
  public static final int FEWEST_CHANGES = 20;

  private static final Duration USUAL = Duration.ofDays(30);
  private static final Duration LONGEST = Duration.ofDays(90);
  private static final Duration KEPT = Duration.ofMinutes(5);
  private static final int MOST_KEPT = 200;
  private static final int MOST_IN_LINE = 5;
  private static final Duration IN_LINE = Duration.ofSeconds(15);
  private static final Duration TIME_TO_PLAY = Duration.ofSeconds(15);

  /** One seed is enough: it decides only what the past does not tell. */
  private static final long SEED = 1;

  private final Database database;
  private final Clock clock;
  private final QueueRunner runner;
  private final Workbench bench = new Workbench(MOST_IN_LINE, IN_LINE);
  private final Cache<Key, Made> made = Caches.ofAtMost(MOST_KEPT);

  public WhatIfs(Database database, Clock clock, QueueRunner runner) {
    this.database = database;
    this.clock = clock;
    this.runner = runner;
  }

  private record Variant(String label, QueueSettings settings) {}

  private record Key(
      long queueId,
      QueueSettings present,
      Optional<Instant> from,
      Optional<Instant> to,
      List<Variant> variants,
      boolean usual,
      List<String> policies) {}

  private record Made(Instant at, Answer answer) {}

  private record Window(Instant from, Instant to) {}

  public Answer ask(QueueName name, Question question) {
    Optional<Window> window = window(question);
    if (window.isEmpty()) {
      return new Answer.BadWindow(LONGEST.toDays());
    }
    return runner
        .find(name)
        .map(queue -> answer(key(queue, question), window.get()))
        .orElseGet(Answer.NoSuchQueue::new);
  }

  private Optional<Window> window(Question question) {
    Instant now = clock.instant();
    Instant to = question.to().filter(now::isAfter).orElse(now).truncatedTo(ChronoUnit.MICROS);
    Instant from = question.from().orElseGet(() -> to.minus(USUAL));
    return from.isBefore(to) && !from.isBefore(to.minus(LONGEST))
        ? Optional.of(new Window(from, to))
        : Optional.empty();
  }

  private static Key key(OpenQueue queue, Question question) {
    QueueSettings present = queue.state().settings();
    return new Key(
        queue.id(),
        present,
        question.from(),
        question.to(),
        question.variants().stream()
            .map(v -> new Variant(v.label(), v.edit().apply(present)))
            .toList(),
        question.usual(),
        question.policies());
  }

  private Answer answer(Key key, Window window) {
    return kept(key)
        .or(() -> bench.work(() -> kept(key).orElseGet(() -> make(key, window))))
        .orElseGet(Answer.Busy::new);
  }

  private Optional<Answer> kept(Key key) {
    return Optional.ofNullable(made.getIfPresent(key))
        .filter(m -> clock.instant().isBefore(m.at().plus(KEPT)))
        .map(Made::answer);
  }

  private Answer make(Key key, Window window) {
    PastReader.Read read =
        database.query(h -> PastReader.read(h, key.queueId(), window.from(), window.to()));
    PastWorld past = PastWorld.of(read.past(), SEED);
    PastWorld.Told told = past.told();
    boolean enough = told.changes() >= FEWEST_CHANGES;
    Answer answer =
        new Answer.Shown(
            window.from(),
            window.to(),
            told.changes(),
            told.known(),
            told.guessed(),
            told.leftOut().entrySet().stream()
                .map(e -> new Answer.LeftOut(e.getKey(), e.getValue()))
                .sorted(
                    Comparator.comparingInt(Answer.LeftOut::count)
                        .reversed()
                        .thenComparing(Answer.LeftOut::code))
                .toList(),
            new Answer.Found(
                told.failedAlone(),
                told.failedTogether(),
                told.flakes(),
                Math.rint(told.flakeRate() * 10_000) / 10_000,
                told.testTimesDrawn(),
                told.targetsKnown()),
            enough ? Notes.of(told, read.cut()) : List.of(),
            enough ? Optional.of(Answer.Figures.of(past.asItWas())) : Optional.empty(),
            enough ? play(past, trials(key, told, read.knowsFlakes())) : List.of());
    made.put(key, new Made(clock.instant(), answer));
    return answer;
  }

  /** What matters most comes first, and then what takes least. */
  private static List<Trial> trials(Key key, PastWorld.Told told, boolean knowsFlakes) {
    var trials = new ArrayList<Trial>();
    trials.add(Trial.of(Trial.Kind.PRESENT, "present settings", key.present(), knowsFlakes));
    for (Variant v : key.variants()) {
      trials.add(Trial.of(Trial.Kind.ASKED, v.label(), v.settings(), knowsFlakes));
    }
    for (String policy : key.policies()) {
      trials.add(
          Trial.of(
              Policies.named(policy, told.ownFailureRate(), told.conflictRate()), key.present()));
    }
    if (key.usual()) {
      trials.addAll(UsualTrials.of(key.present(), told.targetsKnown() > 0, knowsFlakes));
    }
    return trials;
  }

  /** Each may take half of the time that is left, so that a slow one leaves some to the others. */
  private static List<Answer.Row> play(PastWorld past, List<Trial> trials) {
    long end = System.nanoTime() + TIME_TO_PLAY.toNanos();
    var rows = new ArrayList<Answer.Row>();
    for (Trial trial : trials) {
      long now = System.nanoTime();
      long until = now + Math.max(0, end - now) / 2;
      Optional<Score> score = WhatIf.play(past.world(), trial, () -> System.nanoTime() - until < 0);
      rows.add(
          new Answer.Row(
              trial.kind(), trial.label(), trial.settings(), score.map(Answer.Figures::of)));
    }
    rows.sort(Comparator.comparing(Answer.Row::kind));
    return rows;
  }
}
