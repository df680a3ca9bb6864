package dev.mainstay.server.health.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.code.RepoName;
import dev.mainstay.core.health.BranchClass;
import dev.mainstay.core.health.TestIdentity;
import dev.mainstay.core.health.TestIds;
import dev.mainstay.server.MovableClock;
import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.health.result.UploadOrigin;
import dev.mainstay.server.platform.Json;
import dev.mainstay.server.report.UnpackedTooMuch;
import dev.mainstay.server.repository.Repository;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Uploads whose truth is known: through the door, and many more as they are read and judged behind
 * it. {@code -Dgate.uploads=…} and {@code -Dgate.read=…} try as many as one has time for, with
 * {@code -Djunit.jupiter.execution.timeout.mode=disabled}.
 */
class RandomUploadsTest {
  private static final long UPLOADS = Long.getLong("gate.uploads", 1000);
  private static final long READ = Long.getLong("gate.read", 10_000);
  private static final String REPO = "github.com/acme/random";

  /** Quarantined where JUnit tells of them. */
  private static final Set<String> QUARANTINED = Set.of("junit t0", "junit t1");

  private static final Set<UUID> QUARANTINED_IDS = Set.of(id("t0"), id("t1"));

  @Test
  void it_is_never_open_over_a_failure_that_is_not_quarantined() throws Exception {
    try (var node = TestNode.start(TestDatabase.withTables(), new MovableClock());
        var threads = Executors.newFixedThreadPool(4)) {
      quarantine(node);
      List<Callable<Boolean>> all =
          LongStream.range(0, UPLOADS)
              .<Callable<Boolean>>mapToObj(seed -> () -> check(node, seed))
              .toList();
      for (var one : threads.invokeAll(all)) {
        one.get();
      }
    }
  }

  private static void quarantine(TestNode node) {
    JsonNode first =
        send(
            node,
            0,
            List.of(
                SentFile.of(
                    "a.xml",
                    """
                    <testsuite name='S'><testcase classname='C' name='t0'><failure/></testcase>
                    <testcase classname='C' name='t1'><failure/></testcase></testsuite>
                    """)));
    String repo =
        "{\"repo\":{\"host\":\"github.com\",\"owner\":\"acme\",\"name\":\"random\"},\"org_url_slug\":\"default\",%s}";
    assertThat(
            node.post(
                    "/v1/repositories/set-test-settings",
                    node.token(),
                    repo.formatted("\"quarantining\":true"))
                .status())
        .isEqualTo(200);
    for (JsonNode failed : first.at("/verdict/failures")) {
      String id = failed.path("test_id").asString();
      assertThat(
              node.post(
                      "/v1/tests/quarantine",
                      node.token(),
                      repo.formatted(
                          "\"test_id\":\"%s\",\"setting\":\"ALWAYS_QUARANTINE\",\"reason\":\"known\""
                              .formatted(id)))
                  .status())
          .isEqualTo(200);
    }
  }

  @Test
  void nor_is_the_verdict_on_what_was_read() {
    LongStream.range(0, READ)
        .parallel()
        .forEach(
            seed -> {
              var upload = new RandomUpload(seed);
              check(seed, upload, verdict(upload.files()));
            });
  }

  /** The verdict of the classes that read and judge an upload, without a server or a database. */
  private static JsonNode verdict(List<SentFile> sent) {
    var repository = new Repository(1, 1, RepoName.parse(REPO).orElseThrow(), 90);
    var about =
        new UploadOrigin(
            repository.name(),
            "main",
            "c",
            Optional.empty(),
            "",
            "",
            Optional.empty(),
            Optional.empty());
    var files = sent.stream().map(file -> UploadedFile.whole(file.name(), file.content())).toList();
    try (var batch =
        new UploadBatch(
            "default",
            repository,
            1,
            about,
            BranchClass.STABLE,
            new MovableClock().instant(),
            new TestOwners(Optional.empty(), () -> {}),
            new KnownTests().of(1, ""))) {
      ReportFiles.read(files, List.of(), batch);
      batch.finish();
      var failed = new ArrayList<UUID>();
      batch.tally.forEachTest(
          (test, hasFailed, wasRetried) -> {
            if (hasFailed) {
              failed.add(test);
            }
          });
      var quarantined = new HashSet<>(failed);
      quarantined.retainAll(QUARANTINED_IDS);
      return Json.tree(Verdicts.of(batch, failed, quarantined));
    } catch (UnpackedTooMuch e) {
      throw new IllegalStateException(e);
    }
  }

  private static UUID id(String name) {
    return new TestIds("default", REPO).of(new TestIdentity("", "C", "S", name, ""));
  }

  private static boolean check(TestNode node, long seed) {
    var upload = new RandomUpload(seed);
    check(seed, upload, send(node, seed + 1, upload.files()).path("verdict"));
    return true;
  }

  private static void check(long seed, RandomUpload upload, JsonNode verdict) {
    var open = new TreeSet<>(upload.failed);
    open.removeAll(QUARANTINED);
    assertThat(verdict.path("failed_tests").asInt())
        .as("seed %d: %s in %s", seed, verdict, upload.failed)
        .isEqualTo(upload.failed.size());
    assertThat(verdict.path("failed_tests").asInt() - verdict.path("quarantined_tests").asInt())
        .as("seed %d: %s", seed, verdict)
        .isEqualTo(open.size());
    assertThat(verdict.path("may_pass").asBoolean())
        .as("seed %d: %s", seed, verdict)
        .isEqualTo(open.isEmpty() && !upload.incomplete && upload.hasReport);
  }

  private static JsonNode send(TestNode node, long commit, List<SentFile> files) {
    var answer =
        node.post(
            "/v1/test-results?branch=main&commit=c%d&repo=%s".formatted(commit, REPO),
            node.token(),
            "multipart/form-data; boundary=limit",
            BodyPublishers.ofByteArray(SentFile.form(files, List.of())));
    assertThat(answer.status()).as("%s", answer.body()).isEqualTo(200);
    return answer.json();
  }
}
