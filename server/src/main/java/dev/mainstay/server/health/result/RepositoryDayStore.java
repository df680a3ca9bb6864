package dev.mainstay.server.health.result;

import java.time.LocalDate;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/** The table {@code repository_day}, to which {@link FeedStore} adds what uploads bring. */
public final class RepositoryDayStore {
  private RepositoryDayStore() {}

  /** The counts of repositories by the day, from a day on; days without any run are not there. */
  public static Map<Long, Map<LocalDate, DayCounts>> since(
      Handle handle, Collection<Long> repositories, LocalDate first) {
    var days = new HashMap<Long, Map<LocalDate, DayCounts>>();
    handle
        .createQuery(
            """
            SELECT repository_id, day, passes, failures, skips FROM repository_day
            WHERE repository_id = ANY (:repositories) AND day >= :first
            """)
        .bindArray("repositories", Long.class, repositories)
        .bind("first", first)
        .map(
            (row, context) ->
                days.computeIfAbsent(row.getLong(1), id -> new HashMap<>())
                    .put(
                        row.getObject(2, LocalDate.class),
                        new DayCounts(row.getLong(3), row.getLong(4), row.getLong(5))))
        .list();
    return days;
  }

  /** Forgets days before one; returns how many. */
  public static int deleteExpired(Handle handle, long repositoryId, LocalDate before) {
    return handle.execute(
        "DELETE FROM repository_day WHERE repository_id = ? AND day < ?", repositoryId, before);
  }
}
