package dev.mainstay.cli.demo;

import dev.mainstay.cli.api.ApiClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;

/**
 * The other half: the author's CI ran the tests of the flaky pull request twice on the same commit,
 * once red and once green, and sends both reports.
 */
final class FlakyTest {
  private static final Duration LONGEST = Duration.ofSeconds(60);
  private static final Duration LOOK_EVERY = Duration.ofMillis(200);

  private final ApiClient client;
  private final ShopRepository shop;
  private final Path directory;
  private final PrintWriter out;

  FlakyTest(ApiClient client, ShopRepository shop, Path directory, PrintWriter out) {
    this.client = client;
    this.shop = shop;
    this.directory = directory;
    this.out = out;
  }

  void show(Map<String, Object> repo) throws IOException, InterruptedException {
    String commit = shop.head(Shop.FLAKY);
    Path checkout = directory.resolve("ci");
    shop.checkOut(commit, checkout);
    Files.createDirectories(directory.resolve("ci-state"));
    for (int attempt = 1; attempt <= 2; attempt++) {
      upload(
          Map.of(
              "repo",
              "demo.local/acme/shop",
              "branch",
              "morning",
              "commit",
              commit,
              "pr",
              String.valueOf(Shop.FLAKY),
              "attempt",
              String.valueOf(attempt)),
          report(checkout, attempt));
    }
    JsonNode test = judged(repo);
    out.printf(
        "%nThe CI of #%d ran twice on one commit and sent both reports. Mainstay's judgement:%n%n",
        Shop.FLAKY);
    out.printf(
        "  %s is %s: %s%n",
        test.path("name").asString(),
        test.path("status").path("value").asString(),
        test.path("status").path("reason").asString());
    out.flush();
  }

  private void upload(Map<String, String> about, byte[] report) {
    try {
      client.upload(about, List.of(), report, sent -> {});
    } catch (ApiClient.Unreachable e) {
      throw new IllegalStateException("The report was not sent", e);
    }
  }

  private byte[] report(Path checkout, int attempt) throws IOException, InterruptedException {
    Path report = directory.resolve("report-" + attempt + ".xml");
    var tests = new ProcessBuilder("./run-tests").directory(checkout.toFile());
    tests.environment().put("REPORT", report.toString());
    tests.environment().put("STATE", directory.resolve("ci-state").toString());
    tests.environment().put("MAINSTAY_PULL_REQUESTS", String.valueOf(Shop.FLAKY));
    tests.redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor();
    return Files.readAllBytes(report);
  }

  /** The judgement follows the upload within seconds. */
  private JsonNode judged(Map<String, Object> repo) {
    Instant now = Instant.now();
    var query =
        Map.of(
            "repo", repo,
            "org_url_slug", "default",
            "start_time", now.minus(Duration.ofDays(1)).toString(),
            "end_time", now.plus(Duration.ofMinutes(5)).toString(),
            "page_query", Map.of("page_size", 10));
    JsonNode test = client.post("flaky-tests/list-failing-tests", query).path("tests").path(0);
    Instant end = now.plus(LONGEST);
    while (!test.path("status").path("value").asString().equals("flaky")
        && Instant.now().isBefore(end)) {
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
      test = client.post("flaky-tests/list-failing-tests", query).path("tests").path(0);
    }
    return test;
  }
}
