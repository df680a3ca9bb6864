package dev.mainstay.server.platform.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients that do not behave, byte by byte over a socket. */
class RawRequestTest {
  private static final int LIMIT_MILLIS = 300_000;
  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);
  private HttpServer server;

  @BeforeEach
  void start() {
    var caller = new Caller(1, "default", new UUID(0, 1), Set.of(Scope.READ));
    server =
        HttpServer.start(
            new HttpServer.Options(
                "127.0.0.1", 0, 50, Duration.ofMillis(1500), Duration.ofSeconds(10)),
            List.of(
                V1.surface(token -> token.equals("good") ? Optional.of(caller) : Optional.empty()),
                Surface.open()),
            List.of(
                Route.get("/ping", request -> Reply.text(200, "pong")),
                Route.get("/slow", request -> waited()),
                Route.get("/large", request -> Reply.text(200, "x".repeat(50_000_000))),
                Route.get("/broken", request -> broken()),
                Route.post("/v1/echo", Scope.READ, request -> echo(request.fields()))));
  }

  @AfterEach
  void stop() {
    release.countDown();
    server.close();
  }

  @Test
  void headers_that_never_end_close_the_connection() throws IOException {
    assertThat(send("GET /ping HTTP/1.1\r\nHost: x\r\nX-Slow: ")).isEmpty();
  }

  @Test
  void a_body_that_never_comes_closes_the_connection() throws IOException {
    assertThat(
            send(
                post("x-api-token: good", "Content-Type: application/json", "Content-Length: 10")
                    + "{"))
        .isEmpty();
  }

  @Test
  void a_client_that_does_not_read_its_answer_is_let_go() throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      write(socket, "GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
      // The answer does not fit into the buffers; only a closed connection ends this.
      assertThatThrownBy(() -> writeForever(socket)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void a_refusal_comes_at_once_when_the_client_waits_to_be_asked_for_its_body() throws IOException {
    String answer =
        send(post("Content-Type: application/json", "Content-Length: 10", "Expect: 100-continue"));
    assertThat(answer).startsWith("HTTP/1.1 401 ").doesNotContain("100 Continue");
  }

  @Test
  void what_is_not_http_gets_a_problem_document() throws IOException {
    for (String request :
        List.of(
            "GET /ping HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
            "GET /ping HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n",
            "GET /ping HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
            "GET /ping HTTP/1.1\r\nHost: x\r\nX: " + "y".repeat(20_000) + "\r\n\r\n")) {
      assertThat(send(request))
          .startsWith("HTTP/1.1 4")
          .contains("application/problem+json")
          .containsIgnoringCase("x-request-id");
    }
  }

  @Test
  void a_body_beyond_all_bounds_is_refused_after_the_key() throws IOException {
    String length = "Content-Length: 1000000000000\r\n\r\n";
    assertThat(send("POST /v1/echo HTTP/1.1\r\nHost: x\r\n" + length)).contains(" 401 ");
    assertThat(send("POST /v1/echo HTTP/1.1\r\nHost: x\r\nx-api-token: good\r\n" + length))
        .startsWith("HTTP/1.1 413 ")
        .contains("body_too_large");
  }

  @Test
  void a_client_that_sends_all_its_chunks_before_it_reads_gets_its_answer() throws IOException {
    String head =
        post("x-api-token: good", "Content-Type: application/json", "Transfer-Encoding: chunked");
    String chunk = "10000\r\n" + "x".repeat(0x10000) + "\r\n";
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(LIMIT_MILLIS);
      write(socket, head);
      for (int i = 0; i < 24 * 16; i++) {
        write(socket, chunk);
      }
      write(socket, "0\r\n\r\n");
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(answer).startsWith("HTTP/1.1 413 ");
    }
  }

  @Test
  void a_failure_of_ours_tells_nothing_of_the_inside() throws IOException {
    assertThat(send("GET /broken HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
        .startsWith("HTTP/1.1 500 ")
        .contains("internal_error")
        .doesNotContain("secret")
        .doesNotContain("Exception");
  }

  @Test
  void stopping_finishes_what_is_in_flight() throws Exception {
    var answer =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return send("GET /slow HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
              } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
              }
            });
    entered.await();
    var stopped = CompletableFuture.runAsync(server::close);
    release.countDown();
    assertThat(answer.get()).startsWith("HTTP/1.1 200 ").endsWith("done");
    stopped.get();
  }

  private Reply waited() {
    entered.countDown();
    try {
      release.await();
    } catch (InterruptedException e) {
      return Reply.text(500, "interrupted");
    }
    return Reply.text(200, "done");
  }

  private static Reply broken() {
    throw new IllegalStateException("secret SELECT");
  }

  private static Reply echo(Fields fields) {
    fields.check();
    return Reply.nothing();
  }

  private static String post(String... headers) {
    return "POST /v1/echo HTTP/1.1\r\nHost: x\r\n" + String.join("\r\n", headers) + "\r\n\r\n";
  }

  /** Everything the server says until it closes the connection. */
  private String send(String request) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(LIMIT_MILLIS);
      write(socket, request);
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
  }

  private static void writeForever(Socket socket) throws IOException {
    byte[] bytes = new byte[64 * 1024];
    while (true) {
      socket.getOutputStream().write(bytes);
    }
  }
}
