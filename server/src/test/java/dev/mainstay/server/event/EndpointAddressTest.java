package dev.mainstay.server.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.TestNode;
import dev.mainstay.server.platform.Network;
import dev.mainstay.server.platform.OpenNetworks;
import dev.mainstay.server.platform.http.OutgoingHttp;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses that nobody is sent to, by whatever name or spelling. */
class EndpointAddressTest {
  private static final OpenNetworks CLOSED =
      OpenNetworks.closedBut("MAINSTAY_WEBHOOK_NETWORKS", List.of());

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "localhost",
        "0.0.0.0",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "100.64.0.1",
        "169.254.169.254",
        "224.0.0.1",
        "2130706433",
        "0x7f.1",
        "[::1]",
        "[::]",
        "[fe80::1]",
        "[fd00::1]",
        "[ff02::1]",
        "[::ffff:127.0.0.1]",
        "[::127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "[64:ff9b:1::7f00:1]",
        "[2002:7f00:1::]",
        "[2001:0:1:1:0:0:80ff:fffe]"
      })
  void an_address_of_this_machine_or_a_private_network_is_refused(String host) {
    assertThat(CLOSED.look(host, OptionalInt.of(80)).fault()).as(host).isPresent();
  }

  @ParameterizedTest
  @ValueSource(strings = {"192.0.2.1", "[2001:db8::1]", "[64:ff9b::c000:201]", "[2002:c000:201::]"})
  void a_public_address_is_not(String host) {
    assertThat(CLOSED.look(host, OptionalInt.of(80)).fault()).as(host).isEmpty();
  }

  @Test
  void the_address_that_is_connected_to_is_checked_whatever_was_known_before() throws Exception {
    var loopback = Network.list("127.0.0.0/8");
    try (var receiver = new Receiver();
        var open = new OutgoingHttp(OpenNetworks.closedBut("X", loopback));
        var closed = new OutgoingHttp(CLOSED)) {
      var here = URI.create("http://localhost:%d/x".formatted(receiver.port()));
      assertThat(open.post(here, Map.of(), new byte[0]).status()).isEqualTo(204);
      assertThat(refusal(closed, here)).contains("MAINSTAY_WEBHOOK_NETWORKS");
      assertThat(refusal(closed, URI.create(receiver.address("/x")))).contains("127.0.0.1");
      assertThat(receiver.at("/x")).hasSize(1);
    }
  }

  private static String refusal(OutgoingHttp http, URI uri) {
    try {
      return "It answered " + http.post(uri, Map.of(), new byte[0]).status();
    } catch (OutgoingHttp.NoAnswer e) {
      return e.sentence();
    }
  }

  @Test
  void an_endpoint_at_a_refused_address_is_not_made_and_an_answer_has_a_size() throws IOException {
    try (var node = TestNode.start(EventScene.OPEN);
        var receiver = new Receiver()) {
      for (String url :
          List.of(
              "http://10.0.0.1/x",
              "http://169.254.169.254/latest",
              "http://127.0.0.1:%d/v1/whoami".formatted(node.port()),
              "http://localhost:%d/v1/whoami".formatted(node.port()),
              "ftp://a.example/x",
              "http://user@a.example/x")) {
        var answer =
            node.post("/v1/webhooks/create", node.token(), "{\"url\":\"%s\"}".formatted(url));
        assertThat(answer.status()).as(url).isEqualTo(400);
        assertThat(answer.json().at("/errors/0/field").asString()).isEqualTo("url");
      }
      receiver.behave(
          "/long",
          (exchange, got) -> {
            exchange.sendResponseHeaders(200, 0);
            for (int i = 0; i < 1000; i++) {
              exchange.getResponseBody().write("x".repeat(1000).getBytes(StandardCharsets.UTF_8));
            }
          });
      var made =
          node.post(
              "/v1/webhooks/create",
              node.token(),
              "{\"url\":\"%s\"}".formatted(receiver.address("/long")));
      String id = made.json().at("/webhook/id").asString();
      var attempt =
          node.post("/v1/webhooks/test", node.token(), "{\"id\":\"%s\"}".formatted(id))
              .json()
              .path("attempt");
      assertThat(attempt.path("outcome").asString()).isEqualTo("delivered");
      assertThat(attempt.path("response").asString()).hasSize(4096);
    }
  }
}
