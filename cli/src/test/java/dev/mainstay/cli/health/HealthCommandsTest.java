package dev.mainstay.cli.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.cli.Cli;
import dev.mainstay.cli.SharedNode;
import dev.mainstay.server.platform.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The commands that look after tests, on a served node. */
class HealthCommandsTest {
  private static final String UPLOAD = "/v1/test-results?repo=github.com/acme/shop&commit=abc";
  private static final String REPORT =
      "<testsuite><testcase name='adds'><flakyFailure message='boom'/></testcase></testsuite>";

  @Test
  void a_team_looks_after_its_tests_from_the_command_line() {
    var node = SharedNode.node();
    String key = SharedNode.newOrganization("healthy");
    assertThat(node.post(UPLOAD, key, REPORT).join().statusCode()).isEqualTo(200);
    String failed = REPORT.replace("flakyFailure", "failure");
    assertThat(node.post(UPLOAD + "&branch=main", key, failed).join().statusCode()).isEqualTo(200);
    assertThat(ran(key, 0, "repo set --quarantining true --stable-branches trunk,rel/*"))
        .contains("quarantining", "true", "trunk,rel/*");
    assertThat(ran(key, 0, "monitor create failure_count --count 1 --name any"))
        .contains("any", "count=1");
    assertThat(ran(key, 0, "monitor list")).contains("Pass on retry", "recovery_days=7");
    assertThat(ran(key, 0, "monitor preview failure_count --count 1")).contains("1 broken", "adds");
    String list = ran(key, 0, "tests list add --json");
    String id = Json.readObject(list.getBytes(StandardCharsets.UTF_8)).at("/tests/0/id").asString();
    assertThat(ran(key, 0, "tests quarantine %s always --reason known".formatted(id)))
        .contains("ALWAYS_QUARANTINE");
    assertThat(ran(key, 0, "tests link %s KEY-7".formatted(id))).contains("/tickets/KEY-7");
    String ends = " always --reason known --after-passes 9 --until-ticket-closed";
    assertThat(ran(key, 0, "tests quarantine " + id + ends)).contains("ALWAYS_QUARANTINE");
    assertThat(ran(key, 0, "repo set --quarantine-cap 7")).containsPattern("quarantine-cap +7");
    assertThat(ran(key, 0, "tests quarantined"))
        .contains(id, "after 9 passes, with KEY-7", "1 tests are quarantined", "at most 7");
    assertThat(ran(key, 0, "repo set --quarantine-cap none"))
        .containsPattern("quarantine-cap +none");
    assertThat(ran(key, 2, "repo set --quarantine-cap some")).contains("a number of tests or none");
    assertThat(ran(key, 0, "tests show " + id))
        .contains("adds", "known", "last failed with: boom", "probability", "Pass on retry");
    assertThat(ran(key, 0, "tests list --owner @nobody --quarantined true --order failed_last"))
        .contains("Of all 1 tests")
        .doesNotContain(id);
    assertThat(ran(key, 0, "tests list --ticket KEY-7 --file * --order failure_rate")).contains(id);
    String runs = ran(key, 0, "tests runs %s --take 2".formatted(id));
    assertThat(runs).contains("failed", "abc", "boom", "There are more: --before ");
    String place = runs.replaceAll("(?s).*--before (\\S+).*", "$1");
    assertThat(ran(key, 0, "tests runs %s --before %s".formatted(id, place)))
        .contains("abc")
        .doesNotContain("There are more");
    assertThat(ran(key, 0, "tests days %s --days 2".formatted(id)).lines()).hasSize(4);
    assertThat(ran(key, 1, "tests days %s --days 91".formatted(id))).contains("days");
    assertThat(ran(key, 1, "tests quarantine %s %s none".formatted(id, new UUID(1, 2))))
        .contains(new UUID(1, 2).toString());
    assertThat(ran(key, 0, "tickets set KEY-7 closed")).contains("KEY-7 is CLOSED.");
    assertThat(ran(key, 0, "tickets show KEY-7")).contains("CLOSED", "github.com/acme/shop", id);
    assertThat(ran(key, 0, "repo summary")).contains("github.com/acme/shop", "QUARANTINED");
    String uploads = ran(key, 0, "uploads list --failed");
    assertThat(uploads).contains("main", "abc");
    String upload = uploads.lines().skip(1).findFirst().orElseThrow().split(" ", 2)[0];
    assertThat(ran(key, 0, "uploads show " + upload)).contains("1 files, 1 tests", id);
    assertThat(ran(key, 0, "uploads list --take 1")).contains("There are more: --before ");
    assertThat(ran(key, 1, "tests link %s seven".formatted(id))).contains("KEY-123");
    assertThat(ran(key, 1, "monitor create moon")).contains("kind:");
    String monitors = ran(key, 0, "monitor list --json");
    String monitor = monitors.replaceAll("(?s).*?\"monitor_id\":\"([^\"]*)\".*", "$1");
    assertThat(ran(key, 2, "monitor set %s --count 3 --stale-hours 4".formatted(monitor)))
        .contains("monitor has no --");
    assertThat(ran("wrong", 1, "tests list")).contains("API key");
  }

  /** Everything a command printed. */
  private static String ran(String key, int exitCode, String command) {
    var ran =
        Cli.in(Path.of("/"))
            .with(Map.of("MAINSTAY_URL", SharedNode.node().url(), "MAINSTAY_API_TOKEN", key))
            .run(command, "--repo", "github.com/acme/shop");
    assertThat(ran.exitCode()).as(ran.toString()).isEqualTo(exitCode);
    return ran.out() + ran.err();
  }
}
