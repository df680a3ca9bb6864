package dev.mainstay.bench;

import dev.mainstay.cli.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * An authenticated request that does nothing, against the bare library's hello world: throughput
 * and processor time per request, in alternating rounds. Also the time of a start, and memory.
 */
final class HttpBench {
  private static final int ROUNDS = 7;
  private static final Duration WARM_UP = Duration.ofSeconds(8);
  private static final Duration ROUND = Duration.ofSeconds(3);
  private static final double REQUIRED = 0.80;

  private HttpBench() {}

  static void run() throws Exception {
    Path directory = Files.createTempDirectory("mainstay-bench");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    try {
      String token = starts(directory);
      try (var bare = new ServerProcess(BareServer.class);
          var ours = serve(directory)) {
        System.out.printf(
            "memory at rest: %d MiB resident, bare library %d MiB%n",
            ours.residentMebibytes(), bare.residentMebibytes());
        compare(bare, ours, token);
      }
    } finally {
      delete(directory);
    }
  }

  /** Times the first start, which makes a database, and a later one. */
  private static String starts(Path directory) throws IOException {
    long begin = System.nanoTime();
    String token;
    try (var first = serve(directory)) {
      System.out.printf("first start to the first answer: %.1f s%n", seconds(begin));
      token = first.lines().getLast().replaceAll(".* ", "");
    }
    begin = System.nanoTime();
    try (var later = serve(directory)) {
      System.out.printf("later start to the first answer: %.1f s%n", seconds(begin));
      return later.port() > 0 ? token : "";
    }
  }

  private static void compare(ServerProcess bare, ServerProcess ours, String token)
      throws Exception {
    String hello = "GET /hello HTTP/1.1\r\nHost: localhost\r\nx-api-token: " + token + "\r\n\r\n";
    String whoami = hello.replace("/hello", "/v1/whoami");
    Load.run(bare.port(), hello, WARM_UP);
    Load.run(ours.port(), whoami, WARM_UP);
    var throughput = new ArrayList<Double>();
    var processor = new ArrayList<Double>();
    for (int i = 0; i < ROUNDS; i++) {
      Round limit = round(bare, hello);
      Round own = round(ours, whoami);
      throughput.add(own.perSecond() / limit.perSecond());
      processor.add(limit.microsPerRequest() / own.microsPerRequest());
      System.out.printf(
          "  round %d: bare %.0f/s at %.0f us of CPU, ours %.0f/s at %.0f us%n",
          i + 1,
          limit.perSecond(),
          limit.microsPerRequest(),
          own.perSecond(),
          own.microsPerRequest());
    }
    System.out.printf(
        "authenticated no-op against the bare library: throughput %.0f %% (required: %.0f %%), processor time %.0f %%%n",
        100 * median(throughput), 100 * REQUIRED, 100 * median(processor));
  }

  private record Round(double perSecond, double microsPerRequest) {}

  private static Round round(ServerProcess server, String request) throws Exception {
    double before = server.cpuSeconds();
    long answers = Load.run(server.port(), request, ROUND);
    double used = server.cpuSeconds() - before;
    return new Round(answers / (double) ROUND.toSeconds(), used * 1_000_000 / answers);
  }

  private static ServerProcess serve(Path directory) throws IOException {
    return new ServerProcess(
        Main.class, "serve", "--host", "127.0.0.1", "--port", "0", "--data-dir", "" + directory);
  }

  private static double seconds(long begin) {
    return (System.nanoTime() - begin) / 1e9;
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
  }

  private static void delete(Path directory) throws IOException {
    try (var files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
