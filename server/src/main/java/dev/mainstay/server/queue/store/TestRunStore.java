package dev.mainstay.server.queue.store;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.RunId;
import dev.mainstay.core.queue.RunKind;
import dev.mainstay.server.platform.Columns;
import dev.mainstay.server.platform.Convoy;
import dev.mainstay.server.platform.Json;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;

/** The tables {@code test_run} and {@code test_check}. */
public final class TestRunStore {
  private TestRunStore() {}

  /** The status of a run. */
  public enum Status {
    IN_PROGRESS,
    SUCCEEDED,
    FAILED,
    CANCELLED
  }

  /** The source of the statuses that a run must pass. */
  public enum StatusSource {
    QUEUE,
    BRANCH_PROTECTION,
    TEST_COMMAND
  }

  /**
   * A status of a run: the first final word on it, or that it is pending; the address is where to
   * read more.
   */
  public record Check(String name, Optional<String> url, CheckState state) {}

  public record Row(
      RunId run,
      RunKind kind,
      Status status,
      String branch,
      Optional<String> sha,
      String base,
      Instant createdAt,
      Optional<Instant> endedAt,
      Optional<String> outcome,
      List<String> requiredStatuses,
      StatusSource requiredBy,
      List<Change> tested,
      List<Change> standsOn,
      List<PullRequestRef> leavesOut,
      String targets) {}

  public static void insert(Convoy convoy, long queueId, Collection<Row> rows) {
    if (rows.isEmpty()) {
      return;
    }
    convoy.add(
        """
        INSERT INTO test_run (queue_id, run, kind, status, branch, base, created_at, required_statuses, required_by,
          tested, stands_on, targets)
        SELECT :queue, r.run, r.kind, r.status, r.branch, r.base,
          timestamptz 'epoch' + r.created_at * interval '1 microsecond',
          ARRAY(SELECT json_array_elements_text(CAST(r.required AS json))), r.required_by,
          CAST(r.tested AS json), CAST(r.stands_on AS json), CAST(r.targets AS json)
        FROM unnest(:run, :kind, :status, :branch, :base, :createdAt, :required, :requiredBy, :tested, :standsOn,
          :targets)
          AS r (run, kind, status, branch, base, created_at, required, required_by, tested, stands_on, targets)
        """,
        new Convoy.Values()
            .with("queue", queueId)
            .with("run", Columns.numbers(rows, r -> r.run().number()))
            .with("kind", Columns.texts(rows, r -> r.kind().name()))
            .with("status", Columns.texts(rows, r -> r.status().name()))
            .with("branch", Columns.texts(rows, Row::branch))
            .with("base", Columns.texts(rows, Row::base))
            .with("createdAt", Columns.times(rows, Row::createdAt))
            .with("required", Columns.texts(rows, r -> json(r.requiredStatuses())))
            .with("requiredBy", Columns.texts(rows, r -> r.requiredBy().name()))
            .with("tested", Columns.texts(rows, r -> StoredJson.changes(r.tested())))
            .with(
                "standsOn",
                Columns.texts(rows, r -> StoredJson.assumed(r.standsOn(), r.leavesOut())))
            .with("targets", Columns.texts(rows, Row::targets)));
  }

  private static String json(List<String> names) {
    return new String(Json.write(names), StandardCharsets.UTF_8);
  }

  /** How a run ended, and why, where its status does not say it all. */
  public record End(Status status, Optional<String> why) {}

  public static void end(Handle handle, long queueId, Map<RunId, End> ended, Instant now) {
    if (ended.isEmpty()) {
      return;
    }
    var batch =
        handle.prepareBatch(
            """
            UPDATE test_run SET status = ?, outcome = ?, ended_at = ?
            WHERE queue_id = ? AND run = ? AND status = 'IN_PROGRESS'
            """);
    ended.forEach(
        (run, end) -> batch.add(end.status().name(), end.why(), now, queueId, run.number()));
    batch.execute();
  }

  public static void built(Handle handle, long queueId, RunId run, CommitSha commit, Instant now) {
    handle.execute(
        "UPDATE test_run SET sha = ?, built_at = ? WHERE queue_id = ? AND run = ? AND sha IS NULL",
        commit.value(),
        now,
        queueId,
        run.number());
  }

  public static void branchDeleted(Handle handle, long queueId, RunId run) {
    handle.execute(
        "UPDATE test_run SET branch_deleted = true WHERE queue_id = ? AND run = ?",
        queueId,
        run.number());
  }

  public static void output(Handle handle, long queueId, RunId run, String output) {
    handle.execute(
        "UPDATE test_run SET output = ? WHERE queue_id = ? AND run = ?",
        storable(output),
        queueId,
        run.number());
  }

  static String storable(String output) {
    return output.replace('\0', '\uFFFD');
  }

  /** Keeps what the command of a run has printed, before that is stopped and forgotten. */
  public static void keepOutput(Handle handle, long queueId, RunId run) {
    handle.execute(
        """
        UPDATE test_run t SET output = j.output FROM test_command_run j
        WHERE t.queue_id = ? AND t.run = ? AND t.output IS NULL
          AND j.queue_id = t.queue_id AND j.run = t.run AND j.output <> ''
        """,
        queueId,
        run.number());
  }

  public static Optional<String> output(Handle handle, long queueId, RunId run) {
    return handle
        .select(
            "SELECT output FROM test_run WHERE queue_id = ? AND run = ? AND output IS NOT NULL",
            queueId,
            run.number())
        .mapTo(String.class)
        .findOne();
  }

  /** Writes a status down. The first final word on it stays, as in the engine. */
  public static void check(
      Handle handle,
      long queueId,
      RunId run,
      String name,
      CheckState state,
      Optional<String> url,
      Instant now) {
    handle.execute(
        """
        INSERT INTO test_check AS c (queue_id, run, name, state, url, reported_at) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (queue_id, run, name) DO UPDATE SET
          state = CASE c.state WHEN 'PENDING' THEN excluded.state ELSE c.state END,
          url = coalesce(excluded.url, c.url), reported_at = excluded.reported_at
        """,
        queueId,
        run.number(),
        name,
        state.name(),
        url,
        now);
  }

  /** How often a status was tried again, and when last. */
  public record Reruns(int count, Optional<Instant> last) {
    static final Reruns NONE = new Reruns(0, Optional.empty());
  }

  public static Reruns reruns(Handle handle, long queueId, RunId run, String name) {
    return handle
        .select(
            "SELECT reruns, rerun_at FROM test_check WHERE queue_id = ? AND run = ? AND name = ?",
            queueId,
            run.number(),
            name)
        .map(
            (row, context) ->
                new Reruns(
                    row.getInt(1),
                    Optional.ofNullable(row.getTimestamp(2)).map(Timestamp::toInstant)))
        .findOne()
        .orElse(Reruns.NONE);
  }

  /** A status is tried again: until CI says more, it is pending. */
  public static void rerun(Handle handle, long queueId, RunId run, String name, Instant now) {
    handle
        .createUpdate(
            """
            INSERT INTO test_check AS c (queue_id, run, name, state, reported_at, reruns, rerun_at)
            VALUES (:queue, :run, :name, 'PENDING', :now, 1, :now)
            ON CONFLICT (queue_id, run, name) DO UPDATE SET reruns = c.reruns + 1, rerun_at = excluded.rerun_at
            """)
        .bind("queue", queueId)
        .bind("run", run.number())
        .bind("name", name)
        .bind("now", now)
        .execute();
  }

  public static Map<RunId, List<Check>> checks(
      Handle handle, long queueId, Collection<RunId> runs) {
    var checks = new LinkedHashMap<RunId, List<Check>>();
    handle
        .createQuery(
            """
            SELECT run, name, state, url FROM test_check WHERE queue_id = :queue AND run = ANY (:runs)
            ORDER BY run, name
            """)
        .bind("queue", queueId)
        .bindArray("runs", Long.class, runs.stream().map(RunId::number).toList())
        .map(
            (row, context) ->
                Map.entry(
                    new RunId(row.getLong(1)),
                    new Check(
                        row.getString(2),
                        Optional.ofNullable(row.getString(4)),
                        CheckState.valueOf(row.getString(3)))))
        .forEach(
            e -> checks.computeIfAbsent(e.getKey(), run -> new ArrayList<>()).add(e.getValue()));
    return checks;
  }

  public static Optional<Row> find(Handle handle, long queueId, RunId run) {
    return handle
        .select("SELECT * FROM test_run WHERE queue_id = ? AND run = ?", queueId, run.number())
        .map(TestRunStore::row)
        .findOne();
  }

  public static Optional<RunId> onCommit(Handle handle, long queueId, CommitSha sha) {
    return handle
        .select(
            "SELECT run FROM test_run WHERE queue_id = ? AND sha = ? ORDER BY run DESC LIMIT 1",
            queueId,
            sha.value())
        .mapTo(Long.class)
        .findOne()
        .map(RunId::new);
  }

  /** The run whose test branch this is, in whichever queue of a repository it is. */
  public static Optional<Row> onBranch(
      Handle handle, long repositoryId, String slug, RunId run, String branch) {
    return handle
        .select(
            """
            SELECT t.* FROM merge_queue q JOIN test_run t ON t.queue_id = q.id
            WHERE q.repository_id = ? AND q.slug = ? AND t.run = ? AND t.branch = ?
            """,
            repositoryId,
            slug,
            run.number(),
            branch)
        .map(TestRunStore::row)
        .findOne();
  }

  public static List<Row> inProgress(Handle handle, long queueId) {
    return handle
        .select(
            """
            SELECT * FROM test_run WHERE queue_id = ? AND NOT branch_deleted AND status = 'IN_PROGRESS' ORDER BY run
            """,
            queueId)
        .map(TestRunStore::row)
        .list();
  }

  /** The names of branches that were asked for and not yet deleted. */
  public static List<String> branches(Handle handle, long queueId) {
    return handle
        .select("SELECT branch FROM test_run WHERE queue_id = ? AND NOT branch_deleted", queueId)
        .mapTo(String.class)
        .list();
  }

  /** Somebody else will delete the branches of a queue's runs. */
  public static void leaveBranches(Handle handle, long queueId) {
    handle.execute(
        "UPDATE test_run SET branch_deleted = true WHERE queue_id = ? AND NOT branch_deleted",
        queueId);
  }

  private static Row row(ResultSet row, StatementContext context) throws SQLException {
    var ended = row.getTimestamp("ended_at");
    StoredJson.Changes assumed = StoredJson.changes(row.getString("stands_on"));
    return new Row(
        new RunId(row.getLong("run")),
        RunKind.valueOf(row.getString("kind")),
        Status.valueOf(row.getString("status")),
        row.getString("branch"),
        Optional.ofNullable(row.getString("sha")),
        row.getString("base"),
        row.getTimestamp("created_at").toInstant(),
        ended == null ? Optional.empty() : Optional.of(ended.toInstant()),
        Optional.ofNullable(row.getString("outcome")),
        Arrays.asList((String[]) row.getArray("required_statuses").getArray()),
        StatusSource.valueOf(row.getString("required_by")),
        StoredJson.changes(row.getString("tested")).changes(),
        assumed.changes(),
        assumed.leavesOut(),
        row.getString("targets"));
  }
}
