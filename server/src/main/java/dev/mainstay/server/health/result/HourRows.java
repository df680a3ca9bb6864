package dev.mainstay.server.health.result;

import dev.mainstay.server.platform.CopyRows;
import dev.mainstay.server.repository.Repository;
import java.time.LocalDate;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** Counts of tests by the hour, ready to be copied. */
public final class HourRows implements AutoCloseable {
  private static final long DAY_MILLIS = 86_400_000;

  final CopyRows rows = new CopyRows(8);
  private final SortedMap<LocalDate, DayCounts> days = new TreeMap<>();
  private final Repository repository;

  public HourRows(Repository repository) {
    this.repository = repository;
  }

  /** Adds a test, by the halves of its id, in the hour that begins at a time. */
  public void add(
      long high, long low, long hour, long lastFailedAt, int passes, int failures, int skips) {
    rows.row()
        .number(repository.id())
        .uuid(high, low)
        .time(hour)
        .time(lastFailedAt)
        .integer(passes)
        .integer(failures)
        .integer(skips)
        .small(repository.retentionDays());
    days.merge(
        LocalDate.ofEpochDay(Math.floorDiv(hour, DAY_MILLIS)),
        new DayCounts(passes, failures, skips),
        DayCounts::plus);
  }

  int retentionDays() {
    return repository.retentionDays();
  }

  /** The counts of all tests together, by the day. */
  public SortedMap<LocalDate, DayCounts> days() {
    return Collections.unmodifiableSortedMap(days);
  }

  @Override
  public void close() {
    rows.close();
  }
}
