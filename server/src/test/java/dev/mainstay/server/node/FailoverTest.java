package dev.mainstay.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.Config.Setting;
import dev.mainstay.server.MovableClock;
import dev.mainstay.server.NodeProcess;
import dev.mainstay.server.OpenDirectories;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.Waiting;
import dev.mainstay.server.embedded.ReplicatedPostgres;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.Json;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A PostgreSQL that is lost while a node works on it, and another that takes its place. */
class FailoverTest {
  private static final Map<String, String> SETTINGS =
      Map.of(
          Setting.DATABASE_CONNECTIONS.variable(), "8",
          Setting.WEBHOOK_NETWORKS.variable(), "127.0.0.0/8");

  @Test
  void nothing_that_was_answered_is_lost_and_the_node_goes_on_by_itself() throws Exception {
    try (var postgres = new ReplicatedPostgres();
        var node = NodeProcess.start(postgres.address(), OpenDirectories.create(), SETTINGS)) {
      var clients = new Clients(node.port(), FailoverTest::saysWhenToComeAgain);
      try (var goings = new Goings(clients, node.port())) {
        goings.begin();
        goings.getOn();
        assertThat(clients.passing).isEmpty();
        postgres.killPrimary();
        Waiting.until(() -> clients.passing.size(), some -> some > 3);
        assertThat(clients.status("/readyz")).isEqualTo(503);
        assertThat(clients.status("/healthz")).isEqualTo(200);
        postgres.promote();
        goings.getOn();
        assertThat(clients.status("/readyz")).isEqualTo(200);
        goings.checkAll();
      }
      assertThat(clients.faults).isEmpty();
      assertThat(clients.lost).isEmpty();
      assertThat(node.log()).doesNotContain(" ERROR ");
    }
  }

  @Test
  void a_server_that_has_fallen_silent_is_given_up() throws Exception {
    try (var postgres = new ReplicatedPostgres();
        var node = TestNode.start(impatient(postgres.address()), new MovableClock())) {
      assertThat(keys(node).status()).isEqualTo(200);
      postgres.holdPrimary();
      assertThat(keys(node).code()).isEqualTo("unavailable");
      postgres.promote();
      Waiting.until(() -> keys(node).status(), status -> status == 200);
      Waiting.until(() -> node.get("/readyz", "").status(), status -> status == 200);
    }
  }

  private static Database.Address impatient(Database.Address address) {
    return new Database.Address(
        address.jdbcUrl() + "?socketTimeout=3", address.user(), address.password());
  }

  private static TestNode.Answer keys(TestNode node) {
    return node.post("/v1/keys/list", node.token(), "{}");
  }

  private static boolean saysWhenToComeAgain(HttpResponse<?> answer) {
    return answer.statusCode() == 503
        && answer.headers().firstValue("retry-after").isPresent()
        && (!answer.headers().firstValue("content-type").orElse("").contains("json")
            || code(answer).equals("unavailable"));
  }

  private static String code(HttpResponse<?> answer) {
    return Json.readObject(String.valueOf(answer.body()).getBytes(StandardCharsets.UTF_8))
        .path("code")
        .asString();
  }
}
