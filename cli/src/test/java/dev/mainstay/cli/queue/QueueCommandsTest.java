package dev.mainstay.cli.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.cli.Cli;
import dev.mainstay.cli.StubServer;
import dev.mainstay.cli.StubServer.Answer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands as people and scripts call them, against a server that records and answers. */
class QueueCommandsTest {
  private static final String PR =
      """
      {"id":"1","state":"%s","priorityName":"medium","isCurrentlySubmittedToQueue":%s,"prNumber":7,
       "prTitle":"Add \\u001b[31m carts","prAuthor":"ann","readiness":{"waitingFor":[%s]},
       "reason":{"code":"x","message":"%s"},"waitsFor":[3,4],"position":2}
      """;
  private static final String WAITING =
      PR.formatted("PENDING", true, "\"Set its targets.\"", "It waits.");
  private static final String TESTING = PR.formatted("TESTING", true, "", "It is tested.");
  private static final String MERGED = PR.formatted("MERGED", false, "", "The queue merged it.");
  private static final String FAILED = PR.formatted("FAILED", false, "", "A status failed.");
  private static final String QUEUE =
      """
      {"state":"PAUSED","branch":"main","mode":"single","requiredStatuses":null,"enqueuedPullRequests":[%s]}
      """;

  @TempDir private Path dir;

  @Test
  void settings_are_sent_as_the_api_names_them() throws Exception {
    try (var server = StubServer.of(QUEUE.formatted(""))) {
      var run =
          mainstay(
              server,
              "queue create --repo git.example/a/b/c --branch dev --mode parallel --concurrency 7"
                  + " --bisection-concurrency 3 --testing-timeout 9 --pending-failure-depth 2 --optimistic true"
                  + " --batch true --batch-size 8 --batch-wait 1 --merge-method rebase --direct-merge always"
                  + " --optimization off --require ci/a,ci/b --comments false --commands false"
                  + " --status-check false --test-branch-prs false --rewrite-heads false"
                  + " --enqueueing-label merge --label-commands true --state-labels true --extension true"
                  + " --command-prefixes /mainstay,/trunk --speculation-budget 2 --flake-retries 3"
                  + " --batch-sizing auto --timeout-sizing fixed --hermetic-tests false");
      assertThat(run.exitCode()).as(run.err()).isZero();
      assertThat(server.requests())
          .extracting(StubServer.Request::text)
          .containsExactly(
              """
              createQueue {"repo":{"host":"git.example","owner":"a/b","name":"c"},"targetBranch":"dev","mode":"parallel",\
              "concurrency":7,"bisectionConcurrency":3,"testingTimeoutMinutes":9,"pendingFailureDepth":2,\
              "canOptimisticallyMerge":true,"speculationBudget":2,"flakeRetries":3,"batchSizing":"auto",\
              "timeoutSizing":"fixed","hermeticTests":false,"batch":true,"batchingMinSize":8,"batchingMaxWaitTimeMinutes":1,\
              "mergeMethod":"rebase","directMergeMode":"always","optimizationMode":"off","commentsEnabled":false,\
              "commandsEnabled":false,"statusCheckEnabled":false,"createPrsForTestingBranches":false,"rewriteHeadBranches":false,\
              "enqueueingLabel":"merge","labelCommandsEnabled":true,"stateLabelsEnabled":true,"extensionEnabled":true,\
              "commandPrefixes":["/mainstay","/trunk"],"requiredStatuses":["ci/a","ci/b"]}""");
    }
  }

  @Test
  void a_queue_is_shown_as_tables_or_as_json() throws Exception {
    try (var server = StubServer.of(QUEUE.formatted(WAITING))) {
      var run = mainstay(server, "queue show");
      assertThat(run.out())
          .startsWith("main is PAUSED\n\nPOS ")
          .containsPattern("requiredStatuses +as the forge requires")
          .containsPattern("2 +#7 +PENDING +medium +Add \\?\\[31m carts +ann +#3 #4 +It waits\\.")
          .doesNotContain("\u001b");
      assertThat(server.last()).contains("\"owner\":\"acme\",\"name\":\"shop\"");
      assertThat(mainstay(server, "queue pause --json").out()).startsWith("{\"state\":\"PAUSED\"");
      assertThat(server.last()).startsWith("updateQueue").contains("\"PAUSED\"");
    }
  }

  @Test
  void a_refusal_shows_every_fault() throws Exception {
    String problem =
        """
        {"status":400,"detail":"The request has 2 faults; see errors.","errors":[
         {"field":"concurrency","message":"must be a whole number from 1 to 1000"},
         {"field":"mode","message":"must be single or parallel"}]}
        """;
    try (var server = new StubServer(new Answer(400, problem))) {
      var run = mainstay(server, "queue set --concurrency 0 --mode both");
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err())
          .contains("  concurrency: must be a whole number from 1 to 1000")
          .contains("  mode: must be single or parallel");
    }
    try (var server =
        new StubServer(new Answer(409, "{\"detail\":\"Still in the queue: #7 (TESTING).\"}"))) {
      assertThat(mainstay(server, "queue delete").err())
          .isEqualTo("mainstay: Still in the queue: #7 (TESTING).\n");
    }
  }

  @Test
  void a_pull_request_is_submitted_and_shown() throws Exception {
    try (var server = StubServer.of(WAITING)) {
      var run = mainstay(server, "pr submit 7 --priority urgent --no-batch");
      assertThat(run.out()).contains("#7").contains("waits: Set its targets.");
      assertThat(server.last())
          .startsWith("submitPullRequest")
          .contains("\"pr\":{\"number\":7},\"priority\":\"urgent\",\"noBatch\":true");
      assertThat(mainstay(server, "pr cancel 7").out()).isEqualTo("Cancelled #7.\n");
      assertThat(server.last()).startsWith("cancelPullRequest");
    }
  }

  @Test
  void targets_come_from_arguments_files_and_standard_input() throws Exception {
    Files.writeString(dir.resolve("targets"), "//b\n\n  //c  \n");
    try (var server = StubServer.of("{}")) {
      mainstay(server, "pr targets 7 //a --file targets --sha 0123");
      assertThat(server.last())
          .contains(
              "\"pr\":{\"number\":7,\"sha\":\"0123\"},\"impactedTargets\":[\"//a\",\"//b\",\"//c\"]");
      Cli.in(dir).inCiJob(server.url(), "mst_x").reading("//d\n").run("pr targets 7 --file -");
      assertThat(server.last()).contains("\"impactedTargets\":[\"//d\"]");
      mainstay(server, "pr targets 7 --all");
      assertThat(server.last()).contains("\"impactedTargets\":\"ALL\"");
      assertThat(mainstay(server, "pr targets 7").err()).contains("one of them");
      assertThat(server.requests()).hasSize(3);
    }
  }

  @Test
  void watching_prints_each_change_once_and_ends_with_the_pull_request() throws Exception {
    try (var server = StubServer.of(WAITING, WAITING, TESTING, MERGED)) {
      var run = mainstay(server, "pr watch 7 --interval 5");
      assertThat(run.exitCode()).isZero();
      assertThat(run.out().lines())
          .hasSize(3)
          .last()
          .asString()
          .endsWith("#7 MERGED at 2: The queue merged it. Waits for #3 #4.");
    }
    try (var server = StubServer.of(TESTING, FAILED)) {
      var run = mainstay(server, "pr watch 7 --interval 5 --json");
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.out().lines()).hasSize(2).allMatch(line -> line.startsWith("{\"id\""));
    }
  }

  @Test
  void watching_ends_where_only_a_person_can_help() throws Exception {
    String stuck =
        PR.formatted("NOT_READY", true, "", "Nothing says what must pass.")
            .replace("\"code\":\"x\"", "\"code\":\"no_required_statuses\"");
    String looking = stuck.replace("no_required_statuses", "mergeability_unknown");
    try (var server = StubServer.of(stuck, looking, looking, looking, stuck, stuck, MERGED)) {
      var run = mainstay(server, "pr watch 7 --interval 5");
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err())
          .contains("#7 waits for a person: Nothing says what must pass. Watch it again");
      assertThat(server.requests()).hasSize(6);
    }
  }

  @Test
  void watching_ends_when_its_time_is_over() throws Exception {
    try (var server = StubServer.of(TESTING)) {
      var run = mainstay(server, "pr watch 7 --interval 5 --timeout 0s");
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err()).contains("Watching ended by --timeout");
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void a_ci_job_reports_a_status_by_its_name_and_state_alone() throws Exception {
    try (var server = StubServer.of("{}")) {
      var run = mainstay(server, "status report ci/build success --details https://ci/1");
      assertThat(run.out()).isEqualTo("Reported ci/build as success.\n");
      assertThat(server.last())
          .startsWith("reportTestStatus")
          .contains(
              "\"targetBranch\":\"main\",\"name\":\"ci/build\",\"state\":\"success\",\"testBranchSha\":\"abc\",\"url\":\"https://ci/1\"");
      mainstay(server, "status report ci/build failure --pr-sha 0123 --branch dev");
      assertThat(server.last()).contains("\"pr\":{\"sha\":\"0123\"}").contains("\"dev\"");
      mainstay(server, "status report ci/build pending --run abc-1");
      assertThat(server.last()).contains("\"testRunId\":\"abc-1\"").doesNotContain("Sha");
    }
  }

  @Test
  void lists_are_read_page_by_page() throws Exception {
    String page =
        """
        {"pullRequests":[%s,%s],"nextCursor":"more"}
        """
            .formatted(TESTING, MERGED);
    try (var server = StubServer.of(page, page.replace(",\"nextCursor\":\"more\"", ""))) {
      var run = mainstay(server, "pr list --state testing --since 7d");
      assertThat(run.out().lines()).hasSize(5);
      assertThat(server.last()).contains("\"cursor\":\"more\"").contains("\"take\":48");
    }
    try (var server = StubServer.of(page)) {
      assertThat(mainstay(server, "pr list --limit 2").out()).contains("There are more");
      assertThat(server.requests()).hasSize(1);
    }
  }

  private Cli.Ran mainstay(StubServer server, String command) {
    return Cli.in(dir).inCiJob(server.url(), "mst_x").run(command);
  }
}
