package dev.mainstay.server.queue.store;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.server.platform.Columns;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** Head commits in the tables {@code impacted_targets} and {@code head_status}, many at once. */
public final class HeadStore {
  private HeadStore() {}

  /** The head of a pull request, in a queue. */
  public record Head(long queueId, PullRequestRef pr, CommitSha commit) {}

  /** What was told of a head, before or after its pull request came. */
  public record Told(Optional<ImpactedTargets> targets, Set<String> passed) {}

  private record Row(long place, Optional<String> targets, Set<String> passed) {}

  public static Map<Head, Told> find(Handle handle, Set<Head> heads) {
    List<Head> asked = List.copyOf(heads);
    List<Row> rows =
        handle
            .createQuery(
                """
                SELECT h.place,
                  (SELECT t.targets FROM impacted_targets t
                    WHERE t.queue_id = h.queue AND t.number = h.number AND t.head = h.head) AS targets,
                  ARRAY(SELECT s.name FROM head_status s
                    WHERE s.queue_id = h.queue AND s.head = h.head AND s.state = 'SUCCESS' ORDER BY s.name) AS passed
                FROM unnest(:queues, :numbers, :heads) WITH ORDINALITY AS h (queue, number, head, place)
                """)
            .bind("queues", Columns.numbers(asked, Head::queueId))
            .bind("numbers", Columns.numbers(asked, h -> h.pr().number()))
            .bind("heads", Columns.texts(asked, h -> h.commit().value()))
            .map((row, context) -> row(row))
            .list();
    var found = new HashMap<Head, Told>();
    for (Row row : rows) {
      Head head = asked.get(Math.toIntExact(row.place() - 1));
      var sets = TargetSetStore.reader(handle, head.queueId());
      found.put(head, new Told(row.targets().map(t -> StoredJson.targets(t, sets)), row.passed()));
    }
    return found;
  }

  private static Row row(ResultSet row) throws SQLException {
    return new Row(
        row.getLong(1),
        Optional.ofNullable(row.getString(2)),
        new LinkedHashSet<>(Arrays.asList((String[]) row.getArray(3).getArray())));
  }
}
