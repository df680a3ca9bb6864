package dev.mainstay.bench;

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
      var answer = new Answer(socket.getInputStream());
      while (System.nanoTime() < end) {
        socket.getOutputStream().write(request);
        answer.read();
        answers++;
      }
    }
    return answers;
  }

  /**
   * Reads answers at as little cost as can be, since the load shares its processors with what it
   * measures: the headers are looked through once, in place.
   */
  private static final class Answer {
    private static final byte[] OK = "HTTP/1.1 200".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] LENGTH = "content-length:".getBytes(StandardCharsets.US_ASCII);

    private final InputStream in;
    private final byte[] buffer = new byte[64 * 1024];
    private int filled;

    Answer(InputStream in) {
      this.in = in;
    }

    /** One answer; the next one is not asked for before this one is whole. */
    void read() throws IOException {
      filled = 0;
      int headers = 0;
      while (headers == 0) {
        fill();
        headers = endOfHeaders();
      }
      if (!startsWith(OK, 0)) {
        throw new IOException(new String(buffer, 0, headers, StandardCharsets.US_ASCII));
      }
      int whole = headers + contentLength(headers);
      while (filled < whole) {
        fill();
      }
    }

    private void fill() throws IOException {
      int read = in.read(buffer, filled, buffer.length - filled);
      if (read < 0) {
        throw new EOFException();
      }
      filled += read;
    }

    private int endOfHeaders() {
      for (int i = 3; i < filled; i++) {
        if (buffer[i] == '\n' && buffer[i - 2] == '\n') {
          return i + 1;
        }
      }
      return 0;
    }

    private int contentLength(int headers) {
      for (int i = 1; i < headers; i++) {
        if (buffer[i - 1] == '\n' && startsWith(LENGTH, i)) {
          return number(i + LENGTH.length);
        }
      }
      return 0;
    }

    private int number(int at) {
      int value = 0;
      for (int i = at; buffer[i] != '\r'; i++) {
        value = buffer[i] == ' ' ? value : value * 10 + buffer[i] - '0';
      }
      return value;
    }

    /** Whether this text, written in lower case or as it is, stands at this place. */
    private boolean startsWith(byte[] text, int at) {
      for (int i = 0; i < text.length; i++) {
        byte b = buffer[at + i];
        if (b != text[i] && (b | 0x20) != text[i]) {
          return false;
        }
      }
      return true;
    }
  }
}
