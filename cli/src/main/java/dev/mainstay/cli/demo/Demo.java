package dev.mainstay.cli.demo;

import dev.mainstay.cli.api.ApiClient;
import dev.mainstay.cli.demo.Shop.PullRequest;
import dev.mainstay.cli.queue.RunReport;
import dev.mainstay.cli.shell.Shell;
import dev.mainstay.server.platform.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** The course of the demo, in the order it is seen. */
final class Demo {
  private static final Map<String, Object> REPO =
      Map.of("host", "demo.local", "owner", "acme", "name", "shop");
  private static final Duration LONGEST = Duration.ofMinutes(10);
  private static final int ENOUGH_UNDER_TEST = 3;

  private final ApiClient client;
  private final Path directory;
  private final double pause;
  private final PrintWriter out;
  private final boolean terminal;
  private final long begun = System.nanoTime();

  Demo(ApiClient client, Path directory, double pause, Shell shell) {
    this.client = client;
    this.directory = directory;
    this.pause = pause;
    this.out = shell.out();
    this.terminal = shell.isTerminal();
  }

  /** Shows it all; false when it was told to stop before the end. */
  boolean show(CountDownLatch stop) throws IOException, InterruptedException {
    ShopRepository shop = ShopRepository.create(directory.resolve("shop.git"));
    Path state = Files.createDirectories(directory.resolve("state"));
    // Test commands may run as a user of their own.
    Files.setPosixFilePermissions(state, PosixFilePermissions.fromString("rwxrwxrwx"));
    introduce(shop);
    connect(shop, state);
    Shop.pullRequests().forEach(this::setTargets);
    Shop.pullRequests().stream().filter(pr -> pr.number() != Shop.URGENT).forEach(this::submit);
    if (!watch(stop)) {
      return false;
    }
    conclude(shop);
    new FlakyTest(client, shop, directory, out).show(REPO);
    invite();
    return true;
  }

  private void introduce(ShopRepository shop) {
    out.printf(
        "%nWatch it in a browser, signed in:%n  %s/sign-in?to=/default/demo.local/acme/shop/queues/main#%s%n",
        client.server(), client.token());
    out.printf("%nThe API listens on %s/v1, and the key is %s%n", client.server(), client.token());
    out.printf("The repository is %s; its open pull requests:%n%n", shop.directory());
    for (PullRequest pr : Shop.pullRequests()) {
      out.printf("  #%-3d %-36s %s%n", pr.number(), pr.title(), pr.story());
    }
    out.printf("%nThey go through a parallel queue with four slots and optimistic merging.%n%n");
    out.flush();
  }

  private void connect(ShopRepository shop, Path state) {
    client.post(
        "connectRepository",
        Map.of(
            "repo", REPO,
            "address", shop.directory().toString(),
            "testCommand",
                "PAUSE=%s STATE='%s' ./run-tests"
                    .formatted(String.format(Locale.ROOT, "%.3f", pause), state)));
    client.post(
        "createQueue",
        with(
            "mode",
            "parallel",
            "concurrency",
            4,
            "mergeMethod",
            "MERGE_COMMIT",
            "canOptimisticallyMerge",
            true,
            "pendingFailureDepth",
            1));
  }

  private void setTargets(PullRequest pr) {
    client.post(
        "setImpactedTargets",
        with("pr", Map.of("number", pr.number()), "impactedTargets", List.copyOf(pr.targets())));
  }

  private void submit(PullRequest pr) {
    client.post(
        "submitPullRequest", with("pr", Map.of("number", pr.number()), "priority", pr.priority()));
  }

  private boolean watch(CountDownLatch stop) throws InterruptedException {
    var view = new LiveView(out, terminal);
    boolean urgentIsIn = false;
    while (seconds() < LONGEST.toSeconds()) {
      List<Entry> entries = entries();
      view.show(seconds(), entries);
      if (!urgentIsIn && entries.stream().filter(Entry::isTesting).count() >= ENOUGH_UNDER_TEST) {
        submit(Shop.pullRequests().get(Shop.URGENT - 1));
        urgentIsIn = true;
      } else if (urgentIsIn && entries.stream().allMatch(Entry::isSettled)) {
        return true;
      }
      if (stop.await(200, TimeUnit.MILLISECONDS)) {
        return false;
      }
    }
    throw new IllegalStateException("The queue did not come to an end in " + LONGEST);
  }

  private List<Entry> entries() {
    JsonNode queue = client.post("getQueue", with());
    JsonNode all = client.post("listPullRequests", with("take", 100));
    Stream<Entry> open = queue.path("enqueuedPullRequests").valueStream().map(Entry::of);
    Stream<Entry> over =
        all.path("pullRequests").valueStream().map(Entry::of).filter(Entry::isOver);
    return Stream.concat(open, over).toList();
  }

  private void conclude(ShopRepository shop) throws IOException {
    var merged = new ArrayList<String>();
    out.printf("%nNot merged, and why:%n");
    for (Entry entry : entries()) {
      if (entry.state().equals("MERGED")) {
        merged.add("#" + entry.number());
      } else {
        out.printf("  #%-3d %s: %s%n", entry.number(), entry.title(), entry.message());
        report(entry).forEach(line -> out.println("         " + line));
      }
    }
    out.printf("%nLanded: %s. The branch:%n%n", String.join(" ", merged.reversed()));
    shop.log().lines().forEach(line -> out.println("  " + line.stripTrailing()));
    out.flush();
  }

  /** The failing tests of an entry and the last lines that they printed. */
  private List<String> report(Entry entry) {
    try {
      return entry.state().equals("FAILED")
          ? RunReport.of(client, Json.tree(with("pr", Map.of("number", entry.number()))), 5)
          : List.of();
    } catch (ApiClient.Unreachable e) {
      throw new IllegalStateException("The service does not answer", e);
    }
  }

  private void invite() {
    String call = "curl -s %s/v1/%s -H 'x-api-token: %s'";
    String json = " -H 'content-type: application/json' -d '%s'%n";
    String repo =
        "\"repo\":{\"host\":\"demo.local\",\"owner\":\"acme\",\"name\":\"shop\"},\"targetBranch\":\"main\"";
    out.printf("%nTry:%n");
    out.printf(call + json, client.server(), "getQueue", client.token(), "{" + repo + "}");
    out.printf(
        call + json,
        client.server(),
        "getSubmittedPullRequest",
        client.token(),
        "{" + repo + ",\"pr\":{\"number\":3}}");
    out.printf(call + "%n", client.server(), "getMergeQueueMetrics", client.token());
    out.flush();
  }

  private static Map<String, Object> with(Object... fields) {
    var body = new LinkedHashMap<String, Object>();
    body.put("repo", REPO);
    body.put("targetBranch", "main");
    for (int i = 0; i < fields.length; i += 2) {
      body.put((String) fields[i], fields[i + 1]);
    }
    return body;
  }

  private double seconds() {
    return (System.nanoTime() - begun) / 1e9;
  }
}
