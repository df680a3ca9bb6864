package dev.mainstay.server.queue.store;

import dev.mainstay.core.code.PullRequestRef;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** The table {@code state_label}: the label by which we said last how a pull request stands. */
public final class StateLabelStore {
  private StateLabelStore() {}

  public static Map<PullRequestRef, String> of(Handle handle, long repositoryId) {
    var labels = new LinkedHashMap<PullRequestRef, String>();
    handle
        .select(
            "SELECT pr, label FROM state_label WHERE repository_id = ? ORDER BY pr", repositoryId)
        .map((row, context) -> Map.entry(new PullRequestRef(row.getInt(1)), row.getString(2)))
        .forEach(entry -> labels.put(entry.getKey(), entry.getValue()));
    return labels;
  }

  /** A label is owed to these. */
  public static void promise(Handle handle, long repositoryId, Collection<PullRequestRef> some) {
    some.forEach(
        pr ->
            handle.execute(
                "INSERT INTO state_label (repository_id, pr, label) VALUES (?, ?, '') ON CONFLICT DO NOTHING",
                repositoryId,
                pr.number()));
  }

  /** Forgets it where there is none. */
  public static void save(
      Handle handle, long repositoryId, PullRequestRef pr, Optional<String> label) {
    if (label.isEmpty()) {
      handle.execute(
          "DELETE FROM state_label WHERE repository_id = ? AND pr = ?", repositoryId, pr.number());
      return;
    }
    handle.execute(
        """
        INSERT INTO state_label (repository_id, pr, label) VALUES (?, ?, ?)
        ON CONFLICT (repository_id, pr) DO UPDATE SET label = excluded.label
        """,
        repositoryId,
        pr.number(),
        label.get());
  }
}
