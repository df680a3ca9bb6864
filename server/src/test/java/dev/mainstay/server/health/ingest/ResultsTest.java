package dev.mainstay.server.health.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.MovableClock;
import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.TestNode.Answer;
import dev.mainstay.server.platform.Database;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ResultsTest {
  private static final String REPORT =
      """
      <testsuite name="Carts" timestamp="2026-03-01T11:00:00Z" file="src/cart.py">
        <testcase classname="Cart" name="adds" time="0.5"/>
        <testcase classname="Cart" name="removes"><failure message="1 != 2">at cart.py:3</failure></testcase>
        <testcase classname="Cart" name="later"><skipped/></testcase>
      </testsuite>
      """;

  private static final Database.Address ADDRESS = TestDatabase.withTables();
  private static TestNode node;
  private static Database database;
  private static int repositories;

  private final String repo = "github.com/acme/shop" + ++repositories;

  @BeforeAll
  static void start() {
    node = TestNode.start(ADDRESS, new MovableClock());
    database = Database.connect(ADDRESS, 4);
  }

  @AfterAll
  static void stop() {
    database.close();
    node.close();
  }

  @Test
  void one_request_brings_a_report_in_and_a_verdict_back() {
    var answer = upload(REPORT, "&branch=main&commit=abc");
    assertThat(answer.status()).isEqualTo(200);
    var json = answer.json();
    assertThat(json.at("/counts/tests").asInt()).isEqualTo(3);
    assertThat(json.at("/counts/passed").asInt()).isEqualTo(1);
    assertThat(json.at("/counts/failed").asInt()).isEqualTo(1);
    assertThat(json.at("/counts/skipped").asInt()).isEqualTo(1);
    assertThat(json.at("/counts/new_tests").asInt()).isEqualTo(3);
    assertThat(json.at("/branch_class").asString()).isEqualTo("stable");
    assertThat(json.at("/verdict/may_pass").asBoolean()).isFalse();
    assertThat(json.at("/verdict/reason").asString()).isEqualTo("1 test failed.");
    assertThat(json.at("/verdict/failures/0/name").asString()).isEqualTo("removes");
    assertThat(json.at("/verdict/failures/0/message").asString()).isEqualTo("1 != 2");
    assertThat(number("SELECT count(*) FROM run" + ofRepo())).isEqualTo(3);
    assertThat(
            number(
                "SELECT sum(passes) * 100 + sum(failures) * 10 + sum(skips) FROM repository_day"
                    + ofRepo()))
        .isEqualTo(111);
    assertThat(number("SELECT count(*) FROM failure" + ofRepo() + " AND stack = 'at cart.py:3'"))
        .isEqualTo(1);
    assertThat(
            number("SELECT count(*) FROM run" + ofRepo() + " AND ran_at = '2026-03-01T11:00:00Z'"))
        .isEqualTo(3);
  }

  @Test
  void the_same_upload_again_changes_nothing() {
    var first = upload(REPORT, "&branch=main&commit=abc");
    var again = upload(REPORT, "&branch=main&commit=abc");
    assertThat(again.json().at("/duplicate").asBoolean()).isTrue();
    assertThat(again.json().at("/upload_id")).isEqualTo(first.json().at("/upload_id"));
    assertThat(again.json().at("/verdict")).isEqualTo(first.json().at("/verdict"));
    assertThat(number("SELECT count(*) FROM run" + ofRepo())).isEqualTo(3);
    assertThat(number("SELECT sum(passes) FROM repository_day" + ofRepo())).isEqualTo(1);
  }

  @Test
  void the_same_upload_many_times_at_once_counts_once() throws Exception {
    Callable<Answer> send = () -> upload(REPORT, "&commit=abc");
    try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
      var answers = pool.invokeAll(IntStream.range(0, 6).mapToObj(i -> send).toList());
      for (var answer : answers) {
        assertThat(answer.get().status()).isEqualTo(200);
      }
      assertThat(answers.stream().filter(a -> !a.resultNow().json().at("/duplicate").asBoolean()))
          .hasSize(1);
    }
    assertThat(number("SELECT count(*) FROM run" + ofRepo())).isEqualTo(3);
    assertThat(number("SELECT count(*) FROM upload" + ofRepo())).isEqualTo(1);
  }

  @Test
  void uploads_that_touch_the_same_tests_at_once_are_all_counted() throws Exception {
    try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
      var sends =
          IntStream.range(0, 6)
              .<Callable<Answer>>mapToObj(
                  i -> () -> upload(many(50, new Random(i)), "&commit=abc&attempt=" + (i + 1)))
              .toList();
      for (var answer : pool.invokeAll(sends)) {
        assertThat(answer.get().status()).isEqualTo(200);
      }
    }
    assertThat(number("SELECT count(*) FROM run" + ofRepo())).isEqualTo(300);
    assertThat(number("SELECT sum(passes + failures) FROM repository_day" + ofRepo()))
        .isEqualTo(300);
    assertThat(number("SELECT count(*) FROM test" + ofRepo())).isEqualTo(50);
    assertThat(number("SELECT sum(failures + passes) FROM commit_failure" + ofRepo()))
        .isEqualTo(
            number(
                "SELECT count(*) FROM run r"
                    + ofRepo()
                    + " AND test_id IN (SELECT test_id FROM failure f"
                    + ofRepo()
                    + ")"));
  }

  @Test
  void a_form_brings_many_files_and_says_what_they_are_about() {
    var answer =
        form(
            field("repo", repo),
            field("branch", "refs/pull/7/merge"),
            field("pr", ""),
            file("reports", "a.xml", REPORT),
            file("reports", "b.json", "{\"Action\":\"pass\",\"Package\":\"p\",\"Test\":\"T\"}"),
            file("reports", "notes.txt", "hello"),
            file("codeowners", "OWNERS", "*.py @python\n"));
    assertThat(answer.status()).isEqualTo(200);
    var json = answer.json();
    assertThat(json.at("/counts/tests").asInt()).isEqualTo(4);
    assertThat(json.at("/branch_class").asString()).isEqualTo("pull_request");
    assertThat(json.at("/ignored/0/file").asString()).isEqualTo("notes.txt");
    assertThat(json.at("/ignored/0/reason").asString()).isEqualTo("text beside reports");
    assertThat(json.at("/skipped_total").asInt()).isZero();
    assertThat(json.at("/verdict/failures/0/codeowners/0").asString()).isEqualTo("@python");
    assertThat(number("SELECT count(*) FROM test" + ofRepo() + " AND codeowners = '{@python}'"))
        .isEqualTo(3);
    assertThat(number("SELECT pr_number FROM failure" + ofRepo())).isEqualTo(7);
  }

  @Test
  void owners_are_remembered_for_uploads_that_bring_none() {
    form(field("repo", repo), file("f", "a.xml", REPORT), file("f", "CODEOWNERS", "*.py @old\n"));
    upload(REPORT, "&commit=c2");
    assertThat(number("SELECT count(*) FROM test" + ofRepo() + " AND codeowners = '{@old}'"))
        .isEqualTo(3);
    form(field("repo", repo), file("f", "a.xml", REPORT), file("f", "CODEOWNERS", "*.py @new\n"));
    assertThat(number("SELECT count(*) FROM test" + ofRepo() + " AND codeowners = '{@new}'"))
        .isEqualTo(3);
  }

  @Test
  void a_test_that_passes_at_the_second_attempt_does_not_stop_the_job() {
    var json =
        upload(
                """
                <testsuite name="s"><testcase name="a"><flakyFailure/></testcase></testsuite>
                """,
                "&commit=abc")
            .json();
    assertThat(json.at("/counts/retried_and_passed").asInt()).isEqualTo(1);
    assertThat(json.at("/counts/runs").asInt()).isEqualTo(2);
    assertThat(json.at("/verdict/may_pass").asBoolean()).isTrue();
    assertThat(number("SELECT max(attempt) FROM run" + ofRepo())).isEqualTo(2);
    assertThat(
            number(
                "SELECT count(*) FROM commit_failure"
                    + ofRepo()
                    + " AND passes = 1 AND failures = 1"))
        .isEqualTo(1);
  }

  @Test
  void a_pass_in_a_later_upload_of_the_commit_is_a_retry_that_passed() {
    upload(
        "<testsuite><testcase name='a'><failure/></testcase></testsuite>", "&commit=abc&job=unit");
    node.clock().advance(java.time.Duration.ofDays(3));
    var second = upload("<testsuite><testcase name='a'/></testsuite>", "&commit=abc&job=unit");
    assertThat(second.json().at("/counts/retried_and_passed").asInt()).isEqualTo(1);
    assertThat(
            number(
                "SELECT count(*) FROM commit_failure"
                    + ofRepo()
                    + " AND passes = 1 AND failures = 1"))
        .isEqualTo(1);
    assertThat(number("SELECT max(attempt) FROM upload" + ofRepo())).isEqualTo(2);
  }

  @Test
  void a_failure_after_a_pass_on_the_same_commit_is_found_too() {
    upload("<testsuite><testcase name='a'/></testsuite>", "&commit=abc");
    upload("<testsuite><testcase name='a'><error/></testcase></testsuite>", "&commit=abc");
    upload("<testsuite><testcase name='a'><error/></testcase></testsuite>", "&commit=other");
    assertThat(number("SELECT count(*) FROM commit_failure" + ofRepo() + " AND passes = 1"))
        .isEqualTo(1);
    assertThat(number("SELECT count(*) FROM commit_failure" + ofRepo() + " AND passes = 0"))
        .isEqualTo(1);
  }

  @Test
  void quarantined_failures_do_not_stop_the_job() {
    upload(REPORT, "&commit=1");
    database.useTransaction(
        handle -> {
          handle.execute(
              "INSERT INTO test_settings (repository_id, quarantining_enabled, auto_quarantine) SELECT id, true, true FROM repository WHERE key = ?",
              repo);
          // A decision, since a status that nothing speaks for does not last until the next upload.
          handle.execute(
              "UPDATE test SET quarantine_override = 'ALWAYS_QUARANTINE'"
                  + ofRepo()
                  + " AND name = 'removes'");
        });
    var json = upload(REPORT, "&commit=2").json();
    assertThat(json.at("/verdict/may_pass").asBoolean()).isTrue();
    assertThat(json.at("/verdict/quarantined_tests").asInt()).isEqualTo(1);
    assertThat(json.at("/verdict/failures/0/quarantined").asBoolean()).isTrue();
    database.useTransaction(
        handle ->
            handle.execute("UPDATE test SET quarantine_override = 'NEVER_QUARANTINE'" + ofRepo()));
    assertThat(upload(REPORT, "&commit=3").json().at("/verdict/may_pass").asBoolean()).isFalse();
  }

  @Test
  void an_upload_in_which_nearly_everything_failed_is_set_aside_where_that_is_wanted() {
    upload(REPORT, "&commit=1");
    database.useTransaction(
        handle ->
            handle.execute(
                "INSERT INTO test_settings (repository_id, infra_protection) SELECT id, true FROM repository WHERE key = ?",
                repo));

    var cases = new StringBuilder("<testsuite>");
    for (int i = 0; i < 12; i++) {
      cases.append("<testcase name='x").append(i).append("'><error/></testcase>");
    }
    var json = upload(cases + "</testsuite>", "&commit=2").json();
    assertThat(json.at("/set_aside").asBoolean()).isTrue();
    assertThat(json.at("/verdict/may_pass").asBoolean()).isFalse();
    assertThat(number("SELECT count(*) FROM run" + ofRepo())).isEqualTo(3);
  }

  @Test
  void a_report_broken_half_way_is_kept_as_far_as_it_goes_and_the_job_may_not_pass() {
    var json = upload("<testsuite>\n<testcase name='a'/>\n<testcase nam", "").json();
    assertThat(json.at("/counts/passed").asInt()).isEqualTo(1);
    assertThat(json.at("/skipped/0/line").asInt()).isEqualTo(3);
    assertThat(json.at("/verdict/may_pass").asBoolean()).isFalse();
    assertThat(number("SELECT count(*) FROM run" + ofRepo())).isEqualTo(1);
  }

  @Test
  void a_time_that_cannot_be_is_the_time_of_the_upload() {
    upload(
        """
        <testsuites>
        <testsuite timestamp="30000-01-01T00:00:00Z"><testcase name="far" time="-7"/></testsuite>
        <testsuite timestamp="2026-12-01T00:00:00"><testcase name="future" time="1e99"/></testsuite>
        <testsuite timestamp="noon"><testcase name="word"/></testsuite></testsuites>
        """,
        "");
    String now = node.clock().instant().toString();
    assertThat(number("SELECT count(*) FROM run" + ofRepo() + " AND ran_at = '" + now + "'"))
        .isEqualTo(3);
  }

  @Test
  void results_older_than_they_are_kept_are_said_to_be() {
    var json =
        upload("<testsuite timestamp='2019-01-01T00:00:00Z'><testcase name='old'/></testsuite>", "")
            .json();
    assertThat(json.at("/counts/passed").asInt()).isEqualTo(1);
    assertThat(json.at("/skipped/0/reason").asString()).contains("90 days");
    assertThat(json.at("/verdict/may_pass").asBoolean()).isTrue();
    assertThat(number("SELECT count(*) FROM run" + ofRepo())).isZero();
  }

  @Test
  void names_of_any_length_and_script_stay_distinguishable() {
    String name = "ş".repeat(50_000);
    upload(
        "<testsuite><testcase name='%s1'/><testcase name='%s2'/><testcase name='\0'/></testsuite>"
            .formatted(name, name),
        "");
    assertThat(number("SELECT count(DISTINCT name) FROM test" + ofRepo())).isEqualTo(3);
    assertThat(number("SELECT max(length(name)) FROM test" + ofRepo())).isEqualTo(1000);
  }

  @Test
  void every_fault_of_what_is_said_is_named() {
    var answer =
        node.post(
            "/v1/test-results?repo=shop&pr=0&attempt=x&ci_url=ftp://x&commit=%20a%20b",
            node.token(), "application/xml", BodyPublishers.ofString(REPORT));
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.json().path("errors").values().stream().map(e -> e.path("field").asString()))
        .containsExactlyInAnyOrder("repo", "pr", "attempt", "ci_url", "commit");
  }

  @Test
  void bodies_that_hold_nothing_or_lie_about_their_form_are_refused() {
    assertThat(upload("", "").code()).isEqualTo("empty_body");
    assertThat(
            node.post(
                    "/v1/test-results?repo=" + repo,
                    node.token(),
                    "multipart/form-data",
                    BodyPublishers.ofString("x"))
                .code())
        .isEqualTo("invalid_multipart");
    assertThat(
            node.post(
                    "/v1/test-results?repo=" + repo,
                    node.token(),
                    "multipart/form-data; boundary=b",
                    BodyPublishers.ofString("--b\r\nnothing"))
                .code())
        .isEqualTo("invalid_multipart");
  }

  @Test
  void what_unpacks_to_too_much_is_refused_and_leaves_nothing() throws Exception {
    var packed = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(packed)) {
      gzip.write(REPORT.replace("</testsuite>", "").getBytes(StandardCharsets.UTF_8));
      byte[] blanks = " ".repeat(1 << 20).getBytes(StandardCharsets.UTF_8);
      for (int i = 0; i <= 1024; i++) {
        gzip.write(blanks);
      }
    }
    var answer =
        node.post(
            "/v1/test-results?repo=" + repo,
            node.token(),
            "application/gzip",
            BodyPublishers.ofByteArray(packed.toByteArray()));
    assertThat(answer.status()).isEqualTo(413);
    assertThat(answer.code()).isEqualTo("unpacks_too_large");
    assertThat(number("SELECT count(*) FROM upload" + ofRepo())).isZero();
    assertThat(number("SELECT count(*) FROM run" + ofRepo())).isZero();
  }

  @Test
  void a_failure_in_the_middle_leaves_nothing_half_done() {
    upload(REPORT, "&commit=1");
    database.useTransaction(
        handle ->
            handle.execute(
                "ALTER TABLE upload ADD CONSTRAINT break CHECK (branch <> 'boom' OR answer IS NULL)"));
    try {
      assertThat(upload(REPORT.replace("adds", "other"), "&commit=2&branch=boom").status())
          .isEqualTo(500);
    } finally {
      database.useTransaction(h -> h.execute("ALTER TABLE upload DROP CONSTRAINT break"));
    }
    assertThat(number("SELECT count(*) FROM upload" + ofRepo())).isEqualTo(1);
    assertThat(number("SELECT count(*) FROM run" + ofRepo())).isEqualTo(3);
    assertThat(number("SELECT count(*) FROM test" + ofRepo())).isEqualTo(3);
    assertThat(number("SELECT sum(passes) FROM repository_day" + ofRepo())).isEqualTo(1);
    assertThat(upload(REPORT.replace("adds", "other"), "&commit=2&branch=boom").status())
        .isEqualTo(200);
    assertThat(number("SELECT count(*) FROM run" + ofRepo())).isEqualTo(6);
  }

  @Test
  void repositories_that_differ_in_case_are_one_and_keep_the_first_spelling() {
    String first = upload(REPORT, "&commit=1").json().at("/verdict/failures/0/test_id").asString();
    var answer =
        node.post(
            "/v1/test-results?commit=2&repo=" + repo.replace("acme", "ACME"),
            node.token(),
            "application/xml",
            BodyPublishers.ofString(REPORT));
    assertThat(answer.json().at("/repo").asString()).isEqualTo(repo);
    assertThat(answer.json().at("/verdict/failures/0/test_id").asString()).isEqualTo(first);
  }

  private static String many(int tests, Random random) {
    var order = new java.util.ArrayList<>(IntStream.range(0, tests).boxed().toList());
    java.util.Collections.shuffle(order, random);
    var report = new StringBuilder("<testsuite name='s'>");
    for (int i : order) {
      report
          .append("<testcase name='t")
          .append(i)
          .append(random.nextInt(10) == 0 ? "'><failure/></testcase>" : "'/>");
    }
    return report + "</testsuite>";
  }

  private Answer upload(String report, String said) {
    return node.post(
        "/v1/test-results?repo=" + repo + said,
        node.token(),
        "application/xml",
        BodyPublishers.ofString(report));
  }

  private static String field(String name, String value) {
    return "Content-Disposition: form-data; name=\"%s\"\r\n\r\n%s".formatted(name, value);
  }

  private static String file(String field, String name, String content) {
    return "Content-Disposition: form-data; name=\"%s\"; filename=\"%s\"\r\nContent-Type: text/plain\r\n\r\n%s"
        .formatted(field, name, content);
  }

  private static Answer form(String... parts) {
    var body = new StringBuilder();
    for (String part : parts) {
      body.append("--limit\r\n").append(part).append("\r\n");
    }
    return node.post(
        "/v1/test-results",
        node.token(),
        "multipart/form-data; boundary=limit",
        BodyPublishers.ofString(body + "--limit--\r\n"));
  }

  private String ofRepo() {
    return " WHERE repository_id = (SELECT id FROM repository WHERE key = '%s')".formatted(repo);
  }

  private static long number(String sql) {
    return database.query(handle -> handle.select(sql).mapTo(Long.class).findOne().orElse(0L));
  }
}
