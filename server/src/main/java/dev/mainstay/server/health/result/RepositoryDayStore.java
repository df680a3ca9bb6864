package dev.mainstay.server.health.result;

import java.time.Instant;
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

  /** Forgets days past their organization's retention, some at a time; returns how many. */
  public static int deleteExpired(Handle handle, Instant now, int most) {
    return handle
        .createUpdate(
            """
            DELETE FROM repository_day d USING (
              SELECT d.repository_id, d.day FROM repository_view r
              JOIN repository_day d ON d.repository_id = r.id
                AND d.day < CAST(:now AS timestamptz)::date - (r.retention_days + 2)
              LIMIT :most
            ) old WHERE d.repository_id = old.repository_id AND d.day = old.day
            """)
        .bind("now", now)
        .bind("most", most)
        .execute();
  }
}
