package dev.mainstay.server;

import static dev.mainstay.server.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mainstay.server.Config.Setting;
import dev.mainstay.server.platform.Database;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A full disk is told as what it is, and everything works again when there is room. */
class DiskFullTest {
  @TempDir private Path directory;

  @Test
  void a_database_without_room_is_503_and_the_node_is_not_ready_until_there_is() {
    var address = TestDatabase.withTables();
    try (var node = TestNode.start(address, new MovableClock());
        var database = Database.connect(address, 1)) {
      // PostgreSQL's own error, where a table would grow.
      execute(
          database,
          "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS"
              + " $$ BEGIN RAISE 'could not extend file' USING ERRCODE = 'disk_full'; END $$");
      execute(
          database,
          "CREATE FUNCTION full_event() RETURNS event_trigger LANGUAGE plpgsql AS"
              + " $$ BEGIN RAISE 'could not extend file' USING ERRCODE = 'disk_full'; END $$");
      execute(
          database,
          "CREATE TRIGGER full_disk BEFORE INSERT ON api_key EXECUTE FUNCTION full_disk()");
      execute(
          database,
          "CREATE EVENT TRIGGER full_disk ON ddl_command_start WHEN TAG IN ('CREATE TABLE AS')"
              + " EXECUTE FUNCTION full_event()");
      var answer = node.post("/v1/keys/create", node.token(), "{\"name\":\"a\"}");
      assertThat(answer.status()).isEqualTo(503);
      assertThat(answer.code()).isEqualTo("disk_full");
      assertThat(answer.header("retry-after")).isEqualTo("30");
      until(() -> node.get("/readyz", ""), ready -> ready.status() == 503);
      assertThat(node.get("/readyz", "").code()).isEqualTo("disk_full");
      assertThat(node.get("/healthz", "").status()).isEqualTo(200);
      execute(database, "DROP EVENT TRIGGER full_disk");
      execute(database, "DROP TRIGGER full_disk ON api_key");
      until(() -> node.get("/readyz", "").status(), status -> status == 200);
      assertThat(node.post("/v1/keys/create", node.token(), "{\"name\":\"a\"}").status())
          .isEqualTo(200);
    }
  }

  @Test
  void a_node_is_ready_only_while_enough_is_free_on_its_disks() {
    String more = "" + (directory.toFile().getUsableSpace() / (1024 * 1024) + 10_000);
    try (var node = TestNode.start(Map.of(Setting.MIN_FREE_DISK, more))) {
      var answer = node.get("/readyz", "");
      assertThat(answer.status()).isEqualTo(503);
      assertThat(answer.code()).isEqualTo("disk_full");
      assertThat(node.get("/metrics", "").body())
          .contains("mainstay_ready{} 0\n")
          .contains("mainstay_disk_free_bytes{disk=\"temporary\"} ");
    }
  }

  /** A real disk of one megabyte, where an ordinary user may have one for itself. */
  @Test
  void an_upload_that_finds_no_room_for_its_rows_is_503() throws Exception {
    Path disk = Files.createDirectory(directory.resolve("disk"));
    String mount = "mount -t tmpfs -o size=1m none %s && exec \"$@\"".formatted(disk);
    // Root stays the real one: one of a namespace cannot get to the files of the database's user.
    String mine = System.getProperty("user.name").equals("root") ? "--mount" : "-rm";
    var ownDisk = List.of("unshare", mine, "sh", "-c", mount, "sh");
    assumeTrue(works(ownDisk), "no mounts of one's own here");
    var program = new java.util.ArrayList<>(ownDisk);
    program.addAll(List.of(NodeProcess.java(), "-Xmx512m", "-Djava.io.tmpdir=" + disk));
    try (var node = NodeProcess.start(program, Map.of(Setting.MIN_FREE_DISK.variable(), "0"))) {
      var refused = upload(node, 60_000);
      assertThat(refused.statusCode()).as(refused.body()).isEqualTo(503);
      assertThat(refused.body()).contains("\"disk_full\"");
      assertThat(upload(node, 10).statusCode()).isEqualTo(200);
    }
  }

  private static boolean works(List<String> ownDisk) throws IOException, InterruptedException {
    var command = new java.util.ArrayList<>(ownDisk);
    command.add("true");
    return Files.isExecutable(Path.of("/usr/bin/unshare"))
        && new ProcessBuilder(command).start().waitFor() == 0;
  }

  private static HttpResponse<String> upload(NodeProcess node, int tests) throws Exception {
    var report = new StringBuilder("<testsuite name='large'>");
    for (int i = 0; i < tests; i++) {
      report.append("<testcase name='test number %d of many' classname='a.b.C'/>".formatted(i));
    }
    var request =
        HttpRequest.newBuilder(
                URI.create(
                    "http://127.0.0.1:%d/v1/test-results?repo=github.com/acme/shop&branch=main&commit=%040x"
                        .formatted(node.port(), tests)))
            .header("x-api-token", NodeProcess.TOKEN)
            .header("content-type", "application/xml")
            .POST(BodyPublishers.ofString(report.append("</testsuite>").toString()))
            .build();
    try (var client = HttpClient.newHttpClient()) {
      return client.send(request, BodyHandlers.ofString());
    }
  }

  private static void execute(Database database, String statement) {
    database.query(handle -> handle.execute(statement));
  }
}
