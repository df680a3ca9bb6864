package dev.mainstay.server.health.result;

import org.jdbi.v3.core.Handle;

/** The tables {@code run} and {@code failure}. */
public final class RunStore {
  private RunStore() {}

  public static void copy(Handle handle, RunRows runs) {
    runs.runs.copy(
        handle,
        """
        COPY run
          (repository_id, test_id, ran_at, upload_id, duration_ms, retention_days, outcome, attempt, decides)
        FROM STDIN (FORMAT binary)
        """);
    runs.failures.copy(
        handle,
        """
        COPY failure (repository_id, test_id, ran_at, upload_id, retention_days, outcome, attempt, branch_class,
          pr_number, commit_sha, type, message, stack)
        FROM STDIN (FORMAT binary)
        """);
  }
}
