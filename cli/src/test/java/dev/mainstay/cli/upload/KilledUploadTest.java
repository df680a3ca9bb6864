package dev.mainstay.cli.upload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.cli.OpenDirectory;
import dev.mainstay.cli.PreparedData;
import dev.mainstay.cli.ServedNode;
import dev.mainstay.cli.Waiting;
import dev.mainstay.server.embedded.DataDirectory;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A served node that is killed with an upload in its hands. */
class KilledUploadTest {
  private static final String TOKEN = "mst_" + "k".repeat(43);
  private static final String UPLOAD = "/v1/test-results?repo=github.com/acme/shop&commit=abc";
  private static final String REPORT =
      "<testsuite><testcase name='adds'><flakyFailure message='boom'/></testcase></testsuite>";

  private final OpenDirectory directory = OpenDirectory.create();
  private final Path data = directory.resolve("data");

  @AfterEach
  void deleteDirectory() {
    directory.close();
  }

  @Test
  void a_kill_in_the_middle_of_an_upload_leaves_nothing_and_the_repeat_counts_once()
      throws Exception {
    PreparedData.copyTo(data);
    try (var node = serve()) {
      assertThat(node.awaitListening()).isTrue();
      killDuringUpload(node);
    }
    try (var node = serveAgain();
        var database = database()) {
      for (String table : List.of("upload", "run", "failure", "test", "arrival")) {
        assertThat(rows(database, table)).as(table).isZero();
      }
      assertThat(upload(node).path("duplicate").asBoolean()).isFalse();
      assertThat(upload(node).path("duplicate").asBoolean()).isTrue();
      assertThat(rows(database, "run")).isEqualTo(2);
      assertThat(rows(database, "arrival")).isEqualTo(1);
    }
  }

  private void killDuringUpload(ServedNode node) {
    try (var database = database()) {
      // The last thing an upload touches: everything else is written by then.
      database.useTransaction(
          handle -> {
            handle.execute("LOCK TABLE result_feed IN ACCESS EXCLUSIVE MODE");
            var upload = node.post(UPLOAD, TOKEN, REPORT);
            Waiting.until(() -> waits(database));
            assertThat(upload).isNotDone();
            node.kill();
          });
    } catch (RuntimeException e) {
      // The database went with the node.
      assertThat(e).isNotNull();
    }
  }

  private ServedNode serve() {
    return new ServedNode(data, directory.resolve("log"), Map.of("MAINSTAY_TOKEN", TOKEN));
  }

  /** As whatever watches over a service would: tries again while the killed database still ends. */
  private ServedNode serveAgain() throws Exception {
    for (int tries = 0; tries < 20; tries++) {
      var node = serve();
      if (node.awaitListening()) {
        return node;
      }
      node.close();
    }
    throw new AssertionError(Files.readString(directory.resolve("log")));
  }

  private static JsonNode upload(ServedNode node) {
    String answer = node.post(UPLOAD, TOKEN, REPORT).join().body();
    return Json.readObject(answer.getBytes(StandardCharsets.UTF_8));
  }

  private Database database() {
    return Database.connect(DataDirectory.at(data).runningDatabase().orElseThrow(), 2);
  }

  private static boolean waits(Database database) {
    return database.query(
        h ->
            h.select(
                    "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND relation = 'result_feed'::regclass)")
                .mapTo(Boolean.class)
                .one());
  }

  private static long rows(Database database, String table) {
    return database.query(h -> h.select("SELECT count(*) FROM " + table).mapTo(Long.class).one());
  }
}
