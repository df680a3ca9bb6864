package dev.mainstay.cli.upload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.cli.Cli;
import dev.mainstay.cli.StubServer;
import dev.mainstay.cli.StubServer.Answer;
import dev.mainstay.server.platform.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands as a CI job calls them, against a server that records. */
class UploadTest {
  private static final String FAILURES =
      """
      {"upload_id":"x","counts":{"tests":2},"skipped":[{"file":"b.xml","line":3,"reason":"not well-formed"}],
       "verdict":{"may_pass":false,"reason":"1 test failed.","failed_tests":1,"quarantined_tests":0,"failures":[
         {"name":"adds","classname":"Cart","file":"cart.py","message":"1 != 2","codeowners":["@py"],"quarantined":false}]}}
      """;
  private static final String QUARANTINED =
      FAILURES
          .replace("\"may_pass\":false", "\"may_pass\":true")
          .replace("\"quarantined_tests\":0", "\"quarantined_tests\":1")
          .replace("\"quarantined\":false", "\"quarantined\":true");
  private static final String NO_REPORT =
      """
      {"counts":{"tests":0},"skipped":[],"verdict":{"may_pass":false,"reason":"No test report could be read.",
       "failed_tests":0,"quarantined_tests":0,"failures":[],"unreadable":[],"missing":[]}}
      """;
  private static final String UNREAD =
      """
      {"counts":{"tests":2},"skipped":[{"file":"nunit.xml","line":0,"reason":"no test report that is read here"}],
       "collisions":[{"name":"adds"}],"collisions_total":1,
       "verdict":{"may_pass":false,"reason":"Some results could not be read.","failed_tests":1,"quarantined_tests":1,
         "failures":[],"unreadable":[{"file":"nunit.xml","reason":"no test report that is read here"}],
         "missing":[{"file":"b.xml","announced":2,"found":1}]}}
      """;
  private static final String GREEN =
      """
      {"counts":{"tests":2},"skipped":[],"verdict":{"may_pass":true,"reason":"No test failed.",
       "failed_tests":0,"quarantined_tests":0,"failures":[]}}
      """;

  @TempDir private Path dir;

  @Test
  void reports_are_sent_with_what_the_ci_says_and_the_verdict_is_the_exit_code() throws Exception {
    report("target/surefire-reports/TEST-a.xml");
    Files.writeString(dir.resolve("CODEOWNERS"), "* @all\n");
    try (var server = StubServer.of(FAILURES)) {
      var run = mainstay(server.url(), "upload");
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.out())
          .contains("adds")
          .contains("cart.py")
          .contains("@py")
          .contains("not read: b.xml, line 3: not well-formed")
          .contains("2 tests, 1 failed, 0 of them quarantined. 1 test failed.");
      assertThat(server.requests().getFirst().query())
          .contains("repo=github.com%2Facme%2Fshop")
          .contains("commit=abc")
          .contains("pr=12")
          .contains("attempt=2");
    }
  }

  @Test
  void the_answers_can_be_had_as_json() throws Exception {
    report("junit.xml");
    try (var server = StubServer.of(FAILURES)) {
      var run = mainstay(server.url(), "upload", "--json");
      assertThat(run.exitCode()).isEqualTo(1);
      var answer = Json.readObject(run.out().getBytes(StandardCharsets.UTF_8));
      assertThat(answer.at("/uploads/0/verdict/failed_tests").asInt()).isEqualTo(1);
    }
  }

  @Test
  void a_quarantined_failure_lets_the_job_pass() throws Exception {
    report("junit.xml");
    try (var server = StubServer.of(QUARANTINED)) {
      assertThat(mainstay(server.url(), "upload --test-exit-code 1").exitCode()).isZero();
      assertThat(mainstay(server.url(), "test -- sh -c", "touch junit.xml; exit 3").exitCode())
          .isZero();
    }
  }

  @Test
  void results_that_could_not_be_read_fail_a_job_that_passed_only_where_it_is_strict()
      throws Exception {
    report("junit.xml");
    try (var server = StubServer.of(UNREAD)) {
      var run = mainstay(server.url(), "upload --ignore *.log --ignore trace-?.xml");
      assertThat(run.exitCode()).isZero();
      assertThat(run.out())
          .contains("not read: nunit.xml: no test report that is read here")
          .contains("not all there: b.xml announces 2 failures and shows 1")
          .contains("1 test is in these reports more than once under one name, such as adds;");
      assertThat(server.requests().getFirst().query())
          .contains("ignore=*.log")
          .contains("ignore=trace-%3F.xml");
      assertThat(mainstay(server.url(), "upload --strict").exitCode()).isEqualTo(1);
      assertThat(mainstay(server.url(), "upload --test-exit-code 3").exitCode()).isEqualTo(3);
    }
  }

  @Test
  void several_uploads_of_a_job_are_judged_together() throws Exception {
    large("a.xml");
    large("b.xml");
    try (var server = new StubServer(new Answer(200, QUARANTINED), new Answer(200, NO_REPORT))) {
      assertThat(
              mainstay(server.url(), "upload --strict --test-exit-code 3 a.xml b.xml").exitCode())
          .isZero();
      assertThat(server.requests()).hasSize(2);
    }
    try (var server = new StubServer(new Answer(200, QUARANTINED), new Answer(200, UNREAD))) {
      assertThat(mainstay(server.url(), "upload --test-exit-code 3 a.xml b.xml").exitCode())
          .isEqualTo(3);
    }
  }

  @Test
  void a_command_that_fails_without_a_failed_test_keeps_its_exit_code() throws Exception {
    report("junit.xml");
    try (var server = StubServer.of(GREEN)) {
      assertThat(mainstay(server.url(), "test -- sh -c", "touch junit.xml; exit 3").exitCode())
          .isEqualTo(3);
      assertThat(mainstay(server.url(), "test -- touch junit.xml").exitCode()).isZero();
    }
  }

  @Test
  void without_a_server_the_exit_code_of_the_tests_stands_with_a_warning() throws Exception {
    report("junit.xml");
    var run =
        mainstay("http://127.0.0.1:1", "test --retries 0 -- sh -c", "touch junit.xml; exit 5");
    assertThat(run.exitCode()).isEqualTo(5);
    assertThat(run.err()).contains("warning").contains("exit code stands");
    assertThat(mainstay("http://127.0.0.1:1", "upload --retries 0").exitCode()).isZero();
  }

  @Test
  void what_may_be_lost_is_sent_again_byte_for_byte() throws Exception {
    report("junit.xml");
    try (var server = new StubServer(new Answer(503, GREEN), new Answer(200, GREEN))) {
      assertThat(mainstay(server.url(), "upload").exitCode()).isZero();
      assertThat(server.requests()).hasSize(2);
      assertThat(server.requests().get(0).body()).isEqualTo(server.requests().get(1).body());
    }
  }

  @Test
  void a_refusal_is_not_tried_again() throws Exception {
    report("junit.xml");
    try (var server = new StubServer(new Answer(401, "{\"detail\":\"Send a valid API key.\"}"))) {
      var run = mainstay(server.url(), "upload");
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err()).contains("Send a valid API key.");
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void globs_find_reports_in_order_and_old_ones_are_left_out() throws IOException {
    report("a/deep/x.xml");
    report("x.xml");
    report("node_modules/x.xml");
    Files.setLastModifiedTime(report("old/x.xml"), FileTime.fromMillis(0));
    assertThat(ReportFiles.find(dir, List.of("**/x.xml"), FileTime.fromMillis(1000)))
        .containsExactly(Path.of("a/deep/x.xml"), Path.of("x.xml"));
    assertThat(ReportFiles.find(dir, List.of("old"), FileTime.fromMillis(0)))
        .containsExactly(Path.of("old/x.xml"));
    assertThat(ReportFiles.find(dir, List.of("./a/*/x.xml"), FileTime.fromMillis(0)))
        .containsExactly(Path.of("a/deep/x.xml"));
  }

  @Test
  void the_same_files_always_give_the_same_bundle() throws IOException {
    report("a.xml");
    byte[] first = ReportBundle.pack(dir, List.of(Path.of("a.xml")), List.of()).getFirst();
    Files.setLastModifiedTime(dir.resolve("a.xml"), FileTime.fromMillis(5000));
    assertThat(ReportBundle.pack(dir, List.of(Path.of("a.xml")), List.of()).getFirst())
        .isEqualTo(first);
  }

  private Path report(String name) throws IOException {
    Path file = dir.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, "<testsuite><testcase name='a'/></testsuite>");
  }

  /** So large that no other fits into the same upload. */
  private void large(String name) throws IOException {
    byte[] noise = new byte[13 * 1024 * 1024];
    new Random(1).nextBytes(noise);
    Files.write(dir.resolve(name), noise);
  }

  private Cli.Ran mainstay(String url, String command, String... arguments) {
    return Cli.in(dir).inCiJob(url, "mst_x").run(command, arguments);
  }
}
