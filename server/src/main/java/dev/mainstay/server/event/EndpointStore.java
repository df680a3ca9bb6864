package dev.mainstay.server.event;

import dev.mainstay.server.platform.Columns;
import dev.mainstay.server.platform.Convoy;
import dev.mainstay.server.platform.Vault;
import java.net.URI;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.SqlStatement;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The table {@code webhook}; addresses and secrets are encrypted. */
final class EndpointStore {
  private static final Logger log = LoggerFactory.getLogger("events");

  private EndpointStore() {}

  /** Inserts an endpoint; false where the organization has as many as it may have. */
  static boolean insert(Handle handle, Vault vault, Endpoint endpoint, int most) {
    handle.execute(
        "SELECT pg_advisory_xact_lock(hashtextextended('webhook', ?))", endpoint.organizationId());
    var update =
        handle.createUpdate(
            """
            INSERT INTO webhook (id, organization_id, name, url, kinds, repos, format, enabled, secret, created_at)
            SELECT :id, :organization, :name, :url, CAST(:kinds AS text[]), CAST(:repos AS text[]), :format,
              :enabled, :secret, :created
            WHERE (SELECT count(*) FROM webhook WHERE organization_id = :organization) < :most
            """);
    return bind(update, vault, endpoint)
            .bind("organization", endpoint.organizationId())
            .bind(
                "secret", vault.lock(endpoint.secrets().current(), place(endpoint.id(), "secret")))
            .bind("created", endpoint.createdAt())
            .bind("most", most)
            .execute()
        == 1;
  }

  /** Writes what users change; of one that begins {@code anew} what went wrong is forgotten. */
  static void update(Handle handle, Vault vault, Endpoint endpoint, boolean anew) {
    bind(
            handle.createUpdate(
                """
                UPDATE webhook SET name = :name, url = :url, kinds = CAST(:kinds AS text[]),
                  repos = CAST(:repos AS text[]), format = :format, enabled = :enabled,
                  failures = CASE WHEN :anew THEN 0 ELSE failures END,
                  failing_since = CASE WHEN :anew THEN NULL ELSE failing_since END,
                  wait_until = CASE WHEN :anew THEN NULL ELSE wait_until END,
                  switched_off_at = CASE WHEN :enabled THEN NULL ELSE switched_off_at END,
                  switched_off_reason = CASE WHEN :enabled THEN NULL ELSE switched_off_reason END
                WHERE id = :id
                """),
            vault,
            endpoint)
        .bind("anew", anew)
        .execute();
  }

  private static <T extends SqlStatement<T>> T bind(T statement, Vault vault, Endpoint endpoint) {
    return statement
        .bind("id", endpoint.id())
        .bind("name", endpoint.name())
        .bind("url", vault.lock(endpoint.url().toString(), place(endpoint.id(), "url")))
        .bindArray("kinds", String.class, endpoint.kinds())
        .bind("repos", endpoint.repos().map(EndpointStore::array))
        .bind("format", endpoint.format().label())
        .bind("enabled", endpoint.enabled());
  }

  /** Texts as the database writes an array. */
  private static String array(List<String> texts) {
    return "{"
        + String.join(
            ",",
            texts.stream()
                .map(t -> "\"" + t.replace("\\", "\\\\").replace("\"", "\\\"") + "\"")
                .toList())
        + "}";
  }

  static List<Endpoint> all(Handle handle, Vault vault, long organizationId) {
    return handle
        .select(
            "SELECT * FROM webhook WHERE organization_id = ? ORDER BY created_at, id",
            organizationId)
        .map((row, context) -> read(row, vault))
        .list();
  }

  /** An endpoint of an organization, locked against others who change it. */
  static Optional<Endpoint> lock(Handle handle, Vault vault, long organizationId, UUID id) {
    return handle
        .select(
            "SELECT * FROM webhook WHERE organization_id = ? AND id = ? FOR UPDATE",
            organizationId,
            id)
        .map((row, context) -> read(row, vault))
        .findOne();
  }

  static Optional<Endpoint> find(Handle handle, Vault vault, UUID id) {
    return handle
        .select("SELECT * FROM webhook WHERE id = ?", id)
        .map((row, context) -> read(row, vault))
        .findOne();
  }

  /** Those of these endpoints that are there; one whose secrets cannot be read is left out. */
  static Map<UUID, Endpoint> some(Handle handle, Vault vault, Collection<UUID> ids) {
    var found = new HashMap<UUID, Endpoint>();
    handle
        .createQuery("SELECT * FROM webhook WHERE id = ANY (:ids)")
        .bindArray("ids", UUID.class, ids)
        .map((row, context) -> readable(row, vault))
        .list()
        .forEach(some -> some.ifPresent(endpoint -> found.put(endpoint.id(), endpoint)));
    return found;
  }

  private static Optional<Endpoint> readable(ResultSet row, Vault vault) throws SQLException {
    try {
      return Optional.of(read(row, vault));
    } catch (IllegalStateException e) {
      log.error("the endpoint {} cannot be read", row.getString("id"), e);
      return Optional.empty();
    }
  }

  static void rotate(
      Handle handle, Vault vault, Endpoint endpoint, String secret, Instant earlierUntil) {
    handle.execute(
        "UPDATE webhook SET secret = ?, earlier_secret = ?, earlier_until = ? WHERE id = ?",
        vault.lock(secret, place(endpoint.id(), "secret")),
        vault.lock(endpoint.secrets().current(), place(endpoint.id(), "earlier")),
        earlierUntil,
        endpoint.id());
  }

  static boolean delete(Handle handle, long organizationId, UUID id) {
    return handle.execute(
            "DELETE FROM webhook WHERE organization_id = ? AND id = ?", organizationId, id)
        == 1;
  }

  /** Endpoints took something: whatever they did before is forgotten. */
  static void succeeded(Convoy convoy, Collection<UUID> ids) {
    if (ids.isEmpty()) {
      return;
    }
    convoy.add(
        """
        UPDATE webhook SET failures = 0, failing_since = NULL, wait_until = NULL
        WHERE id IN (SELECT w.id FROM webhook w JOIN unnest(:ids) AS i (id) ON w.id = CAST(i.id AS uuid)
          WHERE w.failures > 0 OR w.failing_since IS NOT NULL OR w.wait_until IS NOT NULL
          ORDER BY w.id FOR NO KEY UPDATE OF w)
        """,
        new Convoy.Values().with("ids", Columns.texts(ids, UUID::toString)));
  }

  /** An endpoint failed once more, and is left alone until a time; since when it only fails. */
  static Optional<Instant> failed(Handle handle, UUID id, Instant now, Optional<Instant> until) {
    return handle
        .createQuery(
            """
            UPDATE webhook SET failures = failures + 1, failing_since = coalesce(failing_since, :now),
              wait_until = coalesce(CAST(:until AS timestamptz), wait_until)
            WHERE id = :id RETURNING failing_since
            """)
        .bind("now", now)
        .bind("until", until)
        .bind("id", id)
        .mapTo(Instant.class)
        .findOne();
  }

  /** False where it is off already. */
  static boolean switchOff(Handle handle, UUID id, Instant now, String reason) {
    return handle.execute(
            """
            UPDATE webhook SET enabled = false, switched_off_at = ?, switched_off_reason = ?
            WHERE id = ? AND enabled
            """,
            now,
            reason,
            id)
        == 1;
  }

  /** Endpoints by how they are: those that are on, failing, and switched off by us. */
  record Count(long on, long failing, long switchedOff) {}

  static Count count(Handle handle) {
    return handle
        .select(
            """
            SELECT count(*) FILTER (WHERE enabled),
              count(*) FILTER (WHERE enabled AND failing_since IS NOT NULL),
              count(*) FILTER (WHERE switched_off_at IS NOT NULL) FROM webhook
            """)
        .map((row, context) -> new Count(row.getLong(1), row.getLong(2), row.getLong(3)))
        .one();
  }

  private static String place(UUID id, String what) {
    return "webhook/" + id + "/" + what;
  }

  private static Endpoint read(ResultSet row, Vault vault) throws SQLException {
    UUID id = row.getObject("id", UUID.class);
    byte[] earlier = row.getBytes("earlier_secret");
    var repos = row.getArray("repos");
    return new Endpoint(
        id,
        row.getLong("organization_id"),
        row.getString("name"),
        URI.create(vault.unlock(row.getBytes("url"), place(id, "url"))),
        Arrays.asList((String[]) row.getArray("kinds").getArray()),
        repos == null ? Optional.empty() : Optional.of(Arrays.asList((String[]) repos.getArray())),
        Format.valueOf(row.getString("format").toUpperCase(Locale.ROOT)),
        row.getBoolean("enabled"),
        row.getTimestamp("created_at").toInstant(),
        new Endpoint.Secrets(
            vault.unlock(row.getBytes("secret"), place(id, "secret")),
            Optional.ofNullable(earlier).map(bytes -> vault.unlock(bytes, place(id, "earlier"))),
            time(row, "earlier_until")),
        new Endpoint.Health(
            row.getInt("failures"),
            time(row, "failing_since"),
            time(row, "wait_until"),
            time(row, "switched_off_at"),
            Optional.ofNullable(row.getString("switched_off_reason"))));
  }

  private static Optional<Instant> time(ResultSet row, String column) throws SQLException {
    return Optional.ofNullable(row.getTimestamp(column)).map(Timestamp::toInstant);
  }
}
