package dev.mainstay.server.health.test;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** Reads which tests are quarantined, for repositories where quarantining is switched on. */
public final class QuarantineStore {
  private QuarantineStore() {}

  /** The quarantined ones of some tests. */
  public static List<UUID> among(
      Handle handle, long repositoryId, Collection<UUID> ids, boolean automatic, Instant now) {
    return handle
        .createQuery(
            """
            SELECT id FROM test
            WHERE repository_id = :repository AND id = ANY (:ids) AND coalesce(
              CASE WHEN coalesce(override_until > :now, true)
                THEN quarantine_override = 'ALWAYS_QUARANTINE' END,
              :automatic AND status <> 'healthy')
            """)
        .bind("repository", repositoryId)
        .bind("now", now)
        .bindArray("ids", UUID.class, ids)
        .bind("automatic", automatic)
        .mapTo(UUID.class)
        .list();
  }

  /** The tests that automatic quarantining hides: those about which nobody has decided. */
  public static List<UUID> automatic(Handle handle, long repositoryId, Instant now) {
    return handle
        .createQuery(
            """
            SELECT id FROM test
            WHERE repository_id = :repository AND status <> 'healthy'
              AND (quarantine_override IS NULL OR override_until <= :now)
            ORDER BY id LIMIT 100000
            """)
        .bind("repository", repositoryId)
        .bind("now", now)
        .mapTo(UUID.class)
        .list();
  }

  /** The quarantined tests of a repository, as many as fit a bound. */
  public static List<NamedTest> all(
      Handle handle, long repositoryId, boolean automatic, Instant now) {
    return handle
        .createQuery(
            """
            SELECT id, name, parent, classname, file, variant FROM test
            WHERE repository_id = :repository AND (status <> 'healthy' OR quarantine_override IS NOT NULL)
              AND coalesce(
                CASE WHEN coalesce(override_until > :now, true)
                  THEN quarantine_override = 'ALWAYS_QUARANTINE' END,
                :automatic AND status <> 'healthy')
            LIMIT 100000
            """)
        .bind("repository", repositoryId)
        .bind("now", now)
        .bind("automatic", automatic)
        .map(
            (row, context) ->
                new NamedTest(
                    row.getString("id"),
                    row.getString("name"),
                    row.getString("parent"),
                    row.getString("classname"),
                    row.getString("file"),
                    row.getString("variant")))
        .list();
  }
}
