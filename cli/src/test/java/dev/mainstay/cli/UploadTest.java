package dev.mainstay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.mainstay.server.platform.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands as a CI job calls them, as processes of their own, against a server that records.
 */
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
    try (var server = new Recorder(List.of(200), FAILURES)) {
      var run = mainstay(server.url(), "upload");
      assertThat(run.exitCode).isEqualTo(1);
      assertThat(run.out)
          .contains("adds")
          .contains("cart.py")
          .contains("@py")
          .contains("not read: b.xml, line 3: not well-formed")
          .contains("2 tests, 1 failed, 0 of them quarantined. 1 test failed.");
      assertThat(server.queries.getFirst())
          .contains("repo=github.com%2Facme%2Fshop")
          .contains("commit=abc")
          .contains("pr=12")
          .contains("attempt=2");
    }
  }

  @Test
  void a_quarantined_failure_lets_the_job_pass() throws Exception {
    report("junit.xml");
    try (var server = new Recorder(List.of(200), QUARANTINED)) {
      assertThat(mainstay(server.url(), "upload", "--test-exit-code", "1").exitCode).isZero();
      assertThat(
              mainstay(server.url(), "test", "--", "sh", "-c", "touch junit.xml; exit 3").exitCode)
          .isZero();
    }
  }

  @Test
  void a_command_that_fails_without_a_failed_test_keeps_its_exit_code() throws Exception {
    report("junit.xml");
    try (var server = new Recorder(List.of(200), GREEN)) {
      assertThat(
              mainstay(server.url(), "test", "--", "sh", "-c", "touch junit.xml; exit 3").exitCode)
          .isEqualTo(3);
      assertThat(mainstay(server.url(), "test", "--", "touch", "junit.xml").exitCode).isZero();
    }
  }

  @Test
  void without_a_server_the_exit_code_of_the_tests_stands_with_a_warning() throws Exception {
    report("junit.xml");
    var run =
        mainstay(
            "http://127.0.0.1:1",
            "test",
            "--retries",
            "0",
            "--",
            "sh",
            "-c",
            "touch junit.xml; exit 5");
    assertThat(run.exitCode).isEqualTo(5);
    assertThat(run.err).contains("warning").contains("exit code stands");
    assertThat(mainstay("http://127.0.0.1:1", "upload", "--retries", "0").exitCode).isZero();
  }

  @Test
  void what_may_be_lost_is_sent_again_byte_for_byte() throws Exception {
    report("junit.xml");
    try (var server = new Recorder(List.of(503, 200), GREEN)) {
      assertThat(mainstay(server.url(), "upload").exitCode).isZero();
      assertThat(server.bodies).hasSize(2);
      assertThat(server.bodies.get(0)).isEqualTo(server.bodies.get(1));
    }
  }

  @Test
  void a_refusal_is_not_tried_again() throws Exception {
    report("junit.xml");
    try (var server = new Recorder(List.of(401), "{\"detail\":\"Send a valid API key.\"}")) {
      var run = mainstay(server.url(), "upload");
      assertThat(run.exitCode).isEqualTo(1);
      assertThat(run.err).contains("Send a valid API key.");
      assertThat(server.bodies).hasSize(1);
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

  private record Ran(int exitCode, String out, String err) {}

  private Ran mainstay(String url, String... args) throws Exception {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of(args));
    Path err = dir.resolve("stderr.txt");
    var builder = new ProcessBuilder(command).directory(dir.toFile()).redirectError(err.toFile());
    builder.environment().clear();
    builder
        .environment()
        .putAll(
            Map.of(
                "PATH", System.getenv("PATH"),
                "MAINSTAY_URL", url,
                "MAINSTAY_API_TOKEN", "mst_x",
                "GITHUB_ACTIONS", "true",
                "GITHUB_REPOSITORY", "acme/shop",
                "GITHUB_REF", "refs/pull/12/merge",
                "GITHUB_SHA", "abc",
                "GITHUB_RUN_ATTEMPT", "2"));
    var process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Ran(process.exitValue(), out, Files.readString(err));
  }

  /** Answers with each status in turn, then always with the last. */
  private static final class Recorder implements AutoCloseable {
    private final HttpServer http;
    private final List<String> queries = new ArrayList<>();
    private final List<byte[]> bodies = new ArrayList<>();

    Recorder(List<Integer> statuses, String answer) throws IOException {
      byte[] body = Json.write(Json.readObject(answer.getBytes(StandardCharsets.UTF_8)));
      http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      http.createContext(
          "/v1/test-results",
          exchange -> {
            queries.add(exchange.getRequestURI().getRawQuery());
            bodies.add(exchange.getRequestBody().readAllBytes());
            int status = statuses.get(Math.min(bodies.size(), statuses.size()) - 1);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
          });
      http.start();
    }

    String url() {
      return "http://127.0.0.1:" + http.getAddress().getPort();
    }

    @Override
    public void close() {
      http.stop(0);
    }
  }
}
