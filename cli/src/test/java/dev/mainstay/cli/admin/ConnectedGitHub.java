package dev.mainstay.cli.admin;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** As much of a GitHub as it takes to connect a repository to it as an App. */
final class ConnectedGitHub implements AutoCloseable {
  private final HttpServer http;

  ConnectedGitHub() throws IOException {
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    http.createContext("/", ConnectedGitHub::answer);
    http.start();
  }

  String address() {
    return "http://127.0.0.1:" + http.getAddress().getPort();
  }

  private static void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body =
          body(exchange.getRequestURI().getPath().replaceFirst("^/api/v3", ""))
              .getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("x-github-enterprise-version", "3.17");
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  /** Git is answered as by a server of plain files. */
  private static String body(String path) {
    if (path.endsWith(".git/info/refs")) {
      return "%s\trefs/heads/main\n".formatted("a".repeat(40));
    }
    if (path.endsWith(".git/HEAD")) {
      return "ref: refs/heads/main\n";
    }
    if (path.endsWith("/pulls")) {
      return "[]";
    }
    if (path.endsWith("/installation")) {
      return "{\"id\":1,\"app_slug\":\"mainstay\",\"permissions\":{\"contents\":\"write\"}}";
    }
    return path.endsWith("/access_tokens")
        ? "{\"token\":\"t\",\"expires_at\":\"2999-01-01T00:00:00Z\"}"
        : "{}";
  }

  @Override
  public void close() {
    http.stop(0);
  }
}
