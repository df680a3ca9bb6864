package dev.mainstay.cli.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.cli.Cli;
import dev.mainstay.cli.StubServer;
import dev.mainstay.cli.StubServer.Answer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The failure of a pull request as people read it, against a server that records and answers. */
class FailureReportTest {
  private static final String PR =
      """
      {"id":"1","state":"%s","isCurrentlySubmittedToQueue":false,"prNumber":7,"prTitle":"Add carts",
       "readiness":{"waitingFor":[]},"reason":{"code":"test_failed","message":"A status failed."},"waitsFor":[]}
      """;
  private static final String LOG =
      """
      {"testRunId":"abc-7","status":"%s","complete":%s,"output":"%s",
       "checks":[{"name":"ci/build","url":"https://ci.example/1","state":"FAILURE"},
         {"name":"ci/lint","url":"","state":"SUCCESS"}],
       "failedTests":[{"testId":"x","name":"ticks","classname":"Clock","file":"","message":"no answer\\nat all",
         "quarantined":false}]}
      """;

  @TempDir private Path dir;

  private Cli.Ran mainstay(StubServer server, String command) {
    return Cli.in(dir).inCiJob(server.url(), "token").run(command);
  }

  @Test
  void statuses_tests_and_the_last_lines_are_shown_and_no_terminal_obeys_them() throws Exception {
    String output = "\\u001b[31mred\\u001b[0m\\r\\nbell \\u0007\\n";
    for (String command : new String[] {"pr status 7", "pr watch 7"}) {
      try (var server =
          StubServer.of(PR.formatted("FAILED"), LOG.formatted("FAILED", true, output))) {
        assertThat(mainstay(server, command).out())
            .endsWith(
                """
                failed: ci/build  https://ci.example/1
                failed test: Clock ticks: no answer
                the last lines of its output:
                  | red
                  | bell ?
                """);
        assertThat(server.last()).startsWith("getTestRunLog").contains("\"lines\":20");
      }
    }
  }

  @Test
  void the_chance_of_one_that_is_open_and_the_time_of_its_merging_are_told() throws Exception {
    String open =
        PR.formatted("TESTING").stripTrailing().replaceFirst("\\}$", "")
            + """
              ,"chance":{"passes":0.824,"drivenBy":[{"trait":"author","value":"ada\\u001b[31m","moves":-0.09}]},
               "expected":{"likelyBy":"2026-01-01T12:10:00Z","lateBy":"2026-01-01T12:20:00Z"}}
              """;
    try (var server = StubServer.of(open)) {
      assertThat(mainstay(server, "pr status 7").out())
          .contains(
              "expected: by 2026-01-01T12:10:00Z, or by 2026-01-01T12:20:00Z if it takes longer than"
                  + " usual, as it does\n")
          .containsPattern("chance to pass: 82 % \\(author ada[^\\u001b]*: -9\\)");
    }
  }

  @Test
  void nothing_is_reported_where_nothing_failed_or_nothing_is_known() throws Exception {
    try (var server = StubServer.of(PR.formatted("FAILED"), LOG.formatted("CANCELLED", true, ""))) {
      assertThat(mainstay(server, "pr status 7").out()).doesNotContain("ci/build");
    }
    try (var server =
        new StubServer(
            new Answer(200, PR.formatted("FAILED")), new Answer(404, "{\"detail\":\"None.\"}"))) {
      assertThat(mainstay(server, "pr status 7").exitCode()).isZero();
    }
    try (var server = StubServer.of(PR.formatted("MERGED"))) {
      mainstay(server, "pr status 7");
      assertThat(server.last()).startsWith("getSubmittedPullRequest");
    }
  }

  @Test
  void output_is_followed_to_its_end_and_nothing_is_printed_twice() throws Exception {
    String cut = "[9 bytes of output are left out here]\\n" + "x".repeat(500) + "\\nlast\\n";
    try (var server =
        StubServer.of(
            LOG.formatted("IN_PROGRESS", false, "one\\n"),
            LOG.formatted("IN_PROGRESS", false, "one\\n" + "x".repeat(500) + "\\n"),
            LOG.formatted("FAILED", true, cut))) {
      assertThat(mainstay(server, "pr logs 7 --follow").out())
          .isEqualTo("one\n" + "x".repeat(500) + "\nlast\n");
      assertThat(server.requests()).hasSize(3);
      assertThat(server.last()).contains("\"testRunId\":\"abc-7\"").doesNotContain("\"pr\"");
    }
  }
}
