package dev.mainstay.server.platform.http;

import static dev.mainstay.server.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.Config.Setting;
import dev.mainstay.server.TestNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients that take places and say nothing, or take more places than are theirs. */
class CrowdedDoorTest {
  /** Less than the library alone lets a silent connection live. */
  private static final int LIMIT_MILLIS = 45_000;

  private static final int PLACES = 8;
  private static final String PING = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";

  private final List<Socket> open = new ArrayList<>();

  @AfterEach
  void hangUp() throws IOException {
    for (Socket socket : open) {
      socket.close();
    }
  }

  @Test
  void a_connection_that_says_nothing_is_closed_and_so_is_one_that_falls_silent()
      throws IOException {
    try (var server = impatient()) {
      for (String beginning : List.of("", "GET /hea", "GET /healthz HTTP/1.1\r\nHost:")) {
        Socket silent = connect("127.0.0.1", server.port());
        write(silent, beginning);
        assertThat(silent.getInputStream().readAllBytes()).as(beginning).isEmpty();
      }
    }
  }

  @Test
  void a_connection_that_is_kept_open_is_closed_when_no_further_request_comes() throws IOException {
    try (var server = impatient()) {
      Socket idle = connect("127.0.0.1", server.port());
      write(idle, PING);
      assertThat(new String(idle.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .startsWith("HTTP/1.1 200 ");
    }
  }

  @Test
  void one_address_gets_half_of_the_places_and_others_the_rest() throws IOException {
    try (var node = crowded(Map.of())) {
      for (int i = 0; i < PLACES / 2; i++) {
        assertThat(asks(connect("127.0.0.2", node.port()))).startsWith("HTTP/1.1 200 ");
      }
      for (int i = 0; i < 2 * PLACES; i++) {
        Socket refused = connect("127.0.0.2", node.port());
        String answer = new String(refused.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(answer)
            .startsWith("HTTP/1.1 503 ")
            .contains("Retry-After: ")
            .contains("\"too_many_connections\"");
      }
      assertThat(asks(connect("127.0.0.3", node.port()))).startsWith("HTTP/1.1 200 ");
      assertThat(node.get("/metrics", "").body())
          .contains("mainstay_connections_refused_total{reason=\"address\"} " + 2 * PLACES + "\n")
          .contains("mainstay_connections_limit{} " + PLACES + "\n");
      open.removeFirst().close();
      until(
          () -> asks(connect("127.0.0.2", node.port())),
          answer -> answer.startsWith("HTTP/1.1 200 "));
    }
  }

  @Test
  void a_trusted_proxy_may_take_all_places() throws IOException {
    try (var node = crowded(Map.of(Setting.TRUSTED_PROXIES, "10.0.0.0/8, 127.0.0.2/31"))) {
      for (int i = 0; i < PLACES; i++) {
        assertThat(asks(connect("127.0.0.3", node.port()))).startsWith("HTTP/1.1 200 ");
      }
    }
  }

  private static TestNode crowded(Map<Setting, String> settings) {
    var all = new java.util.EnumMap<Setting, String>(Setting.class);
    all.put(Setting.MAX_CONNECTIONS, "" + PLACES);
    all.putAll(settings);
    return TestNode.start(all);
  }

  private static HttpServer impatient() {
    return HttpServer.start(
        new HttpServer.Options("127.0.0.1", 0, 50, Duration.ofMillis(500), Duration.ofSeconds(10)),
        List.of(Surface.open()),
        List.of(Route.get("/healthz", request -> Reply.text(200, "ok"))));
  }

  private Socket connect(String from, int port) throws IOException {
    var socket = new Socket();
    open.add(socket);
    socket.setSoTimeout(LIMIT_MILLIS);
    socket.bind(new InetSocketAddress(from, 0));
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), LIMIT_MILLIS);
    return socket;
  }

  /** The beginning of the answer; the connection stays open. */
  private static String asks(Socket socket) throws IOException {
    write(socket, PING);
    return new String(socket.getInputStream().readNBytes(13), StandardCharsets.UTF_8);
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
  }
}
