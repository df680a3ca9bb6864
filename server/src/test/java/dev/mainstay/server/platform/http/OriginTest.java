package dev.mainstay.server.platform.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.platform.Network;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The address by which a client asks, over HTTP and from this machine. */
class OriginTest {
  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  void a_trusted_proxy_is_believed_and_nobody_else_is() throws Exception {
    try (var server = server("127.0.0.0/8")) {
      String own = "http://127.0.0.1:" + server.port();
      assertThat(origin(server)).isEqualTo(own);
      assertThat(origin(server, "x-forwarded-proto", "https"))
          .isEqualTo(own.replace("http:", "https:"));
      assertThat(origin(server, "X-Forwarded-Proto", "HTTPS", "X-Forwarded-Host", "ci.example"))
          .isEqualTo("https://ci.example");
      assertThat(
              origin(
                  server,
                  "x-forwarded-proto",
                  "https",
                  "x-forwarded-host",
                  "ci.example",
                  "x-forwarded-port",
                  "443"))
          .isEqualTo("https://ci.example");
      assertThat(origin(server, "x-forwarded-host", "ci.example", "x-forwarded-port", "8443"))
          .isEqualTo("http://ci.example:8443");
      assertThat(
              origin(
                  server,
                  "forwarded",
                  "for=192.0.2.4;Proto=https;host=\"ci.example:8443\";by=10.0.0.1"))
          .isEqualTo("https://ci.example:8443");
    }
    try (var server = server("10.0.0.0/8")) {
      assertThat(
              origin(
                  server,
                  "x-forwarded-proto",
                  "https",
                  "x-forwarded-host",
                  "ci.example",
                  "forwarded",
                  "proto=https;host=ci.example"))
          .isEqualTo("http://127.0.0.1:" + server.port());
    }
  }

  @Test
  void what_stood_there_before_the_proxy_came_does_not_count_nor_does_nonsense() throws Exception {
    try (var server = server("127.0.0.1")) {
      String own = "http://127.0.0.1:" + server.port();
      assertThat(origin(server, "x-forwarded-host", "evil.example, ci.example"))
          .isEqualTo("http://ci.example");
      assertThat(
              origin(server, "x-forwarded-host", "evil.example", "x-forwarded-host", "ci.example"))
          .isEqualTo("http://ci.example");
      assertThat(
              origin(
                  server, "forwarded", "proto=http;host=evil.example, proto=https;host=ci.example"))
          .isEqualTo("https://ci.example");
      assertThat(
              origin(
                  server,
                  "x-forwarded-host",
                  "ci.example/path?@evil",
                  "x-forwarded-proto",
                  "javascript",
                  "forwarded",
                  "host=\"a b\";proto"))
          .isEqualTo(own);
    }
  }

  private static HttpServer server(String trusted) {
    return HttpServer.start(
        new HttpServer.Options(
            "127.0.0.1",
            0,
            new Places(50, Network.list(trusted)),
            Memory.ofProcess(),
            new Traffic(),
            Duration.ofSeconds(15),
            Duration.ofSeconds(10)),
        List.of(Surface.open()),
        List.of(Route.get("/origin", request -> Reply.text(200, request.origin().toString()))));
  }

  private String origin(HttpServer server, String... headers) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/origin".formatted(server.port())));
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return client.send(request.build(), BodyHandlers.ofString()).body();
  }
}
