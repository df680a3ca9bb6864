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

  /** Until when the runs of a repository are in the counts of its days. */
  public static Optional<Instant> foldedUntil(Handle handle, long repositoryId) {
    return handle
        .select("SELECT folded_until FROM result_feed WHERE repository_id = ?", repositoryId)
        .mapTo(Instant.class)
        .findOne();
  }

  /**
   * Stamps an upload and counts what it brought, as one of the last deeds of its transaction: from
   * here to its end, other uploads of the repository wait, and until when it is folded stays. What
   * is sent is on its way once.
   */
  public static void arrived(
      Handle handle, long repositoryId, long uploadId, Instant receivedAt, Gain gain) {
    var convoy = new Convoy();
    convoy.add(
        """
        INSERT INTO result_feed AS f (repository_id, stamp, unfolded_from, folded_until, tests)
        VALUES (:repository, 1, CAST(nullif(:hour, '') AS timestamptz), CAST(:now AS timestamptz), :tests)
        ON CONFLICT (repository_id) DO UPDATE
          SET stamp = f.stamp + 1, unfolded_from = least(f.unfolded_from, excluded.unfolded_from),
            tests = f.tests + excluded.tests
        """,
        new Convoy.Values()
            .with("repository", repositoryId)
            .with("hour", gain.earliestRun.map(FeedStore::hour).orElse(""))
            .with("now", hour(receivedAt))
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
              CASE WHEN u.set_aside THEN u.received_at ELSE coalesce(u.first_ran_at, u.received_at) END, u.received_at
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

  /** The repositories of which something from before a time may not be folded. */
  public static List<Long> unfolded(Handle handle, Instant before) {
    return handle
        .select(
            "SELECT repository_id FROM result_feed WHERE unfolded_from < ? ORDER BY repository_id",
            before)
        .mapTo(Long.class)
        .list();
  }

  /**
   * What is left to fold of a repository as of a stamp.
   *
   * @param from the first hour of which something may be left
   * @param until what ran before is folded, but for late results, which are counted by the hour
   * @param runsFrom the first hour with runs since, if there are any
   * @param uploadsFrom no upload with such runs has a smaller number
   */
  public record Unfolded(
      long stamp, Instant from, Instant until, Optional<Instant> runsFrom, long uploadsFrom) {}

  public static Unfolded unfolded(Handle handle, long repositoryId) {
    return handle
        .select(
            """
            SELECT f.stamp, f.unfolded_from, f.folded_until, min(u.id), min(u.first_ran_at)
            FROM result_feed f LEFT JOIN upload u
              ON u.repository_id = f.repository_id AND u.received_at >= f.folded_until AND NOT u.set_aside
            WHERE f.repository_id = ?
            GROUP BY f.stamp, f.unfolded_from, f.folded_until
            """,
            repositoryId)
        .map(
            (row, context) -> {
              Instant until = row.getTimestamp(3).toInstant();
              return new Unfolded(
                  row.getLong(1),
                  row.getTimestamp(2).toInstant(),
                  until,
                  Optional.ofNullable(row.getTimestamp(5))
                      .map(time -> time.toInstant().truncatedTo(ChronoUnit.HOURS))
                      .map(hour -> hour.isBefore(until) ? until : hour),
                  row.getLong(4));
            })
        .one();
  }

  /** From here to the end of the transaction no upload of a repository arrives. */
  public static void hold(Handle handle, long repositoryId) {
    handle.execute("SELECT FROM result_feed WHERE repository_id = ? FOR UPDATE", repositoryId);
  }

  /** Remembers until when runs are folded, and the first hour of which something is left. */
  public static void folded(Handle handle, long repositoryId, Instant until, Instant unfolded) {
    handle.execute(
        "UPDATE result_feed SET folded_until = ?, unfolded_from = ? WHERE repository_id = ?",
        until,
        unfolded,
        repositoryId);
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
