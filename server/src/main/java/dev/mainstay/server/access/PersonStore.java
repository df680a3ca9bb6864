package dev.mainstay.server.access;

import dev.mainstay.server.access.Person.Identity;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;

/** The table {@code person}. */
final class PersonStore {
  private PersonStore() {}

  /** Saves somebody as they are now; the id stays what it was. */
  static Person save(
      Handle handle, long organizationId, Identity identity, Role role, Instant now) {
    UUID id =
        handle
            .createQuery(
                """
                INSERT INTO person (id, organization_id, issuer, subject, name, email, role, first_seen_at, last_seen_at)
                VALUES (:id, :organizationId, :issuer, :subject, :name, :email, :role, :now, :now)
                ON CONFLICT (organization_id, issuer, subject) DO UPDATE SET
                  name = excluded.name, email = excluded.email, role = excluded.role,
                  last_seen_at = greatest(person.last_seen_at, excluded.last_seen_at)
                RETURNING id
                """)
            .bind("id", UUID.randomUUID())
            .bind("organizationId", organizationId)
            .bind("issuer", identity.issuer())
            .bind("subject", identity.subject())
            .bind("name", identity.name())
            .bind("email", identity.email().orElse(null))
            .bind("role", role.label())
            .bind("now", now)
            .mapTo(UUID.class)
            .one();
    return find(handle, organizationId, id).orElseThrow();
  }

  static Optional<Person> find(Handle handle, long organizationId, UUID id) {
    return handle
        .select(
            """
            SELECT p.*, o.slug FROM person p JOIN organization o ON o.id = p.organization_id
            WHERE p.organization_id = ? AND p.id = ?
            """,
            organizationId,
            id)
        .map(PersonStore::read)
        .findOne();
  }

  static Optional<UUID> find(Handle handle, long organizationId, String issuer, String subject) {
    return handle
        .select(
            "SELECT id FROM person WHERE organization_id = ? AND issuer = ? AND subject = ?",
            organizationId,
            issuer,
            subject)
        .mapTo(UUID.class)
        .findOne();
  }

  /** Those seen last come first. */
  static List<Person> page(
      Handle handle, long organizationId, Instant before, UUID after, int most) {
    return handle
        .select(
            """
            SELECT p.*, o.slug FROM person p JOIN organization o ON o.id = p.organization_id
            WHERE p.organization_id = ? AND (p.last_seen_at < ? OR (p.last_seen_at = ? AND p.id > ?))
            ORDER BY p.last_seen_at DESC, p.id LIMIT ?
            """,
            organizationId,
            before,
            before,
            after,
            most)
        .map(PersonStore::read)
        .list();
  }

  static void recordUse(Handle handle, Map<UUID, Instant> uses) {
    var batch =
        handle.prepareBatch(
            "UPDATE person SET last_seen_at = greatest(last_seen_at, ?) WHERE id = ?");
    uses.forEach((id, at) -> batch.bind(0, at).bind(1, id).add());
    batch.execute();
  }

  private static Person read(ResultSet row, StatementContext context) throws SQLException {
    return new Person(
        row.getObject("id", UUID.class),
        row.getLong("organization_id"),
        row.getString("slug"),
        new Identity(
            row.getString("issuer"),
            row.getString("subject"),
            row.getString("name"),
            Optional.ofNullable(row.getString("email"))),
        Role.of(row.getString("role")).orElseThrow(),
        row.getTimestamp("first_seen_at").toInstant(),
        row.getTimestamp("last_seen_at").toInstant());
  }
}
