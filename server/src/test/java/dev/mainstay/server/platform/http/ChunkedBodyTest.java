package dev.mainstay.server.platform.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies in chunks, byte by byte over a socket: what HTTP allows is taken, the rest is 400. */
class ChunkedBodyTest {
  private static final int LIMIT_MILLIS = 300_000;
  private HttpServer server;

  @BeforeEach
  void start() {
    server =
        HttpServer.start(
            new HttpServer.Options(
                "127.0.0.1", 0, 50, Duration.ofSeconds(15), Duration.ofSeconds(10)),
            List.of(Surface.open()),
            List.of(
                Route.put("/bytes", request -> Reply.json(Map.of("length", length(request)))),
                Route.put("/deaf", request -> Reply.text(200, "not read"))));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "5\r\nhello\r\n0\r\n\r\n",
        "0005\r\nhello\r\n000\r\n\r\n",
        "2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n",
        "5;name=value\r\nhello\r\n0;last\r\n\r\n",
        "5 ; name=\"a; b\"\r\nhello\r\n0\r\n\r\n",
        "5\r\nhello\r\n0\r\nExpires: never\r\nX-Sum: 1\r\n\r\n"
      })
  void chunks_may_have_extensions_and_trailers(String body) throws IOException {
    assertThat(put("/bytes", body)).startsWith("HTTP/1.1 200 ").endsWith("{\"length\":5}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x\r\nhello\r\n0\r\n\r\n",
        "-5\r\nhello\r\n0\r\n\r\n",
        "0x5\r\nhello\r\n0\r\n\r\n",
        "\r\nhello\r\n0\r\n\r\n",
        "5\nhello\n0\n\n",
        "5\r\nhello!\r\n0\r\n\r\n",
        "4\r\nhello\r\n0\r\n\r\n",
        "ffffffffffffffff\r\nhello\r\n0\r\n\r\n",
        "5\r\nhello\r\n0\r\nno trailer\r\n\r\n",
        "5\r\nhello\r\n",
        "9\r\nhello"
      })
  void broken_chunks_are_400(String body) throws IOException {
    assertThat(put("/bytes", body)).startsWith("HTTP/1.1 400 ").contains("\"malformed_request\"");
  }

  @Test
  void a_line_without_end_and_trailers_without_number_are_400() throws IOException {
    for (String body :
        List.of(
            "5;" + "x".repeat(100_000),
            "5\r\nhello\r\n0\r\n" + "X-Trailer: again\r\n".repeat(10_000) + "\r\n",
            ("1;" + "x".repeat(1_000) + "\r\na\r\n").repeat(100) + "0\r\n\r\n")) {
      assertThat(put("/bytes", body)).startsWith("HTTP/1.1 400 ").contains("\"malformed_request\"");
    }
  }

  @Test
  void a_body_that_is_shorter_than_announced_is_400() throws IOException {
    assertThat(send("PUT /bytes HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhello"))
        .startsWith("HTTP/1.1 400 ")
        .contains("\"malformed_request\"");
  }

  @Test
  void a_client_that_waits_to_be_asked_is_asked() throws IOException {
    String head =
        String.join(
            "\r\n",
            "PUT /bytes HTTP/1.1",
            "Host: x",
            "Transfer-Encoding: chunked",
            "Expect: 100-continue",
            "\r\n");
    assertThat(send(head + "5\r\nhello\r\n0\r\n\r\n"))
        .startsWith("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 ")
        .endsWith("{\"length\":5}");
  }

  @Test
  void chunks_that_nobody_wanted_do_not_keep_the_answer_from_the_client() throws IOException {
    String chunk = "10000\r\n" + "x".repeat(0x10000) + "\r\n";
    assertThat(put("/deaf", chunk.repeat(30) + "0\r\n\r\n"))
        .startsWith("HTTP/1.1 200 ")
        .endsWith("not read");
  }

  private static int length(Request request) {
    return request.bytes().length;
  }

  private String put(String path, String body) throws IOException {
    return send(
        "PUT %s HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n%s".formatted(path, body));
  }

  /** Everything the server says to a client that has nothing more to send. */
  private String send(String request) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(LIMIT_MILLIS);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
      socket.shutdownOutput();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
