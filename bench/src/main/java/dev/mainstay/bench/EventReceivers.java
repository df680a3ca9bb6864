package dev.mainstay.bench;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Endpoints for events, each at a port of its own: healthy ones; slow ones; dead ones, of which
 * every second refuses connections and the others take them and never answer.
 */
final class EventReceivers implements Closeable {
  private static final Duration SLOW = Duration.ofSeconds(5);

  /** What a healthy endpoint does with what it gets; the time is the system's nanoseconds. */
  interface Hearer {
    void hear(int endpoint, HttpExchange exchange, byte[] body, long at);
  }

  private final List<Closeable> open = new ArrayList<>();
  private final List<String> addresses = new ArrayList<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private volatile Hearer hearer = (endpoint, exchange, body, at) -> {};

  /** So many groups of endpoints, of which each has one that is dead and one that is slow. */
  EventReceivers(int groups, int ofEach) throws IOException {
    for (int group = 0; group < groups; group++) {
      addresses.add(group % 2 == 0 ? refusing() : silent());
      addresses.add(answering(SLOW, false));
      for (int i = 2; i < ofEach; i++) {
        addresses.add(answering(Duration.ZERO, true));
      }
    }
  }

  /** The addresses, one group after the other. */
  List<String> addresses() {
    return List.copyOf(addresses);
  }

  /** From now on this one hears what healthy endpoints get. */
  void hear(Hearer next) {
    hearer = next;
  }

  /** A port that is taken, and where nobody listens. */
  private String refusing() throws IOException {
    var socket = new Socket();
    open.add(socket);
    socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    return address(socket.getLocalPort());
  }

  private String silent() throws IOException {
    var socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    open.add(socket);
    return address(socket.getLocalPort());
  }

  private String answering(Duration after, boolean heard) throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    int endpoint = addresses.size();
    server.setExecutor(threads);
    server.createContext("/", exchange -> answer(exchange, endpoint, after, heard));
    server.start();
    open.add(() -> server.stop(0));
    return address(server.getAddress().getPort());
  }

  private void answer(HttpExchange exchange, int endpoint, Duration after, boolean heard)
      throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      if (heard) {
        hearer.hear(endpoint, exchange, body, System.nanoTime());
      }
      Thread.sleep(after);
      exchange.sendResponseHeaders(204, -1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String address(int port) {
    return "http://127.0.0.1:%d/events".formatted(port);
  }

  @Override
  public void close() throws IOException {
    for (Closeable one : open) {
      one.close();
    }
    threads.shutdownNow();
  }
}
