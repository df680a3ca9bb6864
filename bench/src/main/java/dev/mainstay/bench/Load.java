package dev.mainstay.bench;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Sends the same request over and over on a few connections, and counts the answers. */
final class Load {
  private static final int CONNECTIONS = 16;

  private Load() {}

  /** Requests answered with 200 in the given time. */
  static long run(int port, String request, Duration time) throws Exception {
    byte[] bytes = request.getBytes(StandardCharsets.US_ASCII);
    long end = System.nanoTime() + time.toNanos();
    Callable<Long> client = () -> client(port, bytes, end);
    try (var threads = Executors.newFixedThreadPool(CONNECTIONS)) {
      var running = new ArrayList<Future<Long>>();
      for (int i = 0; i < CONNECTIONS; i++) {
        running.add(threads.submit(client));
      }
      long answers = 0;
      for (var one : running) {
        answers += one.get();
      }
      return answers;
    }
  }

  private static long client(int port, byte[] request, long end) throws IOException {
    long answers = 0;
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setTcpNoDelay(true);
      var in = new BufferedInputStream(socket.getInputStream());
      while (System.nanoTime() < end) {
        socket.getOutputStream().write(request);
        readAnswer(in);
        answers++;
      }
    }
    return answers;
  }

  private static void readAnswer(InputStream in) throws IOException {
    String status = readLine(in);
    if (!status.startsWith("HTTP/1.1 200")) {
      throw new IOException(status);
    }
    int length = 0;
    for (String line = readLine(in); !line.isEmpty(); line = readLine(in)) {
      if (line.regionMatches(true, 0, "content-length:", 0, 15)) {
        length = Integer.parseInt(line.substring(15).strip());
      }
    }
    in.skipNBytes(length);
  }

  private static String readLine(InputStream in) throws IOException {
    var line = new StringBuilder(64);
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException();
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }
}
