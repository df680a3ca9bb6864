package dev.mainstay.bench.attack;

import dev.mainstay.bench.Waiting;
import dev.mainstay.bench.attack.Attack.Outcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Requests and connections that are meant to shut others out. */
final class DoorAttacks {
  private static final int PLACES = 40;
  private static final int SILENT = 45;
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(60);
  private static final int BODIES = 10;
  private static final int KEYS = 1_300_000;
  private static final int LONG_TEXT = 15_000;

  private DoorAttacks() {}

  /** Small keys by the million, which take many times their size where they are made a tree. */
  static Outcome memory(Scene scene) throws Exception {
    // As on a machine on which all of them can be read at the same time.
    String cores = "-Djdk.virtualThreadScheduler.parallelism=" + BODIES;
    Victim victim = scene.victim(Map.of("JAVA_TOOL_OPTIONS", cores));
    Queue queue = Queue.on(victim, scene.repository("memory"), "memory", "true");
    byte[] body = manyKeys();
    int answered = 0;
    try (var threads = Executors.newFixedThreadPool(BODIES)) {
      List<Callable<Integer>> calls = new ArrayList<>();
      for (int i = 0; i < BODIES; i++) {
        calls.add(() -> victim.post("getQueue", body).status());
      }
      for (Future<Integer> status : threads.invokeAll(calls)) {
        try {
          answered += status.get() < 600 ? 1 : 0;
        } catch (ExecutionException e) {
          // Not answered: the connection broke.
        }
      }
    }
    if (!victim.isAlive()) {
      victim.startAgain();
      return Outcome.of(
          queue.works(1), "the node ended by itself, and works after it was started again");
    }
    boolean ready = victim.get("/readyz").status() == 200;
    boolean works = queue.works(1);
    return Outcome.of(
        answered == BODIES && ready && works,
        "%d of %d answered, %d MiB; ready: %s; a change lands: %s"
            .formatted(answered, BODIES, victim.residentMebibytes(), ready, works));
  }

  private static byte[] manyKeys() {
    var text = new StringBuilder("{\"_\":0");
    for (int i = 0; i < KEYS; i++) {
      text.append(",\"").append(Integer.toString(i, Character.MAX_RADIX)).append("\":0");
    }
    return text.append('}').toString().getBytes(StandardCharsets.US_ASCII);
  }

  /** More connections than there are places, which never say anything, from one address. */
  static Outcome silence(Scene scene) throws Exception {
    Victim victim = scene.victim("--max-connections", String.valueOf(PLACES));
    var open = new ArrayList<Socket>();
    try {
      for (int i = 0; i < SILENT; i++) {
        var socket = new Socket();
        socket.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.2"), 0));
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), victim.port()));
        open.add(socket);
      }
      long begun = System.nanoTime();
      int status = victim.get("/readyz").status();
      long millis = Duration.ofNanos(System.nanoTime() - begun).toMillis();
      boolean closed = Waiting.until(() -> areClosed(open), LONGEST_SILENCE);
      return Outcome.of(
          status == 200 && millis < 10_000 && closed,
          "%d connections for %d places: another address is answered %d after %d ms; they are closed: %s"
              .formatted(SILENT, PLACES, status, millis, closed));
    } finally {
      for (Socket socket : open) {
        socket.close();
      }
    }
  }

  private static boolean areClosed(List<Socket> sockets) throws IOException {
    for (Socket socket : sockets) {
      socket.setSoTimeout(1);
      try {
        socket.getInputStream().skip(Long.MAX_VALUE); // Those who were refused were told why.
        if (socket.getInputStream().read() >= 0) {
          return false;
        }
      } catch (SocketTimeoutException e) {
        return false;
      } catch (IOException e) {
        // Reset by the other side: closed as well.
      }
    }
    return true;
  }

  /** Chunks as few clients send them, and as none may. */
  static Outcome chunks(Scene scene) throws Exception {
    Victim victim = scene.victim();
    String extension = status(victim, "2;name=value\r\n{}\r\n0\r\n\r\n");
    String trailer = status(victim, "2\r\n{}\r\n0\r\nX-Checked: yes\r\n\r\n");
    String bad = status(victim, "zz\r\n{}\r\n0\r\n\r\n");
    String endless = status(victim, "ffffffffffffffff\r\n{}\r\n0\r\n\r\n");
    long before = Files.size(scene.directory().resolve("log"));
    victim.get("/v1/" + "x".repeat(LONG_TEXT / 2));
    victim.post(
        "x".repeat(LONG_TEXT / 3),
        ("{\"" + "y".repeat(LONG_TEXT) + "\":").getBytes(StandardCharsets.US_ASCII));
    long logged = Files.size(scene.directory().resolve("log")) - before;
    return Outcome.of(
        extension.equals("200")
            && trailer.equals("200")
            && bad.equals("400")
            && endless.startsWith("4")
            && logged < LONG_TEXT / 2,
        "extension %s, trailer %s, bad %s, endless %s; %d bytes in the log for 3 long requests"
            .formatted(extension, trailer, bad, endless, logged));
  }

  private static String status(Victim victim, String chunks) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), victim.port())) {
      socket.setSoTimeout(30_000);
      String head =
          """
          POST /v1/listQueues HTTP/1.1\r
          Host: localhost\r
          x-api-token: %s\r
          Content-Type: application/json\r
          Transfer-Encoding: chunked\r
          \r
          """
              .formatted(Victim.TOKEN);
      socket.getOutputStream().write((head + chunks).getBytes(StandardCharsets.US_ASCII));
      String line = new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
      return line.length() == 12 ? line.substring(9) : "none";
    }
  }
}
