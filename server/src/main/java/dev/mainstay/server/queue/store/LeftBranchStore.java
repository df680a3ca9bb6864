package dev.mainstay.server.queue.store;

import java.time.Instant;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** The table {@code left_branch}. */
public final class LeftBranchStore {
  private LeftBranchStore() {}

  public static void insert(Handle handle, long repositoryId, List<String> branches, Instant now) {
    if (branches.isEmpty()) {
      return;
    }
    var batch =
        handle.prepareBatch(
            "INSERT INTO left_branch (repository_id, branch, left_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING");
    branches.forEach(branch -> batch.add(repositoryId, branch, now));
    batch.execute();
  }

  public static List<String> of(Handle handle, long repositoryId) {
    return handle
        .select("SELECT branch FROM left_branch WHERE repository_id = ?", repositoryId)
        .mapTo(String.class)
        .list();
  }

  public static void forgetOlder(Handle handle, long repositoryId, Instant than) {
    handle.execute(
        "DELETE FROM left_branch WHERE repository_id = ? AND left_at < ?", repositoryId, than);
  }
}
