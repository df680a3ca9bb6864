package dev.mainstay.cli.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.cli.Cli;
import dev.mainstay.cli.SharedNode;
import dev.mainstay.server.platform.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
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
    assertThat(ran(key, 0, "tests show " + id))
        .contains("adds", "known", "boom", "probability", "Pass on retry");
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
