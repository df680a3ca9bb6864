package dev.mainstay.server.event;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.server.platform.Network;
import dev.mainstay.server.platform.OpenNetworks;
import dev.mainstay.server.platform.http.OutgoingHttp;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Receivers that never answer, and those that hang up. */
class PatienceTest {
  private static final OpenNetworks OPEN = OpenNetworks.closedBut("X", Network.list("127.0.0.0/8"));

  @Test
  void whoever_never_answers_is_given_up_and_nobody_waits_for_them() throws Exception {
    assertThat(OutgoingHttp.LONGEST).isEqualTo(Duration.ofSeconds(15));
    var ends = new CountDownLatch(1);
    try (var receiver = new Receiver();
        var http = new OutgoingHttp(OPEN, Duration.ofSeconds(1));
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      receiver.behave(
          "/never",
          (exchange, got) -> {
            try {
              ends.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
      var hangs = threads.submit(() -> post(http, receiver.address("/never")));
      receiver.await("/never", 1);
      assertThat(post(http, receiver.address("/well")).status()).isEqualTo(204);
      assertThat(hangs.isDone()).isFalse();
      assertThatThrownBy(() -> hangs.get(1, TimeUnit.MINUTES))
          .rootCause()
          .isInstanceOf(OutgoingHttp.NoAnswer.class)
          .hasMessage("No answer within 1 seconds.");
      ends.countDown();
    }
  }

  @Test
  void whoever_hangs_up_is_told_so_and_the_next_event_gets_a_connection_of_its_own()
      throws Exception {
    try (var server = new ServerSocket(0);
        var http = new OutgoingHttp(OPEN, Duration.ofSeconds(5));
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var served = threads.submit(() -> answerOnceAConnection(server));
      String address = "http://127.0.0.1:" + server.getLocalPort() + "/x";
      assertThat(post(http, address).status()).isEqualTo(200);
      assertThat(post(http, address).status()).as("on another connection").isEqualTo(200);
      assertThatThrownBy(() -> post(http, address))
          .hasMessage("The connection was closed before an answer came.");
      served.get(1, TimeUnit.MINUTES);
    }
  }

  /** Answers one request on each of two connections that stay open, and closes the third. */
  private static boolean answerOnceAConnection(ServerSocket server) throws Exception {
    try (var first = server.accept();
        var second = answered(first, server);
        var third = answered(second, server)) {
      return third.getInputStream().read(new byte[1 << 14]) > 0;
    }
  }

  private static Socket answered(Socket socket, ServerSocket server) throws Exception {
    byte[] answer = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n".getBytes(US_ASCII);
    assertThat(socket.getInputStream().read(new byte[1 << 14])).isPositive();
    socket.getOutputStream().write(answer);
    return server.accept();
  }

  private static OutgoingHttp.Answer post(OutgoingHttp http, String address)
      throws OutgoingHttp.NoAnswer {
    return http.post(URI.create(address), Map.of(), new byte[] {'{', '}'});
  }
}
