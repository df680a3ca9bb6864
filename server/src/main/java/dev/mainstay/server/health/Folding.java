package dev.mainstay.server.health;

import dev.mainstay.server.health.result.FeedStore;
import dev.mainstay.server.health.result.FeedStore.Arrived;
import dev.mainstay.server.health.result.FeedStore.Unfolded;
import dev.mainstay.server.health.result.TestDayStore;
import dev.mainstay.server.health.result.TestDayStore.Stretch;
import dev.mainstay.server.platform.Database;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jdbi.v3.core.Handle;

/**
 * Folds the runs of hours that have passed into counts of days, so that the numbers of a test are
 * read from few rows. Uploads go on meanwhile.
 */
final class Folding {
  /** Reports tell when a suite began, and come when it is over. */
  private static final Duration MOST_RUN = Duration.ofHours(1);

  private final Database database;
  private final Clock clock;

  Folding(Database database, Clock clock) {
    this.database = database;
    this.clock = clock;
  }

  /** Folds what is due, the runs of a day in each transaction; ends early on closing. */
  void round(BooleanSupplier isClosing) {
    Instant due = clock.instant().minus(MOST_RUN).truncatedTo(ChronoUnit.HOURS);
    for (long repository : database.query(handle -> FeedStore.unfolded(handle, due))) {
      while (!isClosing.getAsBoolean()
          && database.inTransaction(handle -> isMoreLeft(handle, repository, due))) {}
    }
  }

  private static boolean isMoreLeft(Handle handle, long repositoryId, Instant due) {
    return TestDayStore.lock(handle, repositoryId) && fold(handle, repositoryId, due).isBefore(due);
  }

  /** Folds late hours, and the first day on which there are runs; returns until when all is. */
  private static Instant fold(Handle handle, long repositoryId, Instant due) {
    Unfolded left = FeedStore.unfolded(handle, repositoryId);
    Instant late = left.from();
    while (late.isBefore(left.until())) {
      Instant to = endOfDay(late, left.until());
      TestDayStore.foldHours(handle, repositoryId, new Stretch(late, to));
      late = to;
    }
    Instant until = left.until().isBefore(due) ? due : left.until();
    Instant first = left.runsFrom().orElse(until);
    if (first.isBefore(until)) {
      until = endOfDay(first, until);
      TestDayStore.foldRuns(
          handle, repositoryId, new Stretch(first, until), left.stamp(), left.uploadsFrom());
    }
    moveOn(handle, repositoryId, left, until);
    return until;
  }

  /** The runs of what arrived meanwhile are not folded, and so they were late. */
  private static void moveOn(Handle handle, long repositoryId, Unfolded left, Instant until) {
    var arrived = new ArrayList<>(countLate(handle, repositoryId, left, left.stamp(), until));
    // What came until here need not be counted while others wait.
    long stamp = arrived.isEmpty() ? left.stamp() : arrived.getLast().stamp();
    FeedStore.hold(handle, repositoryId);
    arrived.addAll(countLate(handle, repositoryId, left, stamp, until));
    Instant unfolded =
        arrived.stream()
            .map(upload -> upload.from().truncatedTo(ChronoUnit.HOURS))
            .filter(until::isAfter)
            .min(Instant::compareTo)
            .orElse(until);
    FeedStore.folded(handle, repositoryId, until, unfolded);
  }

  /** Counts runs of uploads after a stamp from before a time by the hour; returns the uploads. */
  private static List<Arrived> countLate(
      Handle handle, long repositoryId, Unfolded left, long stamp, Instant until) {
    List<Arrived> arrived = FeedStore.after(handle, repositoryId, stamp, Integer.MAX_VALUE);
    List<Long> late =
        arrived.stream().filter(u -> u.from().isBefore(until)).map(Arrived::uploadId).toList();
    if (!late.isEmpty()) {
      TestDayStore.addHours(handle, repositoryId, late, left.until(), until);
    }
    return arrived;
  }

  private static Instant endOfDay(Instant time, Instant most) {
    Instant end = time.truncatedTo(ChronoUnit.DAYS).plus(1, ChronoUnit.DAYS);
    return end.isBefore(most) ? end : most;
  }
}
