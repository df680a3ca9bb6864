package dev.mainstay.server.health.result;

import dev.mainstay.server.platform.CopyRows;

/** Outcomes of tests on one commit, by the hour, ready to be copied. */
public final class CommitRows implements AutoCloseable {
  final CopyRows rows = new CopyRows(6);

  /** Adds a test, by the halves of its id, in the hour that begins at a time. */
  public void add(
      long high,
      long low,
      long hour,
      long lastFailedAt,
      long firstPassedAt,
      int passes,
      int fails) {
    rows.row()
        .uuid(high, low)
        .time(hour)
        .time(lastFailedAt)
        .time(firstPassedAt)
        .integer(passes)
        .integer(fails);
  }

  public boolean isEmpty() {
    return rows.rows() == 0;
  }

  @Override
  public void close() {
    rows.close();
  }
}
