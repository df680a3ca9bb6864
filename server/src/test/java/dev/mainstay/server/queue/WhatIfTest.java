package dev.mainstay.server.queue;

import static dev.mainstay.server.queue.QueueCalls.faults;
import static dev.mainstay.server.queue.QueueCalls.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.MovableClock;
import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.http.Scope;
import dev.mainstay.server.web.Visitor;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * The past of a queue, made over HTTP, played through other settings. Twenty pull requests come at
 * once and are tested one after the other, ten minutes each: the tenth fails, the last fails for no
 * reason and merges when it is submitted again. All figures are worked out by hand.
 */
class WhatIfTest {
  private static final int CHANGES = 20;
  private static final int BROKEN = 10;
  private static final Duration TEST = Duration.ofMinutes(10);
  private static final Database.Address ADDRESS = TestDatabase.withTables();
  private static final TestKeys KEYS = new TestKeys(ADDRESS);
  private static final MovableClock CLOCK = new MovableClock();

  @TempDir private static Path dir;
  private static TestNode node;
  private static QueueStory story;
  private static Instant began;

  @BeforeAll
  static void live() {
    node = TestNode.start(ADDRESS, CLOCK);
    story = new QueueStory(node, dir).begin("'concurrency':1");
    began = CLOCK.instant();
    for (int pr = 1; pr <= CHANGES + 1; pr++) {
      story.git.open(pr, "1");
      story.submit(pr);
    }
    story.queue.ok("cancelPullRequest", CHANGES + 1);
    for (int pr = 1; pr <= CHANGES; pr++) {
      test(pr, pr != BROKEN && pr != CHANGES);
    }
    story.submit(CHANGES);
    test(CHANGES, true);
    CLOCK.advance(Duration.ofSeconds(1));
  }

  private static void test(int pr, boolean passes) {
    JsonNode run = story.awaitRun(pr);
    CLOCK.advance(TEST);
    // What was planned before the clock moved is written now, and the report is not among it.
    story.submit(pr);
    story.report(run, passes ? "SUCCESS" : "FAILURE");
    story.await(pr, passes ? "MERGED" : "FAILED");
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static JsonNode ask(String more) {
    CLOCK.advance(Duration.ofSeconds(1));
    return story.queue.ok(
        "simulateQueue", "'from':'%s'%s".formatted(began, more.isEmpty() ? "" : "," + more));
  }

  private static JsonNode row(JsonNode answer, String label) {
    return answer
        .path("rows")
        .valueStream()
        .filter(r -> r.path("label").asString().equals(label))
        .findFirst()
        .orElseThrow(() -> new AssertionError(label + " is not in " + answer));
  }

  /** All that the figures were made of. */
  private static String whatHappened() {
    return IntStream.rangeClosed(1, CHANGES)
        .mapToObj(pr -> "\n" + story.queue.ok("getPullRequestHistory", pr))
        .collect(Collectors.joining());
  }

  private static void took(JsonNode figures, double p50, double p95, double p99) {
    JsonNode minutes = figures.path("turnaroundMinutes");
    assertThat(List.of(minutes.path("p50"), minutes.path("p95"), minutes.path("p99")))
        .as(() -> figures + whatHappened())
        .extracting(JsonNode::asDouble)
        .containsExactly(p50, p95, p99);
  }

  @Test
  void the_present_settings_take_as_long_as_it_took() {
    JsonNode answer = ask("'usual':false");
    assertThat(answer.path("changes").asInt()).isEqualTo(CHANGES);
    assertThat(answer.path("guessed").asInt())
        .as("the tenth stood on the ninth, which was about to merge")
        .isEqualTo(1);
    assertThat(answer.path("known").asInt()).isEqualTo(CHANGES - 1);
    assertThat(answer.path("leftOut").toString())
        .contains("{\"code\":\"cancelled_by_user\",\"count\":1}")
        .contains("{\"code\":\"submitted_again\",\"count\":1}");
    assertThat(answer.path("found").path("failedAlone").asInt()).isEqualTo(1);
    assertThat(answer.path("found").path("flakes").asInt()).isEqualTo(1);
    assertThat(answer.path("notes").toString())
        .contains("not known; none are assumed")
        .contains("The impacted targets of 20 changes are not known");
    JsonNode was = answer.path("asItWas");
    took(was, 100, 190, 200);
    assertThat(was.path("landed").asInt()).isEqualTo(CHANGES - 2);
    assertThat(was.path("falseEjections").asInt()).isEqualTo(1);
    assertThat(was.path("buildsPerChange").asDouble())
        .as("the one that came again counts")
        .isEqualTo(1.05);
    assertThat(was.has("greenShare")).isFalse();
    assertThat(answer.path("rows").size()).isEqualTo(1);
    JsonNode present = answer.path("rows").get(0);
    assertThat(present.path("kind").asString()).isEqualTo("PRESENT");
    assertThat(present.path("settings").path("concurrency").asInt()).isEqualTo(1);
    took(present.path("figures"), 100, 190, 200);
    assertThat(present.path("figures").path("falseEjections").asInt()).isEqualTo(1);
    assertThat(present.path("figures").path("buildMinutesPerChange").asDouble()).isEqualTo(10);
    assertThat(present.path("figures").path("greenShare").asDouble()).isEqualTo(1);
  }

  @Test
  void other_settings_and_policies_are_played_beside_them() {
    JsonNode answer =
        ask(
            "'variants':[{'settings':{'concurrency':20}},"
                + "{'label':'in sixes','settings':{'batch':true,'batchingMinSize':6}}],"
                + "'policies':['serial','oracle']");
    JsonNode beside = row(answer, "concurrency=20");
    assertThat(beside.path("kind").asString()).isEqualTo("ASKED");
    took(beside.path("figures"), 10, 20, 20);
    assertThat(beside.path("figures").path("buildsPerChange").asDouble())
        .as("what stood on the tenth began again")
        .isEqualTo(1.5);
    assertThat(row(answer, "in sixes").path("settings").path("batchingMinSize").asInt())
        .isEqualTo(6);
    assertThat(row(answer, "in sixes").at("/figures/buildsPerChange").asDouble()).isLessThan(1);
    took(row(answer, "serial").path("figures"), 100, 190, 200);
    assertThat(row(answer, "oracle").at("/figures/buildsPerChange").asDouble()).isEqualTo(1);
    assertThat(row(answer, "oracle").has("settings")).isFalse();
    assertThat(row(answer, "concurrency=2").path("kind").asString()).isEqualTo("USUAL");
    assertThat(answer.path("rows").valueStream().map(r -> r.path("label").asString()))
        .contains("speculationBudget=1", "batch=true, batchSizing=AUTO")
        .doesNotContain("mode=parallel");
    assertThat(answer.path("rows").valueStream()).allMatch(r -> r.has("figures"));
  }

  @Test
  void the_same_question_is_answered_once_in_a_while() {
    String first = ask("'usual':false,'policies':['none']").path("to").asString();
    CLOCK.advance(Duration.ofMinutes(4));
    assertThat(ask("'usual':false,'policies':['none']").path("to").asString()).isEqualTo(first);
    assertThat(ask("'usual':false,'policies':['zuul:3']").path("to").asString())
        .as("another question")
        .isNotEqualTo(first);
    CLOCK.advance(Duration.ofMinutes(2));
    assertThat(ask("'usual':false,'policies':['none']").path("to").asString()).isNotEqualTo(first);
  }

  @Test
  void what_cannot_be_asked_is_named() {
    QueueCalls queue = story.queue;
    assertThat(
            faults(
                queue.call(
                    "simulateQueue",
                    "'from':'x','usual':1,'policies':['bors:0'],'variants':[{'settings':"
                        + "{'concurrency':0}},{'settings':{'mergeMethod':'REBASE'}},{'label':' '},"
                        + "{'settings':{}}]")))
        .containsExactlyInAnyOrder(
            "from",
            "usual",
            "policies",
            "variants[0].settings.concurrency",
            "variants[1].settings",
            "variants[2].settings",
            "variants[2].label",
            "variants[3].settings");
    String twice = "{'settings':{'batch':true}}";
    assertThat(faults(queue.call("simulateQueue", "'variants':[%s,%s]".formatted(twice, twice))))
        .containsExactly("variants[1].label");
    assertThat(faults(queue.call("simulateQueue", "'variants':[7]"))).containsExactly("variants");
    assertThat(
            faults(
                queue.call("simulateQueue", "'variants':[%s]".formatted("{},".repeat(8) + "{}"))))
        .containsExactly("variants");
    for (String from : List.of("9999-12-31T23:59:59Z", "2019-01-01T00:00:00Z")) {
      assertThat(faults(queue.call("simulateQueue", "'from':'%s'".formatted(from))))
          .containsExactly("from");
    }
  }

  private static String page(String more) {
    return "/default/git.example/acme/%s/queues/main/what-if%s".formatted(story.queue.repo(), more);
  }

  @Test
  void a_page_draws_it_and_tries_what_is_typed() {
    var member = Visitor.signedIn(node, KEYS.with(Scope.READ));
    var seen = member.look(page(""));
    assertThat(seen.status()).as(seen.body()).isEqualTo(200);
    assertThat(seen.body())
        .contains("<strong>as it was</strong>", "<strong>present settings</strong>")
        .contains("<strong>concurrency=2</strong>", "<strong>oracle</strong>")
        .contains("as it was: P50 1.67 h, P95 3.17 h, P99 3.33 h; build min per change 10.5")
        .contains("1 cancelled by user, 1 submitted again")
        .doesNotContain("style=", "yours</span>");
    var tried = member.look(page("?span=week&concurrency=20&batch=&others=no"));
    assertThat(tried.body())
        .contains("<strong>concurrency=20</strong> <span class=\"pill busy\">yours</span>")
        .contains("name=\"concurrency\" value=\"20\"")
        .contains("concurrency=20: P50 10 min, P95 20 min, P99 20 min; build min per change 15")
        .doesNotContain("<strong>oracle</strong>");
    var wrong = member.look(page("?concurrency=%22%3E%3Cscript%3E&mode=parallel"));
    assertThat(wrong.status()).isEqualTo(200);
    assertThat(wrong.body())
        .contains("Not tried: concurrency must be a whole number from 1 to 1000")
        .contains("<strong>present settings</strong>")
        .doesNotContain("\"><script>");
    String queue = page("").replace("/what-if", "");
    assertThat(member.look(queue).body()).contains("href=\"%s\"".formatted(page("")));
    assertThat(member.look(queue + "/health").body()).contains("href=\"%s\"".formatted(page("")));
  }

  @Test
  void the_page_of_another_organization_is_not_there() {
    var foreign = Visitor.signedIn(node, KEYS.foreign());
    assertThat(foreign.look(page("")).status()).isEqualTo(404);
    assertThat(foreign.look(page("").replace(story.queue.repo(), "no-such")).status())
        .isEqualTo(404);
    var none = new QueueCalls(node, node.token(), "quiet", "main");
    none.ok("createQueue");
    var empty =
        Visitor.signedIn(node, node.token()).look(page("").replace(story.queue.repo(), "quiet"));
    assertThat(empty.status()).isEqualTo(200);
    assertThat(empty.body())
        .contains("Too little has happened", "At least 20 changes")
        .contains("there were 0");
  }

  @Test
  void too_little_past_is_not_played_and_others_hear_nothing_of_it() {
    JsonNode before =
        story.queue.ok(
            "simulateQueue",
            "'from':'%s','to':'%s'".formatted(began.minusSeconds(60), began.plus(TEST)));
    assertThat(before.path("changes").asInt()).as("it ended at that very moment").isZero();
    JsonNode some =
        story.queue.ok(
            "simulateQueue",
            "'from':'%s','to':'%s'".formatted(began, began.plus(TEST.multipliedBy(5))));
    assertThat(some.path("changes").asInt()).isEqualTo(4);
    assertThat(some.path("fewestChanges").asInt()).isEqualTo(20);
    assertThat(some.path("rows").isEmpty()).isTrue();
    assertThat(some.has("asItWas")).isFalse();
    var foreign = new QueueCalls(node, KEYS.foreign(), story.queue.repo(), "main");
    refused(foreign.call("simulateQueue"), 404, "queue_not_found");
    var uploader = new QueueCalls(node, KEYS.with(Scope.UPLOAD), story.queue.repo(), "main");
    refused(uploader.call("simulateQueue"), 403, "insufficient_scope");
  }
}
