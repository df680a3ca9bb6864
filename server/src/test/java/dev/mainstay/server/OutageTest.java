package dev.mainstay.server;

import static dev.mainstay.server.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.TestNode.Answer;
import dev.mainstay.server.web.Visitor;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class OutageTest {
  @Test
  void without_its_database_a_node_answers_503_and_comes_back_by_itself() throws IOException {
    var address = TestDatabase.empty();
    try (var proxy = new TcpProxy(address, Integer.MAX_VALUE);
        var node = TestNode.start(proxy.through(address), new MovableClock())) {
      var visitor = Visitor.signedIn(node, node.token());
      proxy.cut();
      Answer answer = node.post("/v1/keys/list", node.token(), "{}");
      assertThat(answer.status()).isEqualTo(503);
      assertThat(answer.code()).isEqualTo("unavailable");
      assertThat(answer.header("retry-after")).isEqualTo("2");
      Visitor.Seen page = visitor.look("/");
      assertThat(page.status()).isEqualTo(503);
      assertThat(page.header("retry-after")).isEqualTo("2");
      assertThat(node.get("/readyz", "").code()).isEqualTo("not_ready");
      assertThat(node.get("/healthz", "").status()).isEqualTo(200);
      proxy.restore();
      until(() -> node.post("/v1/keys/list", node.token(), "{}").status(), status -> status == 200);
    }
  }
}
