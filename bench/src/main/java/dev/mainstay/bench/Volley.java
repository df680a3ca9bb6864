package dev.mainstay.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Connections that stay open, over which each of some requests is sent once. */
final class Volley implements AutoCloseable {
  private final List<Socket> sockets = new ArrayList<>();
  private final ExecutorService threads;

  Volley(int port, int connections) throws IOException {
    for (int i = 0; i < connections; i++) {
      var socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setTcpNoDelay(true);
      sockets.add(socket);
    }
    threads = Executors.newFixedThreadPool(connections);
  }

  /** The time until all are answered with 200; each connection takes the next when it is free. */
  Duration send(List<String> requests) throws Exception {
    List<byte[]> bytes = requests.stream().map(r -> r.getBytes(StandardCharsets.US_ASCII)).toList();
    var next = new AtomicInteger();
    long begun = System.nanoTime();
    var running = new ArrayList<Future<?>>();
    for (Socket socket : sockets) {
      running.add(threads.submit(() -> send(socket, bytes, next)));
    }
    for (var one : running) {
      one.get();
    }
    return Duration.ofNanos(System.nanoTime() - begun);
  }

  private static Void send(Socket socket, List<byte[]> requests, AtomicInteger next)
      throws IOException {
    var answer = new Load.Answer(socket.getInputStream());
    for (int i = next.getAndIncrement(); i < requests.size(); i = next.getAndIncrement()) {
      socket.getOutputStream().write(requests.get(i));
      answer.read();
    }
    return null;
  }

  @Override
  public void close() throws IOException {
    threads.shutdown();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
