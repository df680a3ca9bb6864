package dev.mainstay.server.health.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.server.TestNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Bodies of callers who have proven nothing: bundles to an address of nobody, and hooks. */
class UnsignedBundleTest {
  private static final int LIMIT_MILLIS = 300_000;
  private static final int MIB = 1024 * 1024;
  private static final String PUT =
      "PUT /bundles?id=00000000-0000-0000-0000-000000000000&expires=99999999999&signature=x"
          + " HTTP/1.1\r\nHost: x\r\n";

  private static TestNode node;
  private final List<Socket> open = new ArrayList<>();

  @BeforeAll
  static void start() {
    node = TestNode.start();
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  @AfterEach
  void hangUp() throws IOException {
    for (Socket socket : open) {
      socket.close();
    }
  }

  @Test
  void they_take_no_room_that_others_need() throws IOException {
    for (int i = 0; i < crowd(); i++) {
      Socket socket = connect();
      write(socket, PUT + "Transfer-Encoding: chunked\r\n\r\n10\r\nnever");
      assertThat(new String(socket.getInputStream().readNBytes(13), UTF_8))
          .isEqualTo("HTTP/1.1 403 ");
    }
    assertThat(largeRequest().status()).isEqualTo(200);
  }

  @Test
  void hooks_that_never_end_take_no_room_that_others_need() throws IOException {
    for (int i = 0; i < crowd(); i++) {
      write(
          connect(),
          "POST /hooks/github HTTP/1.1\r\nHost: x\r\nContent-Length: "
              + 20 * MIB
              + "\r\n\r\nnever");
    }
    // All of these have been heard when one that came later was.
    assertThat(node.get("/healthz", "").status()).isEqualTo(200);
    assertThat(largeRequest().status()).isEqualTo(200);
  }

  /** As many as would fill all the memory there is for bodies. */
  private static long crowd() {
    return Runtime.getRuntime().maxMemory() / 4 / (20 * MIB) + 8;
  }

  private static TestNode.Answer largeRequest() {
    return node.post(
        "/v1/keys/list",
        node.token(),
        "application/json",
        BodyPublishers.ofString("{\"x\":\"%s\"}".formatted("y".repeat(20 * MIB - 100))));
  }

  @Test
  void they_are_refused_before_they_are_sent() throws IOException {
    Socket socket = connect();
    write(socket, PUT + "Content-Length: " + 60 * MIB + "\r\nExpect: 100-continue\r\n\r\n");
    assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8))
        .startsWith("HTTP/1.1 403 ")
        .contains("\"address_refused\"");
  }

  @Test
  void a_client_that_sends_on_and_on_is_not_listened_to() throws IOException {
    Socket socket = connect();
    write(socket, PUT + "Content-Length: " + 60 * MIB + "\r\n\r\n");
    byte[] block = new byte[MIB];
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 60; i++) {
                socket.getOutputStream().write(block);
              }
            })
        .isInstanceOf(IOException.class);
  }

  private Socket connect() throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), node.port());
    open.add(socket);
    socket.setSoTimeout(LIMIT_MILLIS);
    return socket;
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(UTF_8));
  }
}
