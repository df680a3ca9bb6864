package dev.mainstay.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.Config.Setting;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.Waiting;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LeavingTest {
  @Test
  void a_node_that_leaves_says_so_first_and_goes_on_for_a_while_without_keeping_connections()
      throws InterruptedException {
    try (var node = TestNode.start(Map.of(Setting.SHUTDOWN_DELAY, "3600"))) {
      assertThat(node.get("/readyz", "").status()).isEqualTo(200);
      assertThat(node.get("/healthz", "").header("connection")).isNotEqualTo("close");
      var closing = Thread.ofPlatform().start(node::close);
      var refused = Waiting.until(() -> node.get("/readyz", ""), answer -> answer.status() != 200);
      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.code()).isEqualTo("leaving");
      var answer =
          Waiting.until(() -> whoami(node), last -> last.header("connection").equals("close"));
      assertThat(answer.status()).isEqualTo(200);
      assertThat(whoami(node).status()).isEqualTo(200);
      closing.interrupt();
      closing.join();
    }
  }

  private static TestNode.Answer whoami(TestNode node) {
    return node.get("/v1/whoami", node.token());
  }
}
