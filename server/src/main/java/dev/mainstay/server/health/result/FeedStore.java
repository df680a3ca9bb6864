package dev.mainstay.server.health.result;

import dev.mainstay.server.platform.Columns;
import dev.mainstay.server.platform.Convoy;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/**
 * The tables {@code result_feed} and {@code arrival}: in which order uploads became visible, and
 * what their repository counts by then. The number of an upload tells nothing of that, since it is
 * taken before its transaction begins.
 */
public final class FeedStore {
  private FeedStore() {}

  /** What an upload adds to the counts of its repository. */
  public record Gain(
      Optional<Instant> earliestRun, int newTests, SortedMap<LocalDate, DayCounts> days) {
    public static final Gain NONE = new Gain(Optional.empty(), 0, new TreeMap<>());

    private Columns.Column column(ToLongFunction<DayCounts> count) {
      return Columns.numbers(days.values(), count);
    }
  }

  /**
   * Stamps an upload and counts what it brought, as the last deed of its transaction: from here to
   * its end, other uploads of the repository wait. What is sent is on its way once.
   */
  public static void arrived(Handle handle, long repositoryId, long uploadId, Gain gain) {
    var convoy = new Convoy();
    convoy.add(
        """
        INSERT INTO result_feed AS f (repository_id, stamp, unfolded_from, tests)
        VALUES (:repository, 1, CAST(nullif(:hour, '') AS timestamptz), :tests)
        ON CONFLICT (repository_id) DO UPDATE
          SET stamp = f.stamp + 1, unfolded_from = least(f.unfolded_from, excluded.unfolded_from),
            tests = f.tests + excluded.tests
        """,
        new Convoy.Values()
            .with("repository", repositoryId)
            .with("hour", gain.earliestRun.map(FeedStore::hour).orElse(""))
            .with("tests", gain.newTests));
    if (!gain.days.isEmpty()) {
      convoy.add(
          """
          INSERT INTO repository_day AS d (repository_id, day, passes, failures, skips)
          SELECT :repository, CAST(n.day AS date), n.passes, n.failures, n.skips
          FROM unnest(:days, :passes, :failures, :skips) AS n (day, passes, failures, skips)
          ON CONFLICT (repository_id, day) DO UPDATE SET passes = d.passes + excluded.passes,
            failures = d.failures + excluded.failures, skips = d.skips + excluded.skips
          """,
          new Convoy.Values()
              .with("repository", repositoryId)
              .with("days", Columns.texts(gain.days.keySet(), LocalDate::toString))
              .with("passes", gain.column(DayCounts::passes))
              .with("failures", gain.column(DayCounts::failures))
              .with("skips", gain.column(DayCounts::skips)));
    }
    convoy.add(
        """
        INSERT INTO arrival (repository_id, stamp, upload_id)
        SELECT repository_id, stamp, :upload FROM result_feed WHERE repository_id = :repository
        """,
        new Convoy.Values().with("repository", repositoryId).with("upload", uploadId));
    convoy.send(handle);
  }

  private static String hour(Instant time) {
    return time.truncatedTo(ChronoUnit.HOURS).toString();
  }

  /** The stamp of each repository that has one. */
  public static Map<Long, Long> stamps(Handle handle, Collection<Long> repositories) {
    return handle
        .createQuery(
            "SELECT repository_id, stamp FROM result_feed WHERE repository_id = ANY (:repositories)")
        .bindArray("repositories", Long.class, repositories)
        .map((row, context) -> Map.entry(row.getLong(1), row.getLong(2)))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /** An upload that arrived, with the commit it counts for and the stretch of its runs. */
  public record Arrived(long stamp, long uploadId, String commit, Instant from, Instant to) {}

  /** The uploads that arrived after a stamp, in their order. */
  public static List<Arrived> after(Handle handle, long repositoryId, long stamp, int most) {
    return handle
        .select(
            """
            SELECT a.stamp, a.upload_id, CASE WHEN u.set_aside THEN '' ELSE u.commit_sha END,
              coalesce(u.first_ran_at, u.received_at), u.received_at
            FROM arrival a JOIN upload u ON u.repository_id = a.repository_id AND u.id = a.upload_id
            WHERE a.repository_id = ? AND a.stamp > ? ORDER BY a.stamp LIMIT ?
            """,
            repositoryId,
            stamp,
            most)
        .map(
            (row, context) ->
                new Arrived(
                    row.getLong(1),
                    row.getLong(2),
                    row.getString(3),
                    row.getTimestamp(4).toInstant(),
                    row.getTimestamp(5).toInstant()))
        .list();
  }

  /** A repository with counts of hours that are over. */
  public record Unfolded(long repositoryId, long stamp, Instant from) {}

  public static List<Unfolded> unfolded(Handle handle, Instant before) {
    return handle
        .select(
            """
            SELECT repository_id, stamp, unfolded_from FROM result_feed WHERE unfolded_from < ?
            ORDER BY repository_id
            """,
            before)
        .map(
            (row, context) ->
                new Unfolded(row.getLong(1), row.getLong(2), row.getTimestamp(3).toInstant()))
        .list();
  }

  /**
   * Remembers that everything before a time is folded, but for what came after a stamp. The lock is
   * taken first, so that the second statement sees every upload that came before it.
   */
  public static void folded(Handle handle, long repositoryId, Instant until, long stamp) {
    handle.execute("SELECT FROM result_feed WHERE repository_id = ? FOR UPDATE", repositoryId);
    handle
        .createUpdate(
            """
            UPDATE result_feed SET unfolded_from = least(:until, (
              SELECT date_trunc('hour', min(u.first_ran_at)) FROM arrival a
              JOIN upload u ON u.repository_id = a.repository_id AND u.id = a.upload_id
              WHERE a.repository_id = :repository AND a.stamp > :stamp
            )) WHERE repository_id = :repository
            """)
        .bind("repository", repositoryId)
        .bind("until", until)
        .bind("stamp", stamp)
        .execute();
  }

  /** Forgets the arrival of uploads that are forgotten themselves; returns how many. */
  public static int deleteExpired(Handle handle, long repositoryId, int most) {
    return handle
        .createUpdate(
            """
            DELETE FROM arrival WHERE repository_id = :repository AND stamp IN (
              SELECT stamp FROM arrival
              WHERE repository_id = :repository AND upload_id < coalesce(
                (SELECT min(id) FROM upload WHERE repository_id = :repository), 9223372036854775807)
              LIMIT :most)
            """)
        .bind("repository", repositoryId)
        .bind("most", most)
        .execute();
  }
}
