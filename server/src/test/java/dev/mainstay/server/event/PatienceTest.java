package dev.mainstay.server.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.server.platform.Network;
import dev.mainstay.server.platform.OpenNetworks;
import dev.mainstay.server.platform.http.OutgoingHttp;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
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
        var http = new OutgoingHttp(OPEN);
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

  /** Answers two connections once each as if more could follow, and closes the third at once. */
  private static boolean answerOnceAConnection(ServerSocket server) throws Exception {
    for (int i = 0; i < 3; i++) {
      try (var socket = server.accept()) {
        socket.getInputStream().read(new byte[1 << 14]);
        if (i < 2) {
          socket.getOutputStream().write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        }
      }
    }
    return true;
  }

  private static OutgoingHttp.Answer post(OutgoingHttp http, String address)
      throws OutgoingHttp.NoAnswer {
    return http.post(URI.create(address), Map.of(), new byte[] {'{', '}'});
  }
}
