package dev.mainstay.server.health.test;

import dev.mainstay.server.platform.Columns;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/**
 * The table {@code test}, as uploads add to it. Rows that uploads may meet at are written in the
 * order of their keys, so that they wait for each other and never in a circle.
 */
public final class IncomingTestStore {
  private static final int AT_ONCE = 10_000;

  private IncomingTestStore() {}

  /** Makes the tests known that were not; returns how many. */
  public static int add(Handle handle, long repositoryId, TestRows tests, Instant now) {
    if (tests.rows.rows() == 0) {
      return 0;
    }
    stage(handle, tests);
    // Counted by what is returned: on several servers, the count of the statement is of all rows.
    return handle
        .select(
            """
            WITH added AS (
              INSERT INTO test (repository_id, id, name, variant, parent, file, classname, codeowners, first_seen_at)
              SELECT ?, id, name, variant, parent, file, classname, codeowners, ? FROM incoming_test ORDER BY id
              ON CONFLICT DO NOTHING RETURNING id
            )
            SELECT count(*) FROM added
            """,
            repositoryId,
            now)
        .mapTo(Integer.class)
        .one();
  }

  /** The same, and gives those that were known the owners they have now. */
  public static int addWithOwners(Handle handle, long repositoryId, TestRows tests, Instant now) {
    int added = add(handle, repositoryId, tests, now);
    if (added < tests.rows.rows()) {
      changeOwners(handle, repositoryId);
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

  /** A test of the upload and its owners, as the database writes an array. */
  private record Owned(UUID id, String owners) {}

  private static void changeOwners(Handle handle, long repositoryId) {
    // Each test that came is asked for by its key: the planner, who knows nothing of how many there
    // are, could compare every test with every other.
    handle.execute("SET LOCAL enable_seqscan = off");
    handle.execute("SET LOCAL enable_hashjoin = off");
    handle.execute("SET LOCAL enable_mergejoin = off");
    var some = new ArrayList<Owned>();
    try (var rows =
        handle
            .createQuery("SELECT id, CAST(codeowners AS text) FROM incoming_test ORDER BY id")
            .setFetchSize(AT_ONCE)
            .map((row, context) -> new Owned(row.getObject(1, UUID.class), row.getString(2)))
            .iterator()) {
      while (rows.hasNext()) {
        some.add(rows.next());
        if (some.size() == AT_ONCE || !rows.hasNext()) {
          changeOwners(handle, repositoryId, some);
          some.clear();
        }
      }
    }
    handle.execute("SET LOCAL enable_seqscan = on");
    handle.execute("SET LOCAL enable_hashjoin = on");
    handle.execute("SET LOCAL enable_mergejoin = on");
  }

  private static void changeOwners(Handle handle, long repositoryId, List<Owned> tests) {
    handle
        .createUpdate(
            """
            WITH changed AS (
              SELECT t.id AS test, CAST(i.owners AS text[]) AS owners FROM test t
              JOIN unnest(:ids, :owners) AS i (id, owners) ON i.id = t.id
              WHERE t.repository_id = :repository AND t.codeowners <> CAST(i.owners AS text[])
              ORDER BY t.id FOR UPDATE OF t
            )
            UPDATE test SET codeowners = changed.owners FROM changed
            WHERE repository_id = :repository AND id = changed.test
            """)
        .bind("repository", repositoryId)
        .bind("ids", Columns.ids(tests, Owned::id))
        .bind("owners", Columns.texts(tests, Owned::owners))
        .execute();
  }
}
