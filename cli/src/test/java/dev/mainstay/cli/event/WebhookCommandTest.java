package dev.mainstay.cli.event;

import static dev.mainstay.cli.SharedNode.OPEN_ADDRESS;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.mainstay.cli.Cli;
import dev.mainstay.cli.SharedNode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Endpoints from the command line, on a served node that sends to one private address. */
class WebhookCommandTest {
  @Test
  void a_team_looks_after_its_endpoints_from_the_command_line() throws IOException {
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
    HttpServer receiver = receiver();
    try {
      String address = "http://%s:%d".formatted(OPEN_ADDRESS, receiver.getAddress().getPort());
      ran(key, 0, "webhook set %s --to %s/well".formatted(id, address));
      assertThat(ran(key, 0, "webhook test " + id)).contains("delivered: ");
      ran(key, 0, "webhook set %s --to %s/fails".formatted(id, address));
      assertThat(ran(key, 1, "webhook test " + id)).contains("failed: The endpoint answered 500.");
      assertThat(ran(key, 1, "webhook test --json " + id)).contains("\"outcome\":\"failed\"");
    } finally {
      receiver.stop(0);
    }
    assertThat(ran(key, 0, "webhook delete " + id)).contains("Deleted");
    assertThat(ran(key, 1, "webhook test " + id)).contains("no endpoint");
  }

  private static HttpServer receiver() throws IOException {
    var server = HttpServer.create(new InetSocketAddress(OPEN_ADDRESS, 0), 10);
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            exchange.getRequestBody().readAllBytes();
            boolean fails = exchange.getRequestURI().getPath().equals("/fails");
            exchange.sendResponseHeaders(fails ? 500 : 204, -1);
          }
        });
    server.start();
    return server;
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
