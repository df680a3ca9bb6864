package dev.mainstay.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.cli.Cli;
import dev.mainstay.cli.OpenDirectory;
import dev.mainstay.cli.PreparedData;
import dev.mainstay.cli.ServedNode;
import dev.mainstay.cli.SharedNode;
import dev.mainstay.cli.Waiting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** {@code mainstay serve} as a process that is killed and told to stop. */
@Order(2)
class ServeTest {
  private static final int ENDED_BY_SIGTERM = 128 + 15;

  private final OpenDirectory directory = OpenDirectory.create();
  private final Path log = directory.resolve("log");
  private final Path data = directory.resolve("data");

  @AfterEach
  void deleteDirectory() {
    directory.close();
  }

  @Test
  void a_key_made_before_a_kill_works_after_it_and_commands_see_the_same_data() throws Exception {
    PreparedData.copyTo(data);
    String key;
    try (var node = serve()) {
      assertThat(node.awaitListening()).isTrue();
      key = node.shownKey().orElseThrow();
      String made = command("keys create --name ci --scopes read,upload").out();
      assertThat(node.get("/v1/whoami", made.strip()).body()).contains("\"read\",\"upload\"");
      assertThat(command("org create acme").exitCode()).isZero();
      assertThat(command("serve --port 0").err())
          .contains("in use by another Mainstay")
          .contains("--data-dir");
      node.kill();
    }
    assertThat(command("org set acme --name", "Acme Inc.").exitCode()).isZero();
    assertThat(command("org list").out())
        .contains("acme")
        .contains("Acme Inc.")
        .contains("default");
    try (var node = serve("--log-format", "json")) {
      assertThat(node.awaitListening()).isTrue();
      assertThat(node.shownKey()).isEmpty();
      assertThat(node.get("/v1/whoami", key).statusCode()).isEqualTo(200);
      String id = node.get("/v1/whoami", key).body().replaceAll(".*\"keyId\":\"([^\"]*)\".*", "$1");
      var answer = node.get("/v1/nothing", key);
      String requestId = answer.headers().firstValue("x-request-id").orElseThrow();
      assertThat(command("keys list").out()).contains(id);
      assertThat(command("keys revoke " + id).exitCode()).isZero();
      Waiting.until(() -> node.get("/v1/whoami", key).statusCode() == 401);
      assertThat(node.stop()).isEqualTo(ENDED_BY_SIGTERM);
      assertThat(Files.readString(log))
          .contains("\"requestId\":\"" + requestId + "\"")
          .doesNotContain(key);
    }
    assertThat(data.resolve("database/postmaster.pid")).doesNotExist();
  }

  @Test
  void a_kill_at_any_moment_of_the_very_first_start_does_no_harm() throws Exception {
    Files.createDirectory(data);
    for (String moment : List.of("postgres.new", "database-password", "database.new", "database")) {
      try (var watch = data.getFileSystem().newWatchService()) {
        data.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
        try (var node = serve()) {
          awaitFile(moment, watch);
          node.kill();
        }
      }
    }
    try (var node = serve()) {
      assertThat(node.awaitKey()).isTrue();
      node.kill();
    }
    try (var node = serve()) {
      assertThat(node.awaitListening()).isTrue();
      String all = command("keys list").out();
      assertThat(all.lines()).hasSize(2);
    }
  }

  @Test
  void an_unattended_first_start_shows_no_key() throws Exception {
    var node = SharedNode.node();
    assertThat(node.shownKey()).isEmpty();
    assertThat(node.get("/v1/whoami", SharedNode.FIRST_TOKEN).body())
        .contains("\"" + SharedNode.FIRST_ORGANIZATION + "\"");
  }

  /** Waits for a file in the data directory, however soon it goes again. */
  private void awaitFile(String name, WatchService watch) throws InterruptedException {
    while (!Files.exists(data.resolve(name))) {
      var made = watch.poll(5, TimeUnit.MINUTES);
      assertThat(made).as("nothing appears any more before %s", name).isNotNull();
      if (made.pollEvents().stream().anyMatch(event -> Path.of(name).equals(event.context()))) {
        return;
      }
      made.reset();
    }
  }

  private ServedNode serve(String... options) {
    return new ServedNode(data, log, Map.of(), options);
  }

  private Cli.Ran command(String command, String... arguments) {
    return Cli.in(directory.path())
        .with(Map.of("MAINSTAY_DATA_DIR", data.toString()))
        .run(command, arguments);
  }
}
