package dev.mainstay.server.queue.whatif;

import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.simulation.Score;
import dev.mainstay.core.simulation.past.Trial;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What came of a question. */
public sealed interface Answer {
  record NoSuchQueue() implements Answer {}

  /** A time that is none, or is longer than so many days. */
  record BadWindow(long mostDays) implements Answer {}

  /** Others are being answered; later there may be room. */
  record Busy() implements Answer {}

  /**
   * Where too little has happened there are no rows.
   *
   * @param known of how many changes all is known, of the others something is {@code guessed}
   * @param notes what cannot be known, in sentences
   * @param asItWas what came of the same changes in truth; its share of green is not known
   */
  record Shown(
      Instant from,
      Instant to,
      int changes,
      int known,
      int guessed,
      List<LeftOut> leftOut,
      Found found,
      List<String> notes,
      Optional<Figures> asItWas,
      List<Row> rows)
      implements Answer {
    public Shown {
      leftOut = List.copyOf(leftOut);
      notes = List.copyOf(notes);
      rows = List.copyOf(rows);
    }
  }

  /** How many submissions take no part for a reason. */
  record LeftOut(String code, int count) {}

  /** What was found in the past. */
  record Found(
      int failedAlone,
      int failedTogether,
      int flakes,
      double flakeRate,
      int testTimesDrawn,
      int targetsKnown) {}

  /** One of those that were tried; without figures where there was no time for it. */
  record Row(
      Trial.Kind kind, String label, Optional<QueueSettings> settings, Optional<Figures> figures) {}

  /** Times are minutes. */
  record Figures(
      int changes,
      int landed,
      int rejected,
      double p50,
      double p95,
      double p99,
      double buildsPerChange,
      double buildMinutesPerChange,
      int falseEjections,
      double greenShare) {
    static Figures of(Score score) {
      return new Figures(
          score.changes(),
          score.landed(),
          score.rejected(),
          rounded(score.turnaround().p50()),
          rounded(score.turnaround().p95()),
          rounded(score.turnaround().p99()),
          rounded(score.buildsPerChange()),
          rounded(score.ciMinutesPerChange()),
          score.falseEjections(),
          Math.rint(score.greenShare() * 10_000) / 10_000);
    }

    private static double rounded(double number) {
      return Math.rint(number * 1000) / 1000;
    }
  }
}
