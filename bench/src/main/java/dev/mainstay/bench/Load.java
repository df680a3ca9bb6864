package dev.mainstay.bench;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Sends requests over and over on a few connections, and counts the answers. */
final class Load {
  private static final int FEW = 16;

  private Load() {}

  /** The answers to a load: how many, in which time, and how long 99 of 100 took at most. */
  record Rates(long answers, Duration time, Duration p99) {
    double perSecond() {
      return answers / (time.toNanos() / 1e9);
    }
  }

  /** Requests answered with 200 in the given time. */
  static long run(int port, String request, Duration time) throws Exception {
    return measure(port, List.of(request), FEW, time).answers();
  }

  /** Sends these requests in turn; the connections begin at different ones. */
  static Rates measure(int port, List<String> requests, int connections, Duration time)
      throws Exception {
    List<byte[]> bytes = requests.stream().map(r -> r.getBytes(StandardCharsets.US_ASCII)).toList();
    long end = System.nanoTime() + time.toNanos();
    try (var threads = Executors.newFixedThreadPool(connections)) {
      var running = new ArrayList<Future<int[]>>();
      for (int i = 0; i < connections; i++) {
        int first = i * bytes.size() / connections;
        running.add(threads.submit(() -> client(port, bytes, first, end)));
      }
      int[] micros = new int[0];
      for (var one : running) {
        int[] more = one.get();
        int known = micros.length;
        micros = Arrays.copyOf(micros, known + more.length);
        System.arraycopy(more, 0, micros, known, more.length);
      }
      Arrays.sort(micros);
      int p99 = micros.length == 0 ? 0 : micros[(int) (micros.length * 0.99)];
      return new Rates(micros.length, time, Duration.of(p99, ChronoUnit.MICROS));
    }
  }

  /** The time of each answer in microseconds. */
  private static int[] client(int port, List<byte[]> requests, int first, long end)
      throws IOException {
    int[] micros = new int[1024];
    int answers = 0;
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setTcpNoDelay(true);
      var answer = new Answer(socket.getInputStream());
      for (long now = System.nanoTime(); now < end; ) {
        socket.getOutputStream().write(requests.get((first + answers) % requests.size()));
        answer.read();
        long then = System.nanoTime();
        if (answers == micros.length) {
          micros = Arrays.copyOf(micros, answers * 2);
        }
        micros[answers++] = (int) ((then - now) / 1000);
        now = then;
      }
    }
    return Arrays.copyOf(micros, answers);
  }

  /**
   * Reads answers at as little cost as can be, since the load shares its processors with what it
   * measures: the headers are looked through once, in place.
   */
  static final class Answer {
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
      skip(headers + contentLength(headers) - filled);
    }

    private void skip(int left) throws IOException {
      while (left > 0) {
        int read = in.read(buffer, 0, Math.min(left, buffer.length));
        if (read < 0) {
          throw new EOFException();
        }
        left -= read;
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

    /** True where this text, written in lower case or as it is, stands at this place. */
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
