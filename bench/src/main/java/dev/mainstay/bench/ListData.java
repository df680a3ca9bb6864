package dev.mainstay.bench;

import dev.mainstay.server.platform.Database;
import java.util.List;

/**
 * A repository with a week of results, written straight into the tables as uploads and the workers
 * would have left them: runs and failures spread over uploads, counts folded into days but for the
 * hour that is not over.
 */
final class ListData {
  private static final int UPLOADS = 2000;

  private final Database database;
  private final String repo;
  private final int tests;
  private final int failures;
  private final int runs;

  ListData(Database database, String repo, int tests, int failures, int runs) {
    this.database = database;
    this.repo = repo;
    this.tests = tests;
    this.failures = failures;
    this.runs = runs;
  }

  void make() {
    long start = System.nanoTime();
    long id =
        database.query(
            h ->
                h.select("SELECT id FROM repository WHERE key = ?", "bench/o/" + repo)
                    .mapTo(Long.class)
                    .one());
    for (String sql : List.of(tests(), uploads(), runs(), failures(), recent(), days(), feed())) {
      database.useTransaction(
          h ->
              h.createUpdate(sql)
                  .bind("repo", id)
                  .bind("tests", tests)
                  .bind("failures", failures)
                  .bind("runs", runs)
                  .bind("uploads", UPLOADS)
                  .execute());
    }
    for (String table : List.of("test", "upload", "run", "failure", "recent_failure", "test_day")) {
      database.query(h -> h.execute("VACUUM ANALYZE " + table));
    }
    System.out.printf(
        "  made %,d tests, %,d failures, %,d runs in %.0f s%n",
        tests, failures, runs, (System.nanoTime() - start) / 1e9);
  }

  /** The id of a test by its number. */
  private static String id(String number) {
    return "md5(:repo || ' ' || (" + number + "))::uuid";
  }

  /** The time of an upload by its number, from 7 days ago to now. */
  private static String time(String number) {
    return "date_trunc('milliseconds', now() - interval '604700 seconds' * (1 - ("
        + number
        + ")::float8 / :uploads))";
  }

  private static String tests() {
    return """
    INSERT INTO test (repository_id, id, name, variant, parent, file, classname, codeowners, first_seen_at)
    SELECT :repo, %s, 'checksThatTheOrderIsKept' || i, '', 'Suite' || i / 50, 'src/test/Suite' || i / 50 || '.java',
      'com.example.Suite' || i / 50, '{@team}', now() FROM generate_series(1, :tests) i
    """
        .formatted(id("i"));
  }

  private static String uploads() {
    return """
    WITH made AS (
      INSERT INTO upload (repository_id, id, public_id, content_key, received_at, branch, branch_class, commit_sha,
        pr_number, job, variant, attempt, first_ran_at)
      SELECT :repo, 1000000 + u, gen_random_uuid(), sha256((:repo || ' ' || u)::bytea), %1$s, 'b' || u, 2, 'c' || u,
        u / 3 + 1, '', '', 1, %1$s
      FROM generate_series(1, :uploads) u RETURNING id
    )
    INSERT INTO arrival (repository_id, stamp, upload_id) SELECT :repo, id, id FROM made
    """
        .formatted(time("u"));
  }

  /** In the order of uploads, as they were copied. */
  private static String runs() {
    return """
    INSERT INTO run_90 (repository_id, test_id, ran_at, upload_id, duration_ms, retention_days, outcome, attempt)
    SELECT :repo, %s, %s, 1000000 + u, 100, 90, 0, 1
    FROM generate_series(1, :uploads) u, generate_series(1, :runs / :uploads) r
    """
        .formatted(id("(u * (:runs / :uploads) + r) % :tests + 1"), time("u"));
  }

  private static String failures() {
    return """
    INSERT INTO failure_90 (repository_id, test_id, ran_at, upload_id, retention_days, outcome, attempt, branch_class,
      pr_number, commit_sha, type, message, stack)
    SELECT :repo, %s, %s, 1000000 + u, 90, 1, 1, 2, u / 3 + 1, 'c' || u, 'AssertionError', 'expected 3 but was ' || f,
      'at Order.check(Order.java:41)'
    FROM generate_series(1, :uploads) u, generate_series(1, :failures / :uploads) f
    """
        .formatted(id("(u * (:failures / :uploads) + f) % :tests + 1"), time("u"));
  }

  private static String recent() {
    return """
    INSERT INTO recent_failure (repository_id, test_id, failed_at, upload_id, shape, pr_number, title)
    SELECT repository_id, test_id, ran_at, upload_id, 1, pr_number, message FROM failure
    WHERE repository_id = :repo AND upload_id >= 1000000
    """;
  }

  private static String days() {
    return """
    INSERT INTO test_day (repository_id, test_id, day, passes, failures, skips, passes_from, failures_from)
    SELECT :repo, %s, d, (:runs / :tests) / 7, (:failures / :tests) / 7, 0,
      array_fill(:runs / :tests / 168, ARRAY[24]), array_fill(1, ARRAY[24])
    FROM generate_series(now()::date - 7, now()::date, interval '1 day') d, generate_series(1, :tests) i
    """
        .formatted(id("i"));
  }

  private static String feed() {
    return """
    UPDATE result_feed SET stamp = 1000000 + :uploads, unfolded_from = date_trunc('hour', now()) - interval '1 hour',
      folded_until = date_trunc('hour', now()) - interval '1 hour'
    WHERE repository_id = :repo
    """;
  }
}
