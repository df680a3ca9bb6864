package dev.mainstay.server.platform.http;

import static dev.mainstay.server.Waiting.until;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Answers that wait for their readers take of the memory for bodies. */
class AnswersInFlightTest {
  private static final int LIMIT_MILLIS = 300_000;
  private static final int MIB = 1024 * 1024;

  /** More than a connection takes in while nobody reads. */
  private static final String LARGE = "x".repeat(40 * MIB);

  @Test
  void an_answer_that_finds_no_room_beside_those_that_nobody_reads_is_503() throws IOException {
    var memory = new Memory(4 * 50L * MIB);
    try (var server = start(memory)) {
      try (var deaf = ask(server)) {
        assertThat(status(deaf)).isEqualTo("HTTP/1.1 200 ");
        assertThat(memory.freeForBodies()).isEqualTo(10L * MIB);
        try (var next = ask(server)) {
          assertThat(status(next)).isEqualTo("HTTP/1.1 503 ");
          assertThat(new String(next.getInputStream().readAllBytes(), UTF_8))
              .contains("Retry-After: 2\r\n")
              .contains("\"busy\"");
        }
      }
      until(memory::freeForBodies, free -> free == 50L * MIB);
      try (var last = ask(server)) {
        assertThat(status(last)).isEqualTo("HTTP/1.1 200 ");
      }
    }
  }

  private static HttpServer start(Memory memory) {
    return HttpServer.start(
        new HttpServer.Options(
            "127.0.0.1",
            0,
            new Places(10, List.of()),
            memory,
            new Traffic(),
            Duration.ofSeconds(60),
            Duration.ofSeconds(1)),
        List.of(Surface.open()),
        List.of(Route.get("/large", request -> Reply.text(200, LARGE))));
  }

  private static Socket ask(HttpServer server) throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    socket.setSoTimeout(LIMIT_MILLIS);
    socket
        .getOutputStream()
        .write("GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".getBytes(UTF_8));
    return socket;
  }

  private static String status(Socket socket) throws IOException {
    return new String(socket.getInputStream().readNBytes(13), UTF_8);
  }
}
