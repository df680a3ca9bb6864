package dev.mainstay.server.queue.store;

import dev.mainstay.core.code.PullRequestRef;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/** The table {@code pull_request_comment}: our one comment on each pull request. */
public final class CommentStore {
  private CommentStore() {}

  /**
   * The comment as it was written last. The gist is what is told at once when it changes; {@code
   * answer} is the line to somebody that it has, or shall have.
   */
  public record Row(String gist, String text, String answer, Instant shownAt) {}

  public static Map<PullRequestRef, Row> of(Handle handle, long repositoryId) {
    var rows = new LinkedHashMap<PullRequestRef, Row>();
    handle
        .select(
            """
            SELECT pr, gist, text, answer, shown_at FROM pull_request_comment
            WHERE repository_id = ? ORDER BY pr
            """,
            repositoryId)
        .map(
            (row, context) ->
                Map.entry(
                    new PullRequestRef(row.getInt(1)),
                    new Row(
                        row.getString(2),
                        row.getString(3),
                        row.getString(4),
                        row.getTimestamp(5).toInstant())))
        .forEach(entry -> rows.put(entry.getKey(), entry.getValue()));
    return rows;
  }

  /** A comment is owed to these. */
  public static void promise(
      Handle handle, long repositoryId, Collection<PullRequestRef> some, Instant now) {
    if (some.isEmpty()) {
      return;
    }
    var batch =
        handle.prepareBatch(
            """
            INSERT INTO pull_request_comment (repository_id, pr, shown_at) VALUES (?, ?, ?)
            ON CONFLICT DO NOTHING
            """);
    some.forEach(pr -> batch.add(repositoryId, pr.number(), now));
    batch.execute();
  }

  /**
   * The comment shall have this line, in the place of the one before; an empty one takes it away.
   */
  public static void answer(
      Handle handle, long repositoryId, PullRequestRef pr, String line, Instant now) {
    if (line.isEmpty()) {
      handle.execute(
          "UPDATE pull_request_comment SET answer = '' WHERE repository_id = ? AND pr = ?",
          repositoryId,
          pr.number());
      return;
    }
    handle.execute(
        """
        INSERT INTO pull_request_comment (repository_id, pr, answer, shown_at) VALUES (?, ?, ?, ?)
        ON CONFLICT (repository_id, pr) DO UPDATE SET answer = excluded.answer
        """,
        repositoryId,
        pr.number(),
        line,
        now);
  }

  public static void shown(Handle handle, long repositoryId, PullRequestRef pr, Row row) {
    handle.execute(
        """
        UPDATE pull_request_comment SET gist = ?, text = ?, shown_at = ?
        WHERE repository_id = ? AND pr = ?
        """,
        row.gist(),
        row.text(),
        row.shownAt(),
        repositoryId,
        pr.number());
  }

  public static void delete(Handle handle, long repositoryId, PullRequestRef pr) {
    handle.execute(
        "DELETE FROM pull_request_comment WHERE repository_id = ? AND pr = ?",
        repositoryId,
        pr.number());
  }
}
