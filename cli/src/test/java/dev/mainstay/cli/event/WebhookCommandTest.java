package dev.mainstay.cli.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.cli.Cli;
import dev.mainstay.cli.SharedNode;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Endpoints from the command line, on a served node that sends to no private network. */
class WebhookCommandTest {
  @Test
  void a_team_looks_after_its_endpoints_from_the_command_line() {
    String key = SharedNode.newOrganization("telling");
    String made =
        ran(key, 0, "webhook create http://192.0.2.1/hook --name deploys --kinds queue.*");
    assertThat(made).contains("deploys", "queue.paused", "whsec_").doesNotContain("test_case");
    assertThat(ran(key, 1, "webhook create http://127.0.0.1/hook"))
        .contains("MAINSTAY_WEBHOOK_NETWORKS");
    String id = made.lines().skip(1).findFirst().orElseThrow().split(" ", 2)[0];
    assertThat(
            ran(key, 0, "webhook set %s --format slack --only github.com/acme/shop".formatted(id)))
        .contains("slack");
    assertThat(ran(key, 0, "webhook set %s --enabled false".formatted(id))).contains(" off ");
    assertThat(ran(key, 0, "webhook list")).contains(id, "deploys").doesNotContain("whsec_");
    assertThat(ran(key, 0, "webhook rotate %s --grace 1h".formatted(id))).contains("whsec_");
    assertThat(ran(key, 0, "webhook attempts %s --take 5".formatted(id))).contains("OUTCOME");
    assertThat(ran(key, 0, "webhook replay %s --since 2h".formatted(id))).contains(": 0.");
    assertThat(ran(key, 1, "webhook replay %s --attempt %s".formatted(id, new UUID(1, 2))))
        .contains("no attempt");
    assertThat(ran(key, 0, "webhook delete " + id)).contains("Deleted");
    assertThat(ran(key, 1, "webhook test " + id)).contains("no endpoint");
  }

  private static String ran(String key, int exitCode, String command) {
    var ran =
        Cli.in(Path.of("/"))
            .with(Map.of("MAINSTAY_URL", SharedNode.node().url(), "MAINSTAY_API_TOKEN", key))
            .run(command);
    assertThat(ran.exitCode()).as(ran.toString()).isEqualTo(exitCode);
    return ran.out() + ran.err();
  }
}
