package dev.mainstay.server.health.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.MovableClock;
import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.TestNode;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Uploads whose truth is known. {@code -Dgate.uploads=1000000} tries as many as one has time for.
 */
class RandomUploadsTest {
  private static final long UPLOADS = Long.getLong("gate.uploads", 1000);
  private static final String REPO = "github.com/acme/random";

  /** Quarantined where JUnit tells of them. */
  private static final Set<String> QUARANTINED = Set.of("junit t0", "junit t1");

  @Test
  void it_is_never_open_over_a_failure_that_is_not_quarantined() throws Exception {
    try (var node = TestNode.start(TestDatabase.empty(), new MovableClock());
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

  private static boolean check(TestNode node, long seed) {
    var upload = new RandomUpload(seed);
    JsonNode verdict = send(node, seed + 1, upload.files()).path("verdict");
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
    return true;
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
