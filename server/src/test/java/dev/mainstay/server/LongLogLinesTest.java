package dev.mainstay.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Nothing that a client sent is in the log as long as it was sent. */
class LongLogLinesTest {
  private static final int LONGEST_LINE = 2_500;

  @Test
  void a_long_path_makes_no_long_line_in_the_log() throws IOException {
    NodeProcess node = NodeProcess.start(List.of(NodeProcess.java(), "-Xmx256m"), Map.of());
    try (node) {
      assertThat(get(node, "/" + "x".repeat(7_000))).startsWith("HTTP/1.1 404 ");
      assertThat(get(node, "/" + "y".repeat(60_000))).startsWith("HTTP/1.1 414 ");
    }
    assertThat(node.log().lines())
        .anyMatch(line -> line.contains("GET /xxx") && line.contains("characters more"))
        .anyMatch(line -> line.contains("GET /yyy"))
        .allMatch(line -> line.length() < LONGEST_LINE);
  }

  private static String get(NodeProcess node, String path) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), node.port())) {
      String request = "GET %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".formatted(path);
      socket.getOutputStream().write(request.getBytes(UTF_8));
      return new String(socket.getInputStream().readAllBytes(), UTF_8);
    }
  }
}
