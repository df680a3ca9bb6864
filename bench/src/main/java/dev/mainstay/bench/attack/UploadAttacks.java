package dev.mainstay.bench.attack;

import dev.mainstay.bench.attack.Attack.Outcome;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Uploads that are meant to keep a node from taking those of others. */
final class UploadAttacks {
  private static final Duration LONGEST_STOP = Duration.ofSeconds(20);
  private static final Duration LONGEST_DELAY = Duration.ofSeconds(20);
  private static final Duration UNDER_WAY = Duration.ofSeconds(2);
  private static final int RIVALS = 2;
  private static final int PUTS = 40;
  private static final long BUNDLE = 60L << 20;
  private static final int MOST_TIMES = 5;
  private static final int WILDCARDS = 30;
  private static final int LONG_NAME = 200;

  private UploadAttacks() {}

  /** Two owners' files whose patterns take for ever, where they are tried one way after another. */
  static Outcome owners(Scene scene) throws Exception {
    Victim victim = scene.victim("--shutdown-grace", "5");
    String pattern = "*a".repeat(WILDCARDS) + "*b @x";
    String file = "a".repeat(LONG_NAME);
    Map<String, String> hostile = files(List.of(testCase("slow", file)), pattern);
    Map<String, String> plain = files(List.of(testCase("adds", "cart.rb")), "");
    long alone = millis(() -> victim.upload("plain", "c0", plain));
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var rivals = new ArrayList<Future<Victim.Answer>>();
      for (int i = 0; i < RIVALS; i++) {
        String repo = "hostile" + i;
        rivals.add(threads.submit(() -> victim.upload(repo, "c0", hostile)));
      }
      Thread.sleep(UNDER_WAY);
      long beside = millis(() -> victim.upload("plain", "c1", plain));
      boolean ended = victim.ends(LONGEST_STOP);
      victim.kill();
      rivals.forEach(rival -> rival.cancel(true));
      return Outcome.of(
          ended && beside < alone + LONGEST_DELAY.toMillis(),
          "an upload beside them: %d ms (alone %d ms); ends on SIGTERM: %s"
              .formatted(beside, alone, ended));
    }
  }

  /** The first upload of a repository, of many tests that all have owners. */
  static Outcome newTests(Scene scene) throws Exception {
    Victim victim = scene.victim();
    int tests = scene.size(5_000, 20_000);
    List<String> cases =
        IntStream.range(0, tests).mapToObj(i -> testCase("t" + i, "src/t" + i + ".rb")).toList();
    String owners =
        IntStream.range(0, 100)
            .mapToObj(i -> "src/t" + i + "* @acme/team" + i)
            .collect(Collectors.joining("\n"));
    victim.upload("warm", "c0", files(cases, owners));
    long without = millis(() -> victim.upload("without", "c0", files(cases, "")));
    long with = millis(() -> victim.upload("with", "c0", files(cases, owners)));
    return Outcome.of(
        with < MOST_TIMES * without,
        "%d new tests: %d ms with owners, %d ms without (x %.1f, at most %d)"
            .formatted(tests, with, without, (double) with / without, MOST_TIMES));
  }

  /** Bundles that nobody signed, sent by many at once. */
  static Outcome bundles(Scene scene) throws Exception {
    Victim victim = scene.victim();
    Map<String, String> plain = files(List.of(testCase("adds", "cart.rb")), "");
    long alone = millis(() -> victim.upload("plain", "c0", plain));
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var puts = new ArrayList<Future<Long>>();
      for (int i = 0; i < PUTS; i++) {
        puts.add(threads.submit(() -> taken(victim)));
      }
      long beside = millis(() -> victim.upload("plain", "c1", plain));
      long most = 0;
      for (Future<Long> put : puts) {
        most = Math.max(most, put.get());
      }
      return Outcome.of(
          most < BUNDLE / 3 && beside < alone + LONGEST_DELAY.toMillis(),
          "of %d MiB that nobody signed at most %d MiB were taken; an upload beside %d of them: %d ms (alone %d ms)"
              .formatted(BUNDLE >> 20, most >> 20, PUTS, beside, alone));
    }
  }

  /** The bytes of an unsigned bundle that went out before the node would have no more. */
  private static long taken(Victim victim) throws IOException {
    long sent = 0;
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), victim.port())) {
      OutputStream out = socket.getOutputStream();
      out.write(
          """
          PUT /bundles?id=00000000-0000-4000-8000-000000000000&expires=9999999999&signature=x HTTP/1.1\r
          Host: localhost\r
          Content-Length: %d\r
          \r
          """
              .formatted(BUNDLE)
              .getBytes(StandardCharsets.US_ASCII));
      for (var piece = new byte[1 << 16]; sent < BUNDLE; sent += piece.length) {
        out.write(piece);
      }
    } catch (SocketException e) {
      // Closed by the node, as it should be.
    }
    return sent;
  }

  private static Map<String, String> files(List<String> cases, String owners) {
    var files = new LinkedHashMap<String, String>();
    files.put("report.xml", "<testsuite name='s'>" + String.join("", cases) + "</testsuite>");
    if (!owners.isEmpty()) {
      files.put("CODEOWNERS", owners + "\n");
    }
    return files;
  }

  private static String testCase(String name, String file) {
    return "<testcase classname='C' name='%s' file='%s' time='0.1'/>".formatted(name, file);
  }

  private interface Call {
    Victim.Answer answer() throws IOException, InterruptedException;
  }

  private static long millis(Call call) throws IOException, InterruptedException {
    long begun = System.nanoTime();
    Victim.Answer answer = call.answer();
    if (answer.status() / 100 != 2) {
      throw new IOException("an upload was refused: " + answer.text());
    }
    return Duration.ofNanos(System.nanoTime() - begun).toMillis();
  }
}
