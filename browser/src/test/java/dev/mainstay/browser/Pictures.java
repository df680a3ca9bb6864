package dev.mainstay.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.mainstay.browser.Chromium.Look;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Takes the pictures of README: {@code bench/pictures}. It is no test, and runs when it is named.
 */
class Pictures {
  private static final Path FOLDER = Path.of(System.getProperty("pictures", "target/pictures"));
  private static final int MOST_BYTES = 120_000;
  private static final String SHOP = "git.example/acme/shop";
  private static final int DAYS = 24;
  private static final int RUNS_A_DAY = 6;
  private static final int ALONE = 11;
  private static final String FLAKY = "greets before noon";

  /** A pull request: what it says, and the parts of the shop that it touches. */
  private record Change(String title, List<String> targets) {
    Change(String title, String... targets) {
      this(title, List.of(targets));
    }
  }

  private static final List<Change> CHANGES =
      List.of(
          new Change("Show the currency with every price", "price"),
          new Change("Round half a cent up", "price"),
          new Change("Give a discount from ten euros on", "price", "cart"),
          new Change("Call the sum of a cart what it is", "cart"),
          new Change("Ship for free from fifty euros on", "cart"),
          new Change("Warn when little is left", "stock"),
          new Change("Count what customers send back", "stock"),
          new Change("Reserve what is on its way", "stock"),
          new Change("Say good morning before noon", "mail"),
          new Change("Sign every mail", "mail"),
          new Change("Tell how to run the tests", "docs"),
          new Change("Nothing costs nothing", "price"),
          new Change("Keep a cart for a week", "cart"),
          new Change("Order what is out of stock", "stock"));

  @Test
  void takes_pictures_of_a_queue_and_of_a_flaky_test() throws IOException {
    Path root = Files.createTempDirectory("mainstay-pictures");
    Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
    try (var node = Served.first(root)) {
      fillQueue(node, root);
      String test = fillTests(node);
      for (boolean dark : new boolean[] {false, true}) {
        var look = new Look(1200, 1600, dark);
        try (BrowserContext context = Chromium.signedIn(node, look)) {
          Page page = context.newPage();
          page.navigate(Scene.at(SHOP, "queues", "main"));
          assertThat(page.locator("#live")).hasText("Live");
          Locator picture = page.getByLabel("Picture of the queue");
          take(picture.screenshot(), "queue", dark);
          page.navigate(Scene.at(SHOP, "tests", test));
          assertThat(page.locator("#live")).hasText("Live");
          take(
              page.screenshot(new Page.ScreenshotOptions().setClip(0, 0, 1200, 760)), "test", dark);
        }
      }
    } finally {
      Scene.delete(root);
    }
  }

  private static void take(byte[] picture, String name, boolean dark) throws IOException {
    Path file = FOLDER.resolve("%s-%s.png".formatted(name, dark ? "dark" : "light"));
    Files.createDirectories(FOLDER);
    Files.write(file, picture);
    System.out.printf("%s: %d bytes%n", file, picture.length);
    assertThat(picture.length).isLessThan(MOST_BYTES);
  }

  private static void fillQueue(Served node, Path root) {
    var folder =
        GitFolder.create(root.resolve("shop.git"), CHANGES.stream().map(Change::title).toList());
    node.post("connectRepository", about("'address':'%s'".formatted(folder.directory())));
    node.post(
        "createQueue",
        about(
            "'mode':'parallel','concurrency':20,'requiredStatuses':['ci/build','ci/test'],'batch':true,"
                + "'batchingMinSize':2,'batchingMaxWaitTimeMinutes':60,'canOptimisticallyMerge':true,"
                + "'pendingFailureDepth':2"));
    for (int number = 1; number <= CHANGES.size(); number++) {
      String targets = String.join("','", CHANGES.get(number - 1).targets());
      node.post(
          "setImpactedTargets",
          about("'pr':{'number':%d},'impactedTargets':['%s']".formatted(number, targets)));
    }
    for (int number = 1; number <= CHANGES.size(); number++) {
      node.post(
          "submitPullRequest",
          about("'pr':{'number':%d},'noBatch':%s".formatted(number, number == ALONE)));
    }
    // The docs land, some builds are done, one of the stock fails behind others, and one of mail.
    finish(node, ALONE, "SUCCESS");
    report(node, 1, "ci/build", "SUCCESS");
    report(node, 3, "ci/build", "SUCCESS");
    finish(node, 8, "FAILURE");
    finish(node, 9, "FAILURE");
    Waiting.until(
        () -> node.post("getSubmittedPullRequest", about("'pr':{'number':%d}".formatted(ALONE))),
        pr -> pr.path("state").asString().equals("MERGED"));
  }

  private static void finish(Served node, int number, String state) {
    report(node, number, "ci/build", "SUCCESS");
    report(node, number, "ci/test", state);
  }

  private static void report(Served node, int number, String check, String state) {
    JsonNode run =
        Waiting.until(
            () ->
                node.post(
                    "getMergeQueueTestingDetails", about("'pr':{'number':%d}".formatted(number))),
            details -> !details.at("/testRuns/0/testBranchSha").asString("").isEmpty());
    node.post(
        "reportTestStatus",
        about(
            "'testRunId':'%s','name':'%s','state':'%s'"
                .formatted(run.at("/testRuns/0/testRunId").asString(), check, state)));
  }

  /** Some weeks of results, in which one test becomes flaky; gives its id. */
  private static String fillTests(Served node) {
    var random = new Random(7);
    for (int i = DAYS * RUNS_A_DAY; i > 0; i--) {
      Instant at = Instant.now().minus(Duration.ofHours(i * 24L / RUNS_A_DAY));
      boolean late = i < DAYS * RUNS_A_DAY / 2;
      boolean fails = random.nextInt(100) < (late ? 28 : 2);
      String commit = "%08x%032x".formatted(random.nextInt(), i);
      node.upload(query("main", commit, 1), results(at, fails));
      if (fails) {
        node.upload(query("main", commit, 2), results(at.plusSeconds(600), false));
      }
    }
    JsonNode tests =
        Waiting.until(
            () -> node.post("tests/list", about("'search':'greets'")),
            list -> list.at("/tests/0/status/value").asString("").equals("flaky"));
    return tests.at("/tests/0/id").asString();
  }

  private static String query(String branch, String commit, int attempt) {
    return "repo=%s&branch=%s&commit=%s&job=ci&attempt=%d".formatted(SHOP, branch, commit, attempt);
  }

  private static String results(Instant at, boolean fails) {
    String failure =
        fails
            ? "<failure message='the clock service did not answer in time'>at Mail.greet (mail.js:41)\nat Mail.test (mail.test.js:12)</failure>"
            : "";
    return """
        <testsuite name='mail' timestamp='%s'>
        <testcase classname='Mail' file='test/mail.test.js' name='%s' time='0.31'>%s</testcase>
        <testcase classname='Mail' file='test/mail.test.js' name='signs' time='0.02'/>
        <testcase classname='Cart' file='test/cart.test.js' name='adds' time='0.01'/>
        </testsuite>
        """
        .formatted(at, FLAKY, failure);
  }

  private static String about(String fields) {
    return Scene.about(SHOP, fields);
  }
}
