package dev.mainstay.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.cli.Cli;
import dev.mainstay.cli.OpenDirectory;
import dev.mainstay.cli.PreparedData;
import dev.mainstay.cli.ServedNode;
import dev.mainstay.cli.api.ApiClient;
import dev.mainstay.server.embedded.DataDirectory;
import dev.mainstay.server.embedded.EmbeddedPostgres;
import dev.mainstay.server.platform.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** A service that is backed up while it works, and goes on elsewhere. */
class BackupRestoreTest {
  private static final String TOKEN = "a-token-chosen-by-the-operator-9876543210";

  private static final String REPOSITORY =
      """
      git init -q --bare --initial-branch=main shop.git
      git init -q --initial-branch=main author && cd author
      git config user.name Ann && git config user.email ann@example.org
      git commit -q --allow-empty -m First && git push -q ../shop.git main
      for pr in 1 2; do
        git checkout -q -B work main && echo $pr >file$pr && git add . && git commit -qm "Add $pr"
        git push -q ../shop.git work:refs/pull/$pr/head
      done
      """;

  private final OpenDirectory directory = OpenDirectory.create();
  private final Path first = directory.resolve("first");
  private final Path second = directory.resolve("second");
  private final Path file = directory.resolve("backup");

  @Test
  void a_service_goes_on_elsewhere_from_a_backup_that_was_made_while_it_worked() throws Exception {
    try (directory) {
      PreparedData.copyTo(first);
      int uploads;
      ObjectNode queue;
      try (var node = node(first, Map.of("MAINSTAY_TOKEN", TOKEN))) {
        queue = pausedQueue(node);
        uploads = backUpWhileResultsCome(node);
        node.kill();
      }
      assertThat(restore(file, "--data-dir", first).err())
          .contains(first + " is not empty, and a backup is restored into an empty place only");
      var restored = restore(file, "--data-dir", second);
      assertThat(restored.exitCode()).as(restored.err()).isZero();
      assertThat(restored.out()).contains("Restored").contains(second.toString());
      try (var node = node(second, Map.of())) {
        goesOn(node, uploads, queue);
      }
      intoADatabaseOfOurOwn();
    }
  }

  private ServedNode node(Path data, Map<String, String> environment) {
    var node = new ServedNode(data, directory.resolve("log"), environment);
    assertThat(node.awaitListening()).isTrue();
    return node;
  }

  private Cli at(ServedNode node) {
    return Cli.in(directory.path()).inCiJob(node.url(), TOKEN);
  }

  private Cli.Ran restore(Path backup, String option, Object place) {
    return Cli.in(directory.path()).call("restore", backup.toString(), option, place.toString());
  }

  private ObjectNode pausedQueue(ServedNode node) throws Exception {
    var script = new ProcessBuilder("sh", "-ec", REPOSITORY).directory(directory.path().toFile());
    assertThat(script.inheritIO().start().waitFor()).isZero();
    var request = Json.object();
    request.putObject("repo").put("host", "github.com").put("owner", "acme").put("name", "shop");
    request.put("address", directory.resolve("shop.git").toString()).put("testCommand", "true");
    new ApiClient(node.url(), TOKEN).post("connectRepository", request);
    Cli cli = at(node);
    assertThat(cli.run("queue create").exitCode()).isZero();
    assertThat(cli.run("queue pause").exitCode()).isZero();
    assertThat(cli.run("pr submit 1").exitCode()).isZero();
    assertThat(cli.run("pr submit 2").exitCode()).isZero();
    return shown(cli);
  }

  private static ObjectNode shown(Cli cli) {
    String text = cli.run("queue show --json").out();
    return Json.readObject(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Gives how many uploads were answered before the backup began. */
  private int backUpWhileResultsCome(ServedNode node) throws Exception {
    Cli cli = at(node);
    var done = new AtomicBoolean();
    var answered = new AtomicInteger();
    var some = new CountDownLatch(3);
    var uploads =
        CompletableFuture.runAsync(
            () -> {
              while (!done.get()) {
                assertThat(upload(cli, answered.get()).exitCode()).isZero();
                answered.incrementAndGet();
                some.countDown();
              }
            });
    some.await();
    int before = answered.get();
    var made = Cli.in(directory.path()).call("backup", "--data-dir", "" + first, "" + file);
    done.set(true);
    uploads.join();
    assertThat(made.exitCode()).as(made.err()).isZero();
    assertThat(made.out()).contains("Backed up").contains("It holds secrets");
    return before;
  }

  private Cli.Ran upload(Cli cli, int number) {
    try {
      Files.writeString(
          directory.resolve("junit.xml"),
          "<testsuite><testcase classname='Clock' name='ticks%d'/></testsuite>".formatted(number));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return cli.run("upload junit.xml");
  }

  private void goesOn(ServedNode node, int uploads, ObjectNode queue) throws Exception {
    Cli cli = at(node);
    assertThat(node.get("/v1/whoami", TOKEN).statusCode()).isEqualTo(200);
    assertThat(shown(cli)).isEqualTo(queue);
    for (int number = 0; number < uploads; number++) {
      assertKnown(cli, number);
    }
    var replayed =
        Cli.in(directory.path()).run("queue replay github.com/acme/shop main --data-dir " + second);
    assertThat(replayed.exitCode()).as(replayed.out()).isZero();
    assertThat(upload(cli, 1_000_000).exitCode()).isZero();
    assertKnown(cli, 1_000_000);
    assertThat(cli.run("queue resume").exitCode()).isZero();
    for (int pr = 1; pr <= 2; pr++) {
      var merged = cli.run("pr watch %d --interval 50".formatted(pr));
      assertThat(merged.exitCode()).as(merged.toString()).isZero();
    }
    int port = URI.create(node.url()).getPort();
    var well =
        Cli.in(directory.path()).run("doctor --port %d --data-dir %s".formatted(port, second));
    assertThat(well.exitCode()).as(well.toString()).isZero();
    assertThat(well.out())
        .contains("ok    service   The service is ready")
        .contains("ok    queues    None of 1 queues is paused or stalls.")
        .contains("ok    keys      1 keys are valid");
  }

  private static void assertKnown(Cli cli, int number) {
    String name = "ticks" + number;
    var listed = cli.run("tests list --json " + name);
    assertThat(listed.out()).as(listed.err()).contains(name);
  }

  private void intoADatabaseOfOurOwn() throws IOException {
    Path again = directory.resolve("again");
    var made = Cli.in(directory.path()).call("backup", "--data-dir", "" + second, "" + again);
    assertThat(made.exitCode()).as(made.err()).isZero();
    Path data = directory.resolve("third");
    PreparedData.copyTo(data);
    try (var postgres = EmbeddedPostgres.tryStart(DataDirectory.at(data), () -> {}).orElseThrow()) {
      var address = postgres.address();
      String url =
          address
              .jdbcUrl()
              .replace("jdbc:postgresql://", "postgresql://mainstay:" + address.password() + "@");
      var restored = restore(again, "--database-url", url);
      assertThat(restored.exitCode()).as(restored.err()).isZero();
      var keys = Cli.in(directory.path()).call("keys", "list", "--database-url", url);
      assertThat(keys.exitCode()).as(keys.err()).isZero();
      assertThat(restore(again, "--database-url", url).err())
          .contains("is not empty")
          .doesNotContain(address.password());
    }
  }
}
