package dev.mainstay.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/**
 * Two nodes on one database for all tests: a repository with a queue in which everything bears a
 * name that is meant to do harm, and repositories whose queues are long.
 */
final class Scene {
  static final String ORGANIZATION = "acme";
  static final String SHOP = "git.example/acme/shop";

  /** A repository of which every failing test is quarantined. */
  static final String HIDDEN = "git.example/acme/hidden";

  /** A branch whose name is no easy part of an address. */
  static final String ODD_BRANCH = "release/\"1\"<b>&é%2F#";

  static final String SCRIPT = "<script>window.owned=1</script>";
  static final String QUOTES =
      "\"'`><img src=x onerror=\"window.owned=1\"></title></textarea></script> ${7*7} &lt;";
  static final String BACKWARDS = "\u202Egnikool sdrawkcab\u2066 \u05E9\u05DC\u05D5\u05DD";
  static final String LONG = "endless".repeat(1500).substring(0, 10_000);
  static final List<String> HARMFUL = List.of(SCRIPT, QUOTES, BACKWARDS, LONG);

  static final String TICKET = "KAN-1";

  /** The one that failed, with tests of harmful names. */
  static final int FAILED = 6;

  static final int MERGED = 7;

  /** From here on, nobody has submitted them yet. */
  static final int FREE = 10;

  private final Served first;
  private final Served second;
  private final Path root;
  private String failedRun = "";
  private String openRun = "";
  private String failedTest = "";
  private String upload = "";
  private String webhook = "";
  private int next = FREE;

  private Scene() {
    try {
      root = Files.createTempDirectory("mainstay-browser");
      // PostgreSQL may run as somebody else, who must get there.
      Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    first = Served.first(root);
    second = Served.second(root);
    Runtime.getRuntime().addShutdownHook(new Thread(this::close));
    fill();
  }

  /** Made when the first test asks. */
  private static final class Shared {
    static final Scene SCENE = new Scene();
  }

  static Scene shared() {
    return Shared.SCENE;
  }

  /** The node that others work with. */
  Served first() {
    return first;
  }

  /** The node whose pages are looked at. */
  Served second() {
    return second;
  }

  String failedRun() {
    return failedRun;
  }

  String openRun() {
    return openRun;
  }

  String failedTest() {
    return failedTest;
  }

  String upload() {
    return upload;
  }

  /** An endpoint with a harmful name that nobody listens at, and one attempt. */
  String webhook() {
    return webhook;
  }

  /** The address of a page of a repository. */
  static String at(String repository, String... parts) {
    var path = new StringBuilder("/" + ORGANIZATION + "/" + repository);
    for (String part : parts) {
      path.append('/').append(encoded(part));
    }
    return path.toString();
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** The number of a pull request of the shop that nobody has submitted yet. */
  int freeNumber() {
    return next++;
  }

  static String title(int number) {
    return "Change the shop, part " + number;
  }

  /** Somebody submits a pull request at the other node. */
  void submit(String repository, int number) {
    first.post("submitPullRequest", about(repository, "'pr':{'number':%d}".formatted(number)));
  }

  JsonNode shown(int number) {
    return first.post(
        "getSubmittedPullRequest", about(SHOP, "'pr':{'number':%d}".formatted(number)));
  }

  static String about(String repository, String fields) {
    String[] name = repository.split("/", -1);
    return "{'repo':{'host':'%s','owner':'%s','name':'%s'},'targetBranch':'main'%s}"
        .formatted(name[0], name[1], name[2], fields.isEmpty() ? "" : "," + fields);
  }

  private void fill() {
    var titles = new ArrayList<>(List.of("Show the currency"));
    titles.addAll(HARMFUL);
    IntStream.rangeClosed(FAILED, 60).forEach(n -> titles.add(title(n)));
    queue(SHOP, titles, "'concurrency':100");
    submit(SHOP, FAILED);
    JsonNode run = run(FAILED);
    failedRun = run.path("testRunId").asString();
    first.upload(
        "repo=%s&branch=%s&commit=%s&job=ci"
            .formatted(
                SHOP, run.path("testBranch").asString(), run.path("testBranchSha").asString()),
        report());
    report(failedRun, "FAILURE");
    awaitState(FAILED, "FAILED");
    submit(SHOP, MERGED);
    report(run(MERGED).path("testRunId").asString(), "SUCCESS");
    awaitState(MERGED, "MERGED");
    IntStream.rangeClosed(1, 5).forEach(n -> submit(SHOP, n));
    openRun = run(2).path("testRunId").asString();
    upload =
        first
            .upload("repo=%s&branch=main&commit=c0ffee&job=ci".formatted(SHOP), report())
            .path("upload_id")
            .asString();
    failedTest =
        first
            .post("getTestRunLog", about(SHOP, "'testRunId':'%s'".formatted(failedRun)))
            .at("/failedTests/0/testId")
            .asString();
    first.post(
        "flaky-tests/link-ticket-to-test-case",
        about(SHOP, "'test_case_id':'%s','external_ticket_id':'%s'".formatted(failedTest, TICKET)));
    odd();
    hidden();
    webhook =
        first
            .post(
                "webhooks/create",
                "{'url':'http://127.0.0.1:1/%s','name':'%s','kinds':['queue.deleted']}"
                    .formatted("endless".repeat(50), SCRIPT))
            .at("/webhook/id")
            .asString();
    first.post("webhooks/test", "{'id':'%s'}".formatted(webhook));
  }

  private void hidden() {
    JsonNode sent =
        first.upload("repo=%s&branch=main&commit=c0ffee&job=ci".formatted(HIDDEN), report());
    first.post("repositories/set-test-settings", about(HIDDEN, "'quarantining':true"));
    for (JsonNode failure : sent.at("/verdict/failures")) {
      first.post(
          "tests/quarantine",
          about(
              HIDDEN,
              "'test_id':'%s','setting':'ALWAYS_QUARANTINE','reason':'known','after_passes':5"
                  .formatted(failure.path("test_id").asString())));
    }
  }

  private void odd() {
    String branch = ODD_BRANCH.replace("\"", "\\\"");
    String[] name = SHOP.split("/", -1);
    first.post(
        "createQueue",
        "{'repo':{'host':'%s','owner':'%s','name':'%s'},'targetBranch':"
                .formatted(name[0], name[1], name[2])
                .replace('\'', '"')
            + "\""
            + branch
            + "\"}");
  }

  /** The code of a repository that nobody has connected yet. */
  GitFolder folder(String repository, List<String> titles) {
    return GitFolder.create(root.resolve(repository.replace('/', '-') + ".git"), titles);
  }

  /** A repository with these pull requests and a queue that waits for the status ci. */
  GitFolder queue(String repository, List<String> titles, String settings) {
    var folder = folder(repository, titles);
    first.post(
        "connectRepository", about(repository, "'address':'%s'".formatted(folder.directory())));
    first.post("createQueue", about(repository, "'requiredStatuses':['ci']," + settings));
    return folder;
  }

  void report(String run, String state) {
    first.post(
        "reportTestStatus",
        about(
            SHOP,
            "'testRunId':'%s','name':'ci','state':'%s','url':'https://ci.example/1'"
                .formatted(run, state)));
  }

  /** The run of a pull request, once it is there to be tested. */
  JsonNode run(int number) {
    return Waiting.until(
            () ->
                first.post(
                    "getMergeQueueTestingDetails",
                    about(SHOP, "'pr':{'number':%d}".formatted(number))),
            details -> !details.at("/testRuns/0/testBranchSha").asString("").isEmpty())
        .at("/testRuns/0");
  }

  void awaitState(int number, String state) {
    Waiting.until(() -> shown(number), pr -> pr.path("state").asString().equals(state));
  }

  private static String report() {
    var report = new StringBuilder("<testsuite name='shop'>");
    for (String name : HARMFUL) {
      String escaped = escaped(name);
      report.append(
          "<testcase classname='%s' name='%s' file='%s'>".formatted(escaped, escaped, escaped));
      report.append("<failure message='%s'>%s</failure></testcase>".formatted(escaped, escaped));
    }
    return report.append("</testsuite>").toString();
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace("'", "&apos;")
        .replace("\"", "&quot;");
  }

  private void close() {
    second.close();
    first.close();
    delete(root);
  }

  static void delete(Path root) {
    try (var files = Files.walk(root)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | UncheckedIOException e) {
      System.err.println("left behind: " + root);
    }
  }
}
