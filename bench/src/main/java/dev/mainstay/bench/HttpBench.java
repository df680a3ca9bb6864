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
 * and processor time per request, in alternating rounds; {@code /v1/whoami} beside them. Also the
 * time of a start, and memory.
 */
final class HttpBench {
  private static final int ROUNDS = 7;
  private static final Duration WARM_UP = Duration.ofSeconds(12);
  private static final Duration ROUND = Duration.ofSeconds(3);
  private static final double NO_OP_REQUIRED = 0.80;
  private static final double WHOLE_REQUIRED = 0.90;

  private HttpBench() {}

  static void run() throws Exception {
    Path directory = Files.createTempDirectory("mainstay-bench");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    try {
      String token = starts(directory);
      try (var bare = new ServerProcess(BareServer.class);
          var noOp = new ServerProcess(NoOpServer.class, directory.toString())) {
        compare("authenticated no-op", NO_OP_REQUIRED, bare, noOp, request("/v1/nothing", token));
      }
      try (var bare = new ServerProcess(BareServer.class);
          var whole = serve(directory)) {
        System.out.printf(
            "memory at rest: %d MiB resident, bare library %d MiB%n",
            whole.residentMebibytes(), bare.residentMebibytes());
        String whoami = request("/v1/whoami", token);
        compare("/v1/whoami of the whole service", WHOLE_REQUIRED, bare, whole, whoami);
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

  private static String request(String path, String token) {
    return "GET %s HTTP/1.1\r\nHost: localhost\r\nx-api-token: %s\r\n\r\n".formatted(path, token);
  }

  private static void compare(
      String what, double required, ServerProcess bare, ServerProcess ours, String request)
      throws Exception {
    String hello = request("/hello", "x".repeat(47));
    Load.run(bare.port(), hello, WARM_UP);
    Load.run(ours.port(), request, WARM_UP);
    var throughput = new ArrayList<Double>();
    var processor = new ArrayList<Double>();
    for (int i = 0; i < ROUNDS; i++) {
      Round limit = round(bare, hello);
      Round own = round(ours, request);
      throughput.add(own.perSecond() / limit.perSecond());
      processor.add(own.microsPerRequest() / limit.microsPerRequest());
      System.out.printf(
          "  round %d: bare %.0f/s at %.1f us of CPU, ours %.0f/s at %.1f us%n",
          i + 1,
          limit.perSecond(),
          limit.microsPerRequest(),
          own.perSecond(),
          own.microsPerRequest());
    }
    System.out.printf(
        "%s against the bare library: throughput %.0f %% (at least %.0f %% wanted), CPU per request x %.2f%n",
        what, 100 * median(throughput), 100 * required, median(processor));
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
