package dev.mainstay.server.platform.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that are refused are told why, byte by byte over a socket, and then let go. */
class RefusedRequestTest {
  private static final int LIMIT_MILLIS = 300_000;
  private static final int MIB = 1024 * 1024;
  private HttpServer server;

  @BeforeEach
  void start() {
    var caller = new Caller(1, "default", new UUID(0, 1), Set.of(Scope.READ));
    server =
        HttpServer.start(
            new HttpServer.Options(
                "127.0.0.1", 0, 50, Duration.ofSeconds(15), Duration.ofSeconds(10)),
            List.of(
                V1.surface(token -> token.equals("good") ? Optional.of(caller) : Optional.empty()),
                Surface.open()),
            List.of(
                Route.get("/ping", request -> Reply.text(200, "pong")),
                Route.post("/v1/json", Scope.READ, request -> Reply.json(named(request))),
                Route.post(
                    "/v1/bytes",
                    Scope.READ,
                    request -> Reply.text(200, "bytes: " + request.bytes().length))));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void http_1_0_is_told_what_to_set_in_a_proxy() throws IOException {
    for (String path : List.of("/ping", "/v1/json")) {
      assertThat(send("GET %s HTTP/1.0\r\nHost: x\r\nx-api-token: good\r\n\r\n".formatted(path)))
          .startsWith("HTTP/1.1 505 ")
          .contains("application/problem+json")
          .contains("http_version_not_supported")
          .contains("proxy_http_version 1.1");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hello\r\n\r\n",
        "hello world\n\n",
        "a b c\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "GET /ping HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n",
        "\u0016\u0003\u0001\u0000 no line at all, as TLS begins",
        "\u0000"
      })
  void garbage_is_told_so(String garbage) throws IOException {
    assertThat(send(garbage)).startsWith("HTTP/1.1 400 ").contains("\"malformed_request\"");
  }

  @Test
  void headers_that_are_too_large_are_called_that_with_a_good_key_and_without_one()
      throws IOException {
    for (int size : List.of(17_000, 60_000, 500_000)) {
      for (String key : List.of("x-api-token: good\r\n", "")) {
        String large = "X: " + "y".repeat(size) + "\r\n";
        assertThat(send("GET /v1/json HTTP/1.1\r\nHost: x\r\n" + key + large + "\r\n"))
            .startsWith("HTTP/1.1 431 ")
            .contains("\"headers_too_large\"")
            .contains("16 KiB");
      }
    }
    assertThat(
            send(
                "GET /ping HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX: %s\r\n\r\n"
                    .formatted("y".repeat(16_000))))
        .startsWith("HTTP/1.1 200 ");
  }

  @Test
  void a_request_line_that_is_too_long_is_called_that() throws IOException {
    for (int size : List.of(9_000, 100_000)) {
      assertThat(
              send(
                  "GET /v1/json?q=%s HTTP/1.1\r\nHost: x\r\nx-api-token: good\r\n\r\n"
                      .formatted("y".repeat(size))))
          .startsWith("HTTP/1.1 414 ")
          .contains("\"uri_too_long\"")
          .contains("8 KiB");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"json", "application/", "/", "application/json/x", "text/plain", ";"})
  void another_content_type_is_415_and_so_is_one_that_cannot_be_read(String type)
      throws IOException {
    assertThat(post("/v1/json", "{}".getBytes(StandardCharsets.UTF_8), "Content-Type: " + type))
        .startsWith("HTTP/1.1 415 ")
        .contains("\"unsupported_media_type\"");
  }

  @Test
  void a_gzip_body_is_taken() throws IOException {
    byte[] packed = gzip("{\"name\":\"caf\u00e9\"}".getBytes(StandardCharsets.UTF_8));
    for (String encoding : List.of("gzip", "GZIP", "x-gzip")) {
      assertThat(post("/v1/json", packed, json(), "Content-Encoding: " + encoding))
          .startsWith("HTTP/1.1 200 ")
          .endsWith("{\"name\":\"caf\u00e9\"}");
    }
    assertThat(
            post(
                "/v1/json",
                "{}".getBytes(StandardCharsets.UTF_8),
                json(),
                "Content-Encoding: identity"))
        .startsWith("HTTP/1.1 200 ");
  }

  @Test
  void a_gzip_body_may_unpack_to_20_MiB_and_no_further() throws IOException {
    String encoding = "Content-Encoding: gzip";
    assertThat(post("/v1/bytes", gzip(new byte[20 * MIB]), encoding))
        .startsWith("HTTP/1.1 200 ")
        .endsWith("bytes: " + 20 * MIB);
    assertThat(post("/v1/bytes", gzip(new byte[20 * MIB + 1]), encoding))
        .startsWith("HTTP/1.1 413 ")
        .contains("\"body_too_large\"");
  }

  @Test
  void a_body_that_only_claims_to_be_gzip_is_refused() throws IOException {
    byte[] whole = gzip("{\"name\":\"x\"}".getBytes(StandardCharsets.UTF_8));
    for (byte[] body :
        List.of(
            "{}".getBytes(StandardCharsets.UTF_8),
            Arrays.copyOf(whole, whole.length - 9),
            Arrays.copyOf(whole, 5))) {
      assertThat(post("/v1/json", body, json(), "Content-Encoding: gzip"))
          .startsWith("HTTP/1.1 400 ")
          .contains("\"invalid_encoding\"");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"br", "deflate", "zstd", "gzip, gzip", "identity, gzip", "nonsense"})
  void another_encoding_is_415(String encoding) throws IOException {
    for (String path : List.of("/v1/json", "/v1/bytes")) {
      assertThat(post(path, new byte[] {'{', '}'}, json(), "Content-Encoding: " + encoding))
          .startsWith("HTTP/1.1 415 ")
          .contains("\"unsupported_encoding\"");
    }
  }

  @Test
  void the_key_comes_before_the_encoding() throws IOException {
    assertThat(
            send(
                "POST /v1/json HTTP/1.1\r\nHost: x\r\nContent-Encoding: br\r\n"
                    + "Content-Length: 2\r\nConnection: close\r\n\r\n{}"))
        .startsWith("HTTP/1.1 401 ");
  }

  @Test
  void a_key_comes_in_either_header_and_ours_wins() throws IOException {
    assertThat(keyed("Authorization: Bearer good")).startsWith("HTTP/1.1 200 ");
    assertThat(keyed("authorization: bearer  good")).startsWith("HTTP/1.1 200 ");
    assertThat(keyed("x-api-token: good\r\nAuthorization: Bearer bad")).startsWith("HTTP/1.1 200 ");
    assertThat(keyed("x-api-token: bad\r\nAuthorization: Bearer good"))
        .startsWith("HTTP/1.1 401 ")
        .contains("WWW-Authenticate: Bearer realm=\"mainstay\"\r\n");
    assertThat(keyed("Authorization: Basic good")).startsWith("HTTP/1.1 401 ");
  }

  private static Object named(Request request) {
    var in = request.fields();
    var name = in.optionalText("name", 100).orElse("");
    in.check();
    return java.util.Map.of("name", name);
  }

  private static String json() {
    return "Content-Type: application/json";
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    var out = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    }
    return out.toByteArray();
  }

  private String keyed(String header) throws IOException {
    return send(
        "POST /v1/json HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            + header
            + "\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}");
  }

  private String post(String path, byte[] body, String... headers) throws IOException {
    String head =
        "POST %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\nx-api-token: good\r\nContent-Length: %d\r\n%s\r\n\r\n"
            .formatted(path, body.length, String.join("\r\n", headers));
    var request = new ByteArrayOutputStream();
    request.writeBytes(head.getBytes(StandardCharsets.UTF_8));
    request.writeBytes(body);
    return send(request.toByteArray());
  }

  private String send(String request) throws IOException {
    return send(request.getBytes(StandardCharsets.UTF_8));
  }

  /** Everything the server says until it closes the connection. */
  private String send(byte[] request) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(LIMIT_MILLIS);
      socket.getOutputStream().write(request);
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
