package dev.mainstay.server.health.test;

import dev.mainstay.core.health.Quarantine;
import dev.mainstay.core.health.Standing;
import dev.mainstay.core.health.TestStatus;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;

/** The table {@code test}, as lists and people use it: reading tests, decisions and tickets. */
public final class TestStore {
  static final String COLUMNS =
      """
      id, name, variant, parent, file, classname, codeowners, first_seen_at, status, status_reason, status_since,
      unhealthy_since, quarantine_override, override_by, override_reason, override_since, override_until,
      override_after_passes, override_until_ticket, ticket_id
      """;

  private TestStore() {}

  public static Map<UUID, TestRow> find(Handle handle, long repositoryId, Collection<UUID> ids) {
    return handle
        .createQuery(
            "SELECT "
                + COLUMNS
                + " FROM test WHERE repository_id = :repository AND id = ANY (:ids)")
        .bind("repository", repositoryId)
        .bindArray("ids", UUID.class, ids)
        .map(TestStore::read)
        .collect(Collectors.toMap(TestRow::id, row -> row));
  }

  public static Optional<TestRow> find(Handle handle, long repositoryId, UUID id) {
    return Optional.ofNullable(find(handle, repositoryId, List.of(id)).get(id));
  }

  /** The tests of these ids, locked in one order against whoever changes them. */
  public static Map<UUID, TestRow> lock(Handle handle, long repositoryId, Collection<UUID> ids) {
    return handle
        .createQuery(
            "SELECT "
                + COLUMNS
                + " FROM test WHERE repository_id = :repository AND id = ANY (:ids) ORDER BY id FOR UPDATE")
        .bind("repository", repositoryId)
        .bindArray("ids", UUID.class, ids)
        .map(TestStore::read)
        .collect(Collectors.toMap(TestRow::id, row -> row));
  }

  /** Links a ticket, in place of an earlier one; false when the repository has no such test. */
  public static boolean link(Handle handle, long repositoryId, UUID id, String ticket) {
    return handle.execute(
            "UPDATE test SET ticket_id = ? WHERE repository_id = ? AND id = ?",
            ticket,
            repositoryId,
            id)
        == 1;
  }

  /**
   * Sets or, when empty, takes back what somebody decided about the quarantine of tests; returns
   * those that the repository has. They are locked in one order, so that two who decide at once
   * only wait for each other.
   */
  public static Set<UUID> decide(
      Handle handle, long repositoryId, Collection<UUID> ids, Optional<TestRow.Decision> decision) {
    return handle
        .createQuery(
            """
            WITH decided AS (
              SELECT id FROM test WHERE repository_id = :repository AND id = ANY (:ids)
              ORDER BY id FOR UPDATE
            )
            UPDATE test t SET quarantine_override = :choice, override_by = :by, override_reason = :reason,
              override_since = :since, override_until = :until, override_after_passes = :passes,
              override_until_ticket = :ticket, override_ended = false
            FROM decided d WHERE t.repository_id = :repository AND t.id = d.id
            RETURNING t.id
            """)
        .bind("repository", repositoryId)
        .bindArray("ids", UUID.class, ids)
        .bind("choice", decision.map(o -> o.choice().name()))
        .bind("by", decision.map(TestRow.Decision::by))
        .bind("reason", decision.map(TestRow.Decision::reason))
        .bind("since", decision.map(TestRow.Decision::since))
        .bind("until", decision.flatMap(TestRow.Decision::until))
        .bind("passes", decision.flatMap(d -> d.end().afterPasses()))
        .bind("ticket", decision.map(d -> d.end().withTicket()).orElse(false))
        .mapTo(UUID.class)
        .collect(Collectors.toSet());
  }

  /** The tests of a status, the latest change first. */
  public static List<UUID> ofStatus(Handle handle, long repositoryId, TestStatus status, int most) {
    return handle
        .createQuery(
            """
            SELECT id FROM test
            WHERE repository_id = :repository AND status = :status
              AND (status <> 'healthy' OR quarantine_override IS NOT NULL)
            ORDER BY coalesce(status_since, first_seen_at) DESC, id LIMIT :most
            """)
        .bind("repository", repositoryId)
        .bind("status", label(status))
        .bind("most", most)
        .mapTo(UUID.class)
        .list();
  }

  /** The tests that may be quarantined: whether they are depends on switches and time. */
  public static List<TestRow> notable(Handle handle, long repositoryId, int most) {
    return handle
        .createQuery(
            "SELECT "
                + COLUMNS
                + """
                 FROM test
                WHERE repository_id = :repository AND (status <> 'healthy' OR quarantine_override IS NOT NULL)
                LIMIT :most
                """)
        .bind("repository", repositoryId)
        .bind("most", most)
        .map(TestStore::read)
        .list();
  }

  public static String label(TestStatus status) {
    return status.name().toLowerCase(Locale.ROOT);
  }

  static TestRow read(ResultSet row, StatementContext context) throws SQLException {
    Instant firstSeen = row.getTimestamp("first_seen_at").toInstant();
    return new TestRow(
        row.getObject("id", UUID.class),
        row.getString("name"),
        row.getString("variant"),
        row.getString("parent"),
        row.getString("file"),
        row.getString("classname"),
        List.of((String[]) row.getArray("codeowners").getArray()),
        firstSeen,
        TestStatus.valueOf(row.getString("status").toUpperCase(Locale.ROOT)),
        Optional.ofNullable(row.getString("status_reason")).orElse(Standing.NEVER_FLAGGED),
        RepoViewStore.time(row, "status_since").orElse(firstSeen),
        RepoViewStore.time(row, "unhealthy_since"),
        override(row),
        Optional.ofNullable(row.getString("ticket_id")));
  }

  private static Optional<TestRow.Decision> override(ResultSet row) throws SQLException {
    String choice = row.getString("quarantine_override");
    if (choice == null) {
      return Optional.empty();
    }
    return Optional.of(
        new TestRow.Decision(
            Quarantine.Choice.valueOf(choice),
            Optional.ofNullable(row.getString("override_by")).orElse(""),
            Optional.ofNullable(row.getString("override_reason")).orElse(""),
            RepoViewStore.time(row, "override_since")
                .orElse(row.getTimestamp("first_seen_at").toInstant()),
            new TestRow.Decision.End(
                RepoViewStore.time(row, "override_until"),
                Optional.ofNullable(row.getObject("override_after_passes", Integer.class)),
                row.getBoolean("override_until_ticket"))));
  }
}
