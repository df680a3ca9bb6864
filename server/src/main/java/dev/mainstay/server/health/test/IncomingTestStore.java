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
    if (tests.rows.rows() > 0) {
      updateOwners(handle, repositoryId);
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

  private static void updateOwners(Handle handle, long repositoryId) {
    // Without statistics of the temporary table the planner would read all tests of all
    // repositories.
    handle.execute("SET LOCAL enable_hashjoin = off");
    handle.execute("SET LOCAL enable_mergejoin = off");
    handle.execute(
        """
        UPDATE test t SET codeowners = i.codeowners FROM incoming_test i
        WHERE t.repository_id = ? AND t.id = i.id AND t.codeowners IS DISTINCT FROM i.codeowners
        """,
        repositoryId);
    handle.execute("SET LOCAL enable_hashjoin = on");
    handle.execute("SET LOCAL enable_mergejoin = on");
  }
}
