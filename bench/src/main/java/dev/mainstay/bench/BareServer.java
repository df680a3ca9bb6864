package dev.mainstay.bench;

import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import java.nio.charset.StandardCharsets;

/** The HTTP library's hello world: the limit of what a server on it can do. */
final class BareServer {
  private BareServer() {}

  public static void main(String[] args) throws InterruptedException {
    byte[] hello =
        "Hello, world: as many bytes as the other answer has, or nearly so, to be fair."
            .getBytes(StandardCharsets.UTF_8);
    var server =
        WebServer.builder()
            .host("127.0.0.1")
            .port(0)
            .routing(
                HttpRouting.builder().get("/hello", (request, response) -> response.send(hello)))
            .build()
            .start();
    System.out.println("listens on http://127.0.0.1:" + server.port());
    Thread.currentThread().join();
  }
}
