package dev.mainstay.server.queue.store;

import dev.mainstay.core.code.PullRequestRef;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;

/** The table {@code asked}: what people asked for at a host, each at most once. */
public final class AskedStore {
  private AskedStore() {}

  /** Something that was asked for; the source is what the host knows it by. */
  public record Asked(String source, PullRequestRef pr, String who, String said) {}

  /** One that is not answered yet: so many of its commands are done, and how all of it went. */
  public record Row(Asked asked, int done, Optional<Boolean> good, String answer) {}

  /** What is known already stays as it is. */
  public static void insert(Handle handle, long repositoryId, List<Asked> all, Instant now) {
    if (all.isEmpty()) {
      return;
    }
    var batch =
        handle.prepareBatch(
            """
            INSERT INTO asked (repository_id, source, pr, who, said, asked_at) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT DO NOTHING
            """);
    Instant at = now;
    for (Asked one : all) {
      batch.add(repositoryId, one.source(), one.pr().number(), one.who(), one.said(), at);
      at = at.plusNanos(1000);
    }
    batch.execute();
  }

  /** Those that are not answered, the oldest first. */
  public static List<Row> open(Handle handle, long repositoryId, int most) {
    return handle
        .select(
            """
            SELECT source, pr, who, said, done, good, answer FROM asked
            WHERE repository_id = ? AND answered_at IS NULL ORDER BY asked_at, source LIMIT ?
            """,
            repositoryId,
            most)
        .map(AskedStore::read)
        .list();
  }

  private static Row read(ResultSet row, StatementContext context) throws SQLException {
    var asked =
        new Asked(
            row.getString("source"),
            new PullRequestRef(row.getInt("pr")),
            row.getString("who"),
            row.getString("said"));
    return new Row(
        asked,
        row.getInt("done"),
        Optional.ofNullable(row.getObject("good", Boolean.class)),
        row.getString("answer"));
  }

  /** One more of its commands is done, by this transaction; false where another did it. */
  public static boolean done(Handle handle, long repositoryId, String source, int before) {
    return handle.execute(
            """
            UPDATE asked SET done = done + 1
            WHERE repository_id = ? AND source = ? AND done = ? AND good IS NULL AND answered_at IS NULL
            """,
            repositoryId,
            source,
            before)
        == 1;
  }

  /** All of it is over: how it went, and the line that says what is wrong. */
  public static void over(
      Handle handle, long repositoryId, String source, boolean good, String answer) {
    handle.execute(
        """
        UPDATE asked SET good = ?, answer = ?
        WHERE repository_id = ? AND source = ? AND answered_at IS NULL
        """,
        good,
        answer,
        repositoryId,
        source);
  }

  public static void answered(Handle handle, long repositoryId, String source, Instant now) {
    handle.execute(
        "UPDATE asked SET answered_at = ? WHERE repository_id = ? AND source = ?",
        now,
        repositoryId,
        source);
  }

  /** Forgets what was answered before that time, some at once, and says how many. */
  public static int deleteBefore(Handle handle, Instant time, int most) {
    return handle.execute(
        """
        DELETE FROM asked WHERE (repository_id, source) IN (
          SELECT repository_id, source FROM asked WHERE answered_at < ? LIMIT ?)
        """,
        time,
        most);
  }
}
