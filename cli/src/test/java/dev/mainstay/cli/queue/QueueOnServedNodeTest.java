package dev.mainstay.cli.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.cli.Cli;
import dev.mainstay.cli.SharedNode;
import dev.mainstay.cli.Waiting;
import dev.mainstay.cli.api.ApiClient;
import dev.mainstay.server.platform.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From an empty repository to merged and rejected pull requests, by commands alone. */
@Order(2)
class QueueOnServedNodeTest {
  @TempDir private Path directory;

  @Test
  void pull_requests_are_submitted_watched_and_end() throws Exception {
    makeRepository();
    String token = SharedNode.newOrganization("queues");
    connect(token, "test ! -e broken");
    var cli = Cli.in(directory).inCiJob(SharedNode.node().url(), token);
    assertThat(cli.run("queue create --concurrency 3").out()).contains("main is RUNNING");
    assertThat(cli.run("queue create").err()).contains("has a queue already");
    assertThat(cli.run("queue pause").out()).contains("main is PAUSED");
    assertThat(cli.run("pr submit 1 --priority high").out()).contains("#1");
    assertThat(cli.run("pr submit 2").out()).contains("#2").contains("Add broken");
    assertThat(cli.run("queue delete").err()).contains("#1 (NOT_READY)");
    assertThat(cli.run("queue resume").exitCode()).isZero();
    var merged = cli.run("pr watch 1 --interval 50");
    assertThat(merged.exitCode()).as(merged.toString()).isZero();
    assertThat(merged.out().lines().toList().getLast()).contains("#1 MERGED");
    var failed = cli.run("pr watch 2 --interval 50");
    assertThat(failed.exitCode()).as(failed.toString()).isEqualTo(1);
    assertThat(failed.out()).contains("#2 FAILED");
    assertThat(failed.out().lines().toList().getLast()).contains("The test command ended with 1.");
    assertThat(cli.run("pr status 2").out()).contains("failed: mainstay/test");
    assertThat(cli.run("pr story 2").out())
        .containsPattern("#2 Add broken\n\n\\S+: FAILED, submitted 2")
        .containsPattern("TESTING +\\S+-\\d+ +A slot is free")
        .containsPattern("FAILED +\\S+-\\d+ +The status mainstay/test failed");
    assertThat(cli.run("pr list --reason test_failed --since 1h").out())
        .contains("#2")
        .doesNotContain("#1");
    assertThat(cli.run("pr list --until 1h").out()).isEqualTo("There is none.\n");
    assertThat(cli.run("pr list --reason bored").err()).contains("reasonCode");
    String health = cli.run("queue health --step hour --since 2h").out();
    assertThat(health)
        .containsPattern("total +2 +1 +1 +0 ")
        .containsPattern("merged_by_queue +1\n")
        .containsPattern("test_failed +1\n")
        .containsPattern("testing +\\d:\\d\\d:\\d\\d ");
    assertThat(cli.run("queue health --json").out()).startsWith("{\"from\":");
    assertThat(cli.run("queue health --since 500d").err()).contains("400 steps");
    assertThat(cli.run("pr cancel 2").err()).contains("FAILED already");
    assertThat(cli.run("pr submit 9").err()).contains("no pull request #9");
    assertThat(cli.run("queue show --json").out()).contains("\"enqueuedPullRequests\":[]");
    assertThat(cli.run("queue delete").out()).isEqualTo("Deleted.\n");
  }

  @Test
  void what_is_awaited_and_what_will_not_work_is_shown() throws Exception {
    makeRepository();
    String token = SharedNode.newOrganization("awaiting");
    connect(token, "true");
    var cli = Cli.in(directory).inCiJob(SharedNode.node().url(), token);
    assertThat(cli.run("queue create --require ci/build,ci/test").out())
        .contains("warning: The repository's test command is never run")
        .contains("warning: ci/build and ci/test must be reported");
    cli.run("pr submit 1");
    String awaited = "Nothing was reported yet for ci/build and ci/test, awaited since 20";
    Waiting.until(() -> cli.run("pr status 1").out().contains(awaited));
    assertThat(cli.run("queue show").out())
        .contains("warning: The repository's test command is never run")
        .contains(awaited);
    assertThat(cli.run("queue set --mode parallel").out())
        .contains("main is SWITCHING_MODES, to parallel");
  }

  private static final String TESTS =
      """
      test "$(git rev-parse HEAD)" = "$MAINSTAY_COMMIT" || exit 9
      result=; [ ! -e broken ] || result='<failure message="no answer"/>'
      echo "<testsuite name='shop'><testcase classname='Clock' name='ticks'>$result</testcase></testsuite>" >junit.xml
      [ -z "$result" ] || { echo 'the clock did not answer'; exit 1; }
      """;

  @Test
  void a_queue_forgives_what_is_quarantined_and_says_what_is_not() throws Exception {
    makeRepository();
    Files.writeString(directory.resolve("tests.sh"), TESTS);
    String token = SharedNode.newOrganization("meeting");
    connect(token, "mainstay test -- sh " + directory.resolve("tests.sh"));
    var cli = Cli.in(directory).inCiJob(SharedNode.node().url(), token);
    assertThat(cli.run("queue create").exitCode()).isZero();
    cli.run("pr submit 1");
    cli.run("pr submit 2");
    assertThat(cli.run("pr watch 1 --interval 50").exitCode()).isZero();
    var failed = cli.run("pr watch 2 --interval 50");
    assertThat(failed.exitCode()).as(failed.toString()).isEqualTo(1);
    String why = "failed test: Clock ticks: no answer";
    assertThat(failed.out()).contains(why);
    assertThat(cli.run("pr status 2").out()).contains(why).contains("  | the clock did not answer");
    assertThat(cli.run("pr logs 2 --follow").out())
        .contains("the clock did not answer")
        .contains("1 tests, 1 failed, 0 of them quarantined.");
    assertThat(cli.run("pr logs 2 --lines 1").out()).isEqualTo("The test command ended with 1.\n");
    var log = Json.readObject(cli.run("pr logs 2 --json").out().getBytes(StandardCharsets.UTF_8));
    String test = log.at("/failedTests/0/testId").asString();
    assertThat(cli.run("repo set --quarantining true").exitCode()).isZero();
    assertThat(cli.run("tests quarantine %s always --reason known".formatted(test)).exitCode())
        .isZero();
    cli.run("pr submit 2");
    var merged = cli.run("pr watch 2 --interval 50");
    assertThat(merged.exitCode()).as(merged.toString()).isZero();
    assertThat(cli.run("pr logs 2").out())
        .contains("All 1 failed tests are quarantined.")
        .doesNotContain("mrk_");
  }

  @Test
  void a_secret_of_the_operator_reaches_the_commands_of_one_organization_and_never_shows()
      throws Exception {
    makeRepository();
    Path seen = Files.createDirectory(directory.resolve("seen"));
    Files.setPosixFilePermissions(seen, PosixFilePermissions.fromString("rwxrwxrwx"));
    for (String token : List.of(SharedNode.FIRST_TOKEN, SharedNode.newOrganization("strangers"))) {
      int pr = token.equals(SharedNode.FIRST_TOKEN) ? 1 : 2;
      connect(token, "echo \"[$SHOP_SECRET]\" | tee -a " + seen.resolve("all") + "; env >&2");
      var cli = Cli.in(directory).inCiJob(SharedNode.node().url(), token);
      cli.run("queue create");
      cli.run("pr submit " + pr);
      cli.run("pr watch %d --interval 50".formatted(pr));
      assertThat(cli.run("pr logs " + pr).out())
          .contains("MAINSTAY_COMMIT=", "MAINSTAY_API_TOKEN=***")
          .contains(pr == 1 ? "[***]" : "[]")
          .doesNotContain(SharedNode.HANDED_IN)
          .doesNotContain("MAINSTAY_TOKEN")
          .doesNotContain(SharedNode.FIRST_TOKEN);
    }
    assertThat(Files.readString(seen.resolve("all")))
        .isEqualTo("[%s]\n[]\n".formatted(SharedNode.HANDED_IN));
  }

  private void connect(String token, String command) {
    var request = Json.object();
    request.putObject("repo").put("host", "github.com").put("owner", "acme").put("name", "shop");
    request.put("address", directory.resolve("shop.git").toString()).put("testCommand", command);
    new ApiClient(SharedNode.node().url(), token).post("connectRepository", request);
  }

  private void makeRepository() throws Exception {
    // Test commands may run as a user of their own.
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    git("init", "--quiet", "--bare", "--initial-branch=main", "shop.git");
    git("init", "--quiet", "--initial-branch=main", "author");
    commit("README", "main");
    for (String file : List.of("good", "broken")) {
      git("-C", "author", "checkout", "--quiet", "-B", "work", "main");
      commit(file, file.equals("good") ? "work:refs/pull/1/head" : "work:refs/pull/2/head");
    }
  }

  private void commit(String file, String to) throws Exception {
    Files.writeString(directory.resolve("author").resolve(file), file);
    git("-C", "author", "add", file);
    git(
        "-C",
        "author",
        "-c",
        "user.name=Ann",
        "-c",
        "user.email=ann@example.org",
        "commit",
        "-qm",
        "Add " + file);
    git("-C", "author", "push", "--quiet", directory.resolve("shop.git").toString(), to);
  }

  private void git(String... arguments) throws Exception {
    var command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    var process = new ProcessBuilder(command).directory(directory.toFile()).inheritIO().start();
    assertThat(process.waitFor()).as(String.join(" ", command)).isZero();
  }
}
