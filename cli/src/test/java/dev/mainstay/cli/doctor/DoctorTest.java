package dev.mainstay.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.cli.Cli;
import dev.mainstay.cli.OpenDirectory;
import dev.mainstay.cli.PreparedData;
import dev.mainstay.cli.SharedNode;
import dev.mainstay.cli.StubServer;
import dev.mainstay.cli.api.ApiClient;
import dev.mainstay.server.embedded.DataDirectory;
import dev.mainstay.server.embedded.EmbeddedPostgres;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.Json;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class DoctorTest {
  private final OpenDirectory directory = OpenDirectory.create();

  @AfterEach
  void deleteDirectory() {
    directory.close();
  }

  private Cli.Ran doctor(Path data, int port, String... more) {
    var cli = Cli.in(directory.path()).with(Map.of("MAINSTAY_DATA_DIR", data.toString()));
    return cli.run("doctor --port " + port, more);
  }

  private static int port() {
    return URI.create(SharedNode.node().url()).getPort();
  }

  @Test
  void what_a_running_service_stands_on_is_told_and_what_ails_it_with_what_to_do() {
    var well = doctor(SharedNode.data(), port(), "--offline");
    assertThat(well.out())
        .containsPattern("(?m)^ok    service   The service is ready")
        .containsPattern("(?m)^ok    database  PostgreSQL 18\\.")
        .containsPattern("(?m)^ok    database  It keeps what it has answered")
        .containsPattern("(?m)^ok    clock     This machine and the database have the same time")
        .containsPattern("(?m)^ok    disk      .* MiB are free for git files")
        .containsPattern("(?m)^ok    secrets   .*database-password is closed to others")
        .containsPattern("(?m)^ok    programs  It is git version ")
        .containsPattern("(?m)^\\w+ +sandbox   Test commands run ");
    String token = SharedNode.newOrganization("ailing");
    Path shop = directory.resolve("shop.git");
    connect(token, "shop", shop);
    connect(token, "well", directory.resolve("well.git"));
    var cli = Cli.in(directory.path()).inCiJob(SharedNode.node().url(), token);
    cli.run("queue create");
    cli.run("queue pause");
    Cli.in(directory.path())
        .with(Map.of("MAINSTAY_DATA_DIR", SharedNode.data().toString()))
        .run("keys create --org ailing --name brief --expires 2d");
    delete(shop);
    var ill = doctor(SharedNode.data(), port());
    assertThat(ill.exitCode()).as(ill.toString()).isEqualTo(1);
    assertThat(ill.out())
        .containsPattern(
            "warn  keys      The key brief of ailing expires at .*keys rotate --org ailing")
        .containsPattern(
            "warn  queues    The queue of github.com/acme/shop for main \\(ailing\\) is paused.*queue resume")
        .containsPattern("fail  forges    github.com/acme/shop \\(ailing\\)")
        .doesNotContain("fail  forges    github.com/acme/well");
  }

  private void connect(String token, String name, Path shop) {
    try {
      Files.setPosixFilePermissions(directory.path(), PosixFilePermissions.fromString("rwxr-xr-x"));
      var made =
          new ProcessBuilder("git", "init", "-q", "--bare", "--initial-branch=main", "" + shop);
      assertThat(made.inheritIO().start().waitFor()).isZero();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
    var request = Json.object();
    request.putObject("repo").put("host", "github.com").put("owner", "acme").put("name", name);
    request.put("address", shop.toString());
    new ApiClient(SharedNode.node().url(), token).post("connectRepository", request);
  }

  private static void delete(Path folder) {
    new OpenDirectory(folder).close();
  }

  @Test
  void without_a_service_it_looks_at_what_is_there_and_says_what_is_not() throws Exception {
    var none = doctor(directory.resolve("none"), 1);
    assertThat(none.exitCode()).isEqualTo(1);
    assertThat(none.out())
        .contains("warn  service   Nothing answers at http://127.0.0.1:1/readyz")
        .contains("fail  database  There is no Mainstay at ")
        .contains("Clocks, keys, queues and forges were not looked at.");
    assertThat(directory.resolve("none")).doesNotExist();

    Path data = directory.resolve("data");
    PreparedData.copyTo(data);
    try (var postgres = EmbeddedPostgres.tryStart(DataDirectory.at(data), () -> {}).orElseThrow();
        var database = Database.connect(postgres.address(), 2)) {
      database.migrate();
      for (String setting : new String[] {"fsync", "full_page_writes", "synchronous_commit"}) {
        database.query(h -> h.execute("ALTER SYSTEM SET %s = off".formatted(setting)));
      }
      database.query(h -> h.execute("DELETE FROM migration WHERE number > 3"));
    }
    Files.setPosixFilePermissions(
        data.resolve("database-password"), PosixFilePermissions.fromString("rw-r--r--"));
    ObjectNode stopped =
        Json.readObject(doctor(data, 1, "--json").out().getBytes(StandardCharsets.UTF_8));
    assertThat(stopped.path("ok").asBoolean()).isFalse();
    assertThat(stopped.path("findings").toString())
        .contains("fsync is off")
        .contains("full_page_writes is off")
        .contains("synchronous_commit is off")
        .contains("Its tables are of version 3.")
        .contains("make a backup first")
        .contains("Keys, queues and forges were not looked at")
        .contains("database-password holds secrets and is open to others")
        .contains("chmod go= ");
  }

  @Test
  void tables_of_a_newer_version_keys_that_are_over_and_a_full_disk_are_told() {
    Path data = directory.resolve("data");
    PreparedData.copyTo(data);
    var cli = Cli.in(directory.path()).with(Map.of("MAINSTAY_DATA_DIR", data.toString()));
    inDatabase(data, "SELECT 1");
    cli.run("org create tired");
    cli.run("keys create --org tired --name old --scopes admin --expires 2d");
    inDatabase(data, "UPDATE api_key SET expires_at = now() - interval '1 day'");
    assertThat(
            cli.with(Map.of("MAINSTAY_MIN_FREE_DISK", "2147483647")).run("doctor --port 1").out())
        .containsPattern(
            "warn  keys      The key old of tired has expired at .*keys create --org tired")
        .contains("warn  keys      Organization tired has no valid key with the scope admin.")
        .containsPattern("fail  disk      .* MiB are free for data files .*Make room: with less");
    inDatabase(data, "INSERT INTO migration (number, script) VALUES (9999, 'later')");
    assertThat(cli.run("doctor --port 1").out())
        .containsPattern("fail  database  Its tables are of version 9999.*run the newer one");
  }

  private static void inDatabase(Path data, String statement) {
    try (var postgres = EmbeddedPostgres.tryStart(DataDirectory.at(data), () -> {}).orElseThrow();
        var database = Database.connect(postgres.address(), 2)) {
      database.migrate();
      database.query(h -> h.execute(statement));
    }
  }

  @Test
  void something_else_on_the_port_is_told_and_a_service_that_is_not_ready() throws Exception {
    var notReady = new StubServer.Answer(503, "{\"detail\": \"The disk is full.\"}");
    try (var server = new StubServer(new StubServer.Answer(200, "{}"), notReady)) {
      Path none = directory.resolve("none");
      int port = URI.create(server.url()).getPort();
      assertThat(doctor(none, port).out())
          .contains("fail  service   Something else than Mainstay answers at");
      assertThat(doctor(none, port).out())
          .contains("fail  service   The service is not ready: The disk is full.");
    }
  }
}
