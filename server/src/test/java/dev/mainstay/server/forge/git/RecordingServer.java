package dev.mainstay.server.forge.git;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A server on a port of its own that remembers what it was asked, and by which credentials. */
public final class RecordingServer implements AutoCloseable {
  /** A question, with what its Authorization header said. */
  public record Asked(String path, String credentials) {}

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Asked> asked = new CopyOnWriteArrayList<>();

  public RecordingServer(HttpHandler answers) {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    server.setExecutor(threads);
    server.createContext(
        "/",
        exchange -> {
          String credentials =
              Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"))
                  .orElse("");
          asked.add(new Asked(exchange.getRequestURI().getPath(), credentials));
          try (exchange) {
            answers.handle(exchange);
          }
        });
    server.start();
  }

  /** One that sends everybody to the same path at another address. */
  public static RecordingServer pointingTo(String address) {
    return new RecordingServer(
        exchange -> {
          exchange.getResponseHeaders().set("Location", address + exchange.getRequestURI());
          exchange.sendResponseHeaders(exchange.getRequestMethod().equals("GET") ? 302 : 307, -1);
        });
  }

  public int port() {
    return server.getAddress().getPort();
  }

  public String address() {
    return "http://127.0.0.1:" + port();
  }

  public List<Asked> asked() {
    return asked;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
