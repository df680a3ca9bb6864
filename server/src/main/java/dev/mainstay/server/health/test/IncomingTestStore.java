package dev.mainstay.server.health.test;

import java.time.Instant;
import org.jdbi.v3.core.Handle;

/**
 * The table {@code test}, as uploads add to it. Rows that uploads may meet at are written in the
 * order of their keys, so that they wait for each other and never in a circle.
 */
public final class IncomingTestStore {
  private IncomingTestStore() {}

  /** Makes the tests known that were not; returns how many. */
  public static int add(Handle handle, long repositoryId, TestRows tests, Instant now) {
    if (tests.rows.rows() == 0) {
      return 0;
    }
    stage(handle, tests);
    return handle.execute(
        """
        INSERT INTO test (repository_id, id, name, variant, parent, file, classname, codeowners, first_seen_at)
        SELECT ?, id, name, variant, parent, file, classname, codeowners, ? FROM incoming_test ORDER BY id
        ON CONFLICT DO NOTHING
        """,
        repositoryId,
        now);
  }

  /** The same, and gives those that were known the owners they have now. */
  public static int addWithOwners(Handle handle, long repositoryId, TestRows tests, Instant now) {
    int added = add(handle, repositoryId, tests, now);
    if (added < tests.rows.rows()) {
      changeOwners(handle, repositoryId, now);
    }
    return added;
  }

  private static void stage(Handle handle, TestRows tests) {
    handle.execute(
        """
        CREATE TEMP TABLE IF NOT EXISTS incoming_test (
          id uuid, name text, variant text, parent text, file text, classname text, codeowners text[]
        ) ON COMMIT DELETE ROWS
        """);
    tests.rows.copy(
        handle,
        """
        COPY incoming_test (id, name, variant, parent, file, classname, codeowners)
        FROM STDIN (FORMAT binary)
        """);
  }

  /**
   * Changes owners by an insert that meets its row: this asks the index of the key once for each
   * test that came, and OFFSET keeps the planner, who knows nothing of either table's size, from
   * comparing every test with every other.
   */
  private static void changeOwners(Handle handle, long repositoryId, Instant now) {
    handle.execute("SET LOCAL enable_seqscan = off");
    handle
        .createUpdate(
            """
            INSERT INTO test (repository_id, id, name, variant, parent, file, classname, codeowners, first_seen_at)
            SELECT :repository, i.id, i.name, i.variant, i.parent, i.file, i.classname, i.codeowners, :now
            FROM incoming_test i CROSS JOIN LATERAL (
              SELECT t.codeowners FROM test t WHERE t.repository_id = :repository AND t.id = i.id OFFSET 0
            ) k
            WHERE k.codeowners <> i.codeowners ORDER BY i.id
            ON CONFLICT (repository_id, id) DO UPDATE SET codeowners = excluded.codeowners
            """)
        .bind("repository", repositoryId)
        .bind("now", now)
        .execute();
    handle.execute("SET LOCAL enable_seqscan = on");
  }
}
