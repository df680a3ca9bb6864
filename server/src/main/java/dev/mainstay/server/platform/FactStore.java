package dev.mainstay.server.platform;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/**
 * The table {@code fact}. A fact is written in the transaction that makes it true, while that holds
 * the lock of the fact's subject, and is there until it was told.
 */
public final class FactStore {
  private FactStore() {}

  /** Facts of a repository; of a kind that its organization does not ask for nothing is written. */
  public static void insert(Handle handle, long repositoryId, Collection<Fact> facts) {
    var convoy = new Convoy();
    insert(convoy, repositoryId, facts);
    convoy.send(handle);
  }

  /** The same, together with other rows; the lock of the subject is held already. */
  public static void insert(Convoy convoy, long repositoryId, Collection<Fact> facts) {
    if (facts.isEmpty()) {
      return;
    }
    convoy.add(
        """
        INSERT INTO fact (organization_id, repository_id, kind, subject, at, content)
        SELECT r.organization_id, :repository, f.kind, f.subject,
          timestamptz 'epoch' + f.at * interval '1 microsecond', CAST(f.content AS json)
        FROM repository_view r
        CROSS JOIN unnest(:kinds, :subjects, :times, :contents) WITH ORDINALITY
          AS f (kind, subject, at, content, place)
        WHERE r.id = :repository AND EXISTS (SELECT FROM webhook_view w
          WHERE w.organization_id = r.organization_id AND f.kind = ANY (w.kinds))
        ORDER BY f.place
        """,
        new Convoy.Values()
            .with("repository", repositoryId)
            .with("kinds", Columns.texts(facts, Fact::kind))
            .with("subjects", Columns.texts(facts, Fact::subject))
            .with("times", Columns.times(facts, Fact::at))
            .with("contents", Columns.texts(facts, f -> text(f.content()))));
  }

  private static String text(Object content) {
    return new String(Json.write(content), StandardCharsets.UTF_8);
  }

  /** A fact with its number and id, and the repository it is of. */
  public record Row(long number, UUID id, long organizationId, long repositoryId, Fact fact) {}

  /** The organizations that have something to be told. */
  public static List<Long> organizations(Handle handle) {
    return handle
        .select("SELECT DISTINCT organization_id FROM fact ORDER BY 1")
        .mapTo(Long.class)
        .list();
  }

  /** The earliest facts of an organization. */
  public static List<Row> first(Handle handle, long organizationId, int most) {
    return handle
        .select(
            "SELECT * FROM fact WHERE organization_id = ? ORDER BY number LIMIT ?",
            organizationId,
            most)
        .map(
            (row, context) ->
                new Row(
                    row.getLong("number"),
                    row.getObject("id", UUID.class),
                    row.getLong("organization_id"),
                    row.getLong("repository_id"),
                    new Fact(
                        row.getString("kind"),
                        row.getString("subject"),
                        row.getTimestamp("at").toInstant(),
                        Json.readObject(
                            row.getString("content").getBytes(StandardCharsets.UTF_8)))))
        .list();
  }

  /** Deletes facts that are told now; the numbers of those that nobody else has told before. */
  public static List<Long> told(Handle handle, Collection<Long> numbers) {
    return handle
        .createQuery(
            """
            DELETE FROM fact WHERE number IN (
              SELECT number FROM fact WHERE number = ANY (:numbers) ORDER BY number FOR UPDATE)
            RETURNING number
            """)
        .bindArray("numbers", Long.class, numbers)
        .mapTo(Long.class)
        .list();
  }

  /** The next number, for something that is told though nothing happened. */
  public static long nextNumber(Handle handle) {
    return handle
        .select("SELECT nextval(pg_get_serial_sequence('fact', 'number'))")
        .mapTo(Long.class)
        .one();
  }

  /** The facts that wait to be told, and the time of the oldest. */
  public record Waiting(long count, Instant oldest) {}

  public static Waiting waiting(Handle handle, Instant now) {
    return handle
        .createQuery("SELECT count(*), coalesce(min(at), :now) FROM fact")
        .bind("now", now)
        .map((row, context) -> new Waiting(row.getLong(1), row.getTimestamp(2).toInstant()))
        .one();
  }
}
