package dev.mainstay.server.health.test;

import dev.mainstay.core.health.Standing;
import dev.mainstay.core.health.TestStatus;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;

/** The standing of tests, in columns of the table {@code test}. */
public final class StandingStore {
  private StandingStore() {}

  public static Map<UUID, Standing> find(Handle handle, long repositoryId, Collection<UUID> tests) {
    var standings = new HashMap<UUID, Standing>();
    handle
        .createQuery(
            """
            SELECT id, status, status_reason, coalesce(status_since, first_seen_at) AS since, monitors
            FROM test WHERE repository_id = :repository AND id = ANY (:tests)
            """)
        .bind("repository", repositoryId)
        .bindArray("tests", UUID.class, tests)
        .map(
            (row, context) ->
                standings.put(
                    row.getObject("id", UUID.class),
                    new Standing(
                        TestStatus.valueOf(row.getString("status").toUpperCase(Locale.ROOT)),
                        Optional.ofNullable(row.getString("status_reason"))
                            .orElse(Standing.NEVER_FLAGGED),
                        row.getTimestamp("since").toInstant(),
                        Optional.ofNullable(row.getString("monitors"))
                            .map(StandingJson::read)
                            .orElse(List.of()))))
        .list();
    return standings;
  }

  /** A test that was judged: its standing now, and when to judge it again though nothing ran. */
  public record Judged(UUID test, Standing standing, Optional<Instant> reviewAt) {}

  public static void save(Handle handle, long repositoryId, List<Judged> tests) {
    handle
        .createUpdate(
            """
            UPDATE test t SET status = j.status, status_reason = j.reason, status_since = j.since,
              unhealthy_since = CASE WHEN j.status <> 'healthy' THEN coalesce(t.unhealthy_since, j.since) END,
              monitors = CAST(nullif(j.monitors, '') AS jsonb),
              review_at = nullif(j.review_at, timestamptz 'infinity')
            FROM unnest(CAST(:tests AS uuid[]), CAST(:status AS text[]), CAST(:reasons AS text[]),
              CAST(:since AS timestamptz[]), CAST(:monitors AS text[]), CAST(:reviews AS timestamptz[]))
              AS j (id, status, reason, since, monitors, review_at)
            WHERE t.repository_id = :repository AND t.id = j.id
            """)
        .bind("repository", repositoryId)
        .bindArray("tests", UUID.class, tests.stream().map(Judged::test).toList())
        .bindArray("status", String.class, texts(tests, j -> TestStore.label(j.standing.status())))
        .bindArray("reasons", String.class, texts(tests, j -> j.standing.reason()))
        .bindArray("since", String.class, texts(tests, j -> j.standing.since().toString()))
        .bindArray("monitors", String.class, texts(tests, j -> monitors(j.standing)))
        .bindArray(
            "reviews",
            String.class,
            texts(tests, j -> j.reviewAt.map(Instant::toString).orElse("infinity")))
        .execute();
  }

  /** Texts of judgements; the statement takes the empty one, or infinity, for null. */
  private static List<String> texts(List<Judged> tests, Function<Judged, String> text) {
    return tests.stream().map(text).toList();
  }

  private static String monitors(Standing standing) {
    return standing.monitors().isEmpty() ? "" : StandingJson.write(standing.monitors());
  }
}
