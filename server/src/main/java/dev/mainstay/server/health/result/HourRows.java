package dev.mainstay.server.health.result;

import dev.mainstay.server.platform.CopyRows;
import dev.mainstay.server.repository.Repository;

/** Counts of tests by the hour, ready to be copied. */
public final class HourRows implements AutoCloseable {
  final CopyRows rows = new CopyRows(7);
  private final Repository repository;

  public HourRows(Repository repository) {
    this.repository = repository;
  }

  /** Adds a test, by the halves of its id, in the hour that begins at a time. */
  public void add(long high, long low, long hour, int passes, int failures, int skips) {
    rows.row()
        .number(repository.id())
        .uuid(high, low)
        .time(hour)
        .integer(passes)
        .integer(failures)
        .integer(skips)
        .small(repository.retentionDays());
  }

  int retentionDays() {
    return repository.retentionDays();
  }

  @Override
  public void close() {
    rows.close();
  }
}
