package dev.mainstay.server.queue.store;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** The table {@code head_check}. */
public final class HeadCheckStore {
  private HeadCheckStore() {}

  /** Our check on a head, as it was written last; on none where it is only promised. */
  public record Row(Optional<CommitSha> head, String state, String title, Instant shownAt) {}

  public static Map<PullRequestRef, Row> of(Handle handle, long queueId) {
    var rows = new LinkedHashMap<PullRequestRef, Row>();
    handle
        .select(
            "SELECT pr, sha, state, title, shown_at FROM head_check WHERE queue_id = ? ORDER BY pr",
            queueId)
        .map(
            (row, context) ->
                Map.entry(
                    new PullRequestRef(row.getInt(1)),
                    new Row(
                        Optional.of(row.getString(2))
                            .filter(sha -> !sha.isEmpty())
                            .map(CommitSha::new),
                        row.getString(3),
                        row.getString(4),
                        row.getTimestamp(5).toInstant())))
        .forEach(entry -> rows.put(entry.getKey(), entry.getValue()));
    return rows;
  }

  /** A check is owed to these. */
  public static void promise(
      Handle handle, long queueId, Collection<PullRequestRef> some, Instant now) {
    if (some.isEmpty()) {
      return;
    }
    var batch =
        handle.prepareBatch(
            """
            INSERT INTO head_check (queue_id, pr, sha, state, title, shown_at) VALUES (?, ?, '', '', '', ?)
            ON CONFLICT DO NOTHING
            """);
    some.forEach(pr -> batch.add(queueId, pr.number(), now));
    batch.execute();
  }

  public static void save(Handle handle, long queueId, PullRequestRef pr, Row row) {
    handle.execute(
        """
        INSERT INTO head_check (queue_id, pr, sha, state, title, shown_at) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (queue_id, pr) DO UPDATE SET sha = excluded.sha, state = excluded.state,
          title = excluded.title, shown_at = excluded.shown_at
        """,
        queueId,
        pr.number(),
        row.head().map(CommitSha::value).orElse(""),
        row.state(),
        row.title(),
        row.shownAt());
  }

  public static void delete(Handle handle, long queueId, PullRequestRef pr) {
    handle.execute("DELETE FROM head_check WHERE queue_id = ? AND pr = ?", queueId, pr.number());
  }
}
