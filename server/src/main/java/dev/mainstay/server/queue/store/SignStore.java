package dev.mainstay.server.queue.store;

import dev.mainstay.core.code.PullRequestRef;
import java.util.HashMap;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/** The table {@code seen_sign}: labels and buttons on pull requests, as they were seen last. */
public final class SignStore {
  private SignStore() {}

  /** A sign on a pull request. */
  public record Sign(PullRequestRef pr, String name) {}

  /** All signs, each with who set it. */
  public static Map<Sign, String> of(Handle handle, long repositoryId) {
    var signs = new HashMap<Sign, String>();
    handle
        .select("SELECT pr, sign, who FROM seen_sign WHERE repository_id = ?", repositoryId)
        .map(
            (row, context) ->
                Map.entry(
                    new Sign(new PullRequestRef(row.getInt(1)), row.getString(2)),
                    row.getString(3)))
        .forEach(sign -> signs.put(sign.getKey(), sign.getValue()));
    return signs;
  }

  public static void insert(Handle handle, long repositoryId, Sign sign, String who) {
    handle.execute(
        """
        INSERT INTO seen_sign (repository_id, pr, sign, who) VALUES (?, ?, ?, ?)
        ON CONFLICT (repository_id, pr, sign) DO UPDATE SET who = excluded.who
        """,
        repositoryId,
        sign.pr().number(),
        sign.name(),
        who);
  }

  public static void delete(Handle handle, long repositoryId, Sign sign) {
    handle.execute(
        "DELETE FROM seen_sign WHERE repository_id = ? AND pr = ? AND sign = ?",
        repositoryId,
        sign.pr().number(),
        sign.name());
  }
}
