package dev.mainstay.server.health.test;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/** Finds tests of the table {@code test} by what they are. */
public final class TestSearchStore {
  private static final String QUARANTINED =
      """
      :quarantined = (:enabled AND coalesce(
        CASE WHEN coalesce(override_until > :now, true) THEN quarantine_override = 'ALWAYS_QUARANTINE' END,
        :automatic AND status <> 'healthy'))
      """;

  private TestSearchStore() {}

  /** The tests after an id, in the order of their ids. */
  public static List<UUID> after(
      Handle handle, long repositoryId, TestFilter filter, Optional<UUID> id, int most) {
    return bound(
            handle,
            "SELECT id FROM test WHERE repository_id = :repository AND id > :after%s ORDER BY id LIMIT :most",
            repositoryId,
            filter)
        .bind("after", id.orElse(new UUID(0, 0)))
        .bind("most", most)
        .mapTo(UUID.class)
        .list();
  }

  /** Those of some tests that the filter lets pass. */
  public static Set<UUID> among(
      Handle handle, long repositoryId, TestFilter filter, Collection<UUID> ids) {
    return bound(
            handle,
            "SELECT id FROM test WHERE repository_id = :repository AND id = ANY (:ids)%s",
            repositoryId,
            filter)
        .bindArray("ids", UUID.class, ids)
        .mapTo(UUID.class)
        .collect(Collectors.toSet());
  }

  private static Query bound(Handle handle, String sql, long repositoryId, TestFilter filter) {
    Map<String, Object> values = new LinkedHashMap<>();
    String conditions = conditions(filter, values);
    return handle
        .createQuery(sql.formatted(conditions))
        .bind("repository", repositoryId)
        .bindMap(values);
  }

  private static String conditions(TestFilter filter, Map<String, Object> values) {
    var conditions = new StringBuilder();
    filter
        .search()
        .ifPresent(
            text -> {
              conditions.append(
                  """
                   AND (strpos(lower(name), :search) > 0 OR strpos(lower(classname), :search) > 0
                    OR strpos(lower(file), :search) > 0)
                  """);
              values.put("search", text.toLowerCase(Locale.ROOT));
            });
    filter
        .status()
        .ifPresent(
            status -> {
              conditions.append(" AND status = :status");
              values.put("status", TestStore.label(status));
            });
    filter
        .owner()
        .ifPresent(
            owner -> {
              conditions.append(
                  " AND EXISTS (SELECT FROM unnest(codeowners) AS o WHERE lower(o) = :owner)");
              values.put("owner", owner.toLowerCase(Locale.ROOT));
            });
    filter
        .file()
        .ifPresent(
            file -> {
              conditions.append(" AND lower(file) LIKE :file");
              values.put("file", pattern(file.toLowerCase(Locale.ROOT)));
            });
    filter
        .ticket()
        .ifPresent(
            ticket -> {
              conditions.append(" AND ticket_id = :ticket");
              values.put("ticket", ticket);
            });
    filter
        .quarantined()
        .ifPresent(
            quarantined -> {
              conditions.append(" AND ").append(QUARANTINED);
              values.put("quarantined", quarantined);
              values.put("enabled", filter.switches().enabled());
              values.put("automatic", filter.switches().automatic());
              values.put("now", filter.now());
            });
    if (filter.isForNotable()) {
      // In these words the index of such tests is known.
      conditions.append(" AND (status <> 'healthy' OR quarantine_override IS NOT NULL)");
    }
    return conditions.toString();
  }

  /** The pattern of SQL for a part of a text, or for a pattern of ours. */
  static String pattern(String text) {
    boolean isGlob = text.indexOf('*') >= 0 || text.indexOf('?') >= 0;
    String escaped = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_");
    return isGlob ? escaped.replace('*', '%').replace('?', '_') : "%" + escaped + "%";
  }
}
