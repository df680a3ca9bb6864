package dev.mainstay.server.event;

import static dev.mainstay.server.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.Description;
import dev.mainstay.server.web.Visitor;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What is told of queues, pull requests and tests, in each format. */
class EventsTest extends EventScene {

  @Test
  void a_pull_request_tells_its_way_in_order_and_signed() {
    Hook all = hook("/all", "");
    hook("/trunk", ",'format':'trunk'");
    hook("/slack", ",'format':'slack'");
    hook("/other", ",'repos':['git.example/acme/another']");
    queue("connectRepository", "'address':'%s'".formatted(git.address()));
    queue("createQueue", "'requiredStatuses':['ci']");
    git.open(7, "seven");
    queue("submitPullRequest", 7, "");
    report(7, "SUCCESS");
    List<Receiver.Got> told = receiver.await("/all", 7);
    assertThat(types(told))
        .as("in any place, since it is of another subject")
        .contains("queue.created");
    List<Receiver.Got> got =
        told.stream().filter(one -> one.type().startsWith("pull_request.")).toList();
    assertThat(types(got))
        .containsExactly(
            "pull_request.submitted",
            "pull_request.not_ready",
            "pull_request.queued",
            "pull_request.testing",
            "pull_request.tests_passed",
            "pull_request.merged");
    assertThat(got).allSatisfy(one -> assertThat(one.isSignedBy(all.secret())).isTrue());
    assertThat(got).allSatisfy(EventScene::assertDescribed);
    assertThat(got.stream().map(one -> one.data().path("sequence").asLong()).toList()).isSorted();
    assertThat(got.stream().map(one -> one.header("webhook-id"))).doesNotHaveDuplicates();
    JsonNode merged = got.getLast().data();
    assertThat(merged.at("/pullRequest/state").asString()).isEqualTo("MERGED");
    assertThat(merged.at("/reason/code").asString()).isEqualTo("merged_by_queue");
    assertThat(merged.at("/landed/sha").asString()).hasSize(40);
    assertThat(merged.at("/links/pullRequest").asString())
        .endsWith("/default/git.example/acme/shop/queues/main/pulls/7");

    git.open(8, "eight");
    queue("submitPullRequest", 8, "");
    JsonNode run = run(8);
    shop.upload(
        clock.instant(),
        "&branch=%s&commit=%s&job=ci"
            .formatted(run.path("testBranch").asString(), run.path("testBranchSha").asString()),
        "adds failed expected 1");
    report(8, "FAILURE");
    Receiver.Got failed =
        until(
                () -> receiver.at("/all"),
                all8 -> all8.stream().anyMatch(g -> g.type().equals("pull_request.failed")))
            .getLast();
    assertDescribed(failed);
    assertThat(failed.data().at("/failedTests/0/name").asString())
        .as(failed.body())
        .isEqualTo("adds");
    assertThat(failed.data().at("/failedTestsTotal").asInt()).isEqualTo(1);

    queue("updateQueue", "'state':'PAUSED','concurrency':3");
    queue("updateQueue", "'state':'RUNNING'");
    queue("updateQueue", "'state':'DRAINING'");
    queue("deleteQueue", "");
    List<Receiver.Got> afterwards =
        until(() -> receiver.at("/all"), g -> g.getLast().type().equals("queue.deleted"));
    assertThat(afterwards).allSatisfy(EventScene::assertDescribed);
    assertThat(types(afterwards))
        .containsSubsequence(
            "queue.updated", "queue.paused", "queue.resumed", "queue.draining", "queue.deleted");
    JsonNode changed =
        afterwards.stream()
            .filter(g -> g.type().equals("queue.updated"))
            .findFirst()
            .orElseThrow()
            .data()
            .path("changed");
    assertThat(changed.at("/concurrency/after").asInt()).isEqualTo(3);

    Receiver.Got flat = last("/trunk", "pull_request.failed").getLast();
    assertThat(flat.json().path("action").asString()).isEqualTo("failed");
    assertThat(flat.json().path("pr_number").asInt()).isEqualTo(8);
    assertThat(flat.json().at("/repository/owner").asString()).isEqualTo("acme");
    assertThat(flat.json().path("target_branch").asString()).isEqualTo("main");
    assertThat(flat.json().path("test_branch_sha").asString()).hasSize(40);
    assertThat(flat.json().path("failure_reason").asString()).isNotEmpty();
    assertThat(types(receiver.at("/trunk"))).noneMatch(type -> type.startsWith("queue."));

    List<Receiver.Got> slack = receiver.await("/slack", 3);
    assertThat(slack.stream().map(g -> g.json().path("text").asString()))
        .satisfiesExactly(
            merge -> assertThat(merge).contains("#7").contains("merged"),
            fail -> assertThat(fail).contains("#8").contains("failed"),
            pause -> assertThat(pause).contains("paused"));
    assertThat(slack.get(1).json().at("/blocks/0/text/text").asString())
        .contains("The status ci failed.")
        .contains("|adds>");
    assertThat(receiver.at("/other")).isEmpty();
  }

  @Test
  void a_queue_that_does_not_move_says_why_and_since_when() {
    hook("/all", "");
    hook("/slack", ",'format':'slack'");
    queue("connectRepository", "'address':'%s'".formatted(git.address()));
    queue("createQueue", "'requiredStatuses':['ci']");
    git.open(7, "seven");
    queue("submitPullRequest", 7, "");
    run(7);
    clock.advance(Duration.ofMinutes(31));
    Receiver.Got stalled = last("/all", "queue.stalled").getLast();
    assertDescribed(stalled);
    assertThat(stalled.data().at("/reason/code").asString()).isEqualTo("check_missing");
    assertThat(stalled.data().at("/reason/message").asString()).contains("ci").contains("#7");
    assertThat(stalled.data().at("/queue/targetBranch").asString()).isEqualTo("main");
    JsonNode shown = queue("getQueue", "").path("stalled");
    assertThat(shown.path("cause").asString()).isEqualTo("check_missing");
    assertThat(shown.path("since")).isEqualTo(stalled.data().path("stalledSince"));
    assertThat(receiver.await("/slack", 1).getFirst().json().path("text").asString())
        .contains("does not move");
    assertThat(node.get("/v1/getMergeQueueMetrics", node.token()).body())
        .containsPattern("mq_stalled\\{[^}]*} 1");
    assertThat(
            Visitor.signedIn(node, node.token())
                .look("/default/git.example/acme/shop/queues/main")
                .body())
        .contains("Nothing has moved since");

    report(7, "SUCCESS");
    last("/all", "pull_request.merged");
    assertThat(queue("getQueue", "").has("stalled")).isFalse();
    assertThat(types(receiver.at("/all"))).containsOnlyOnce("queue.stalled");
  }

  private String fault(String operation, String fields) {
    var answer = node.post("/v1/" + operation, node.token(), json(fields));
    assertThat(answer.status()).as(answer.body()).isEqualTo(400);
    return answer.body();
  }

  @Test
  void the_description_names_every_kind_and_which_are_told_only_if_asked_for() {
    var described = Description.DOCUMENT.path("webhooks");
    assertThat(described.propertyNames())
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(EventKind.values()).map(EventKind::label).toList());
    assertThat(EventKind.all())
        .allSatisfy(
            kind ->
                assertThat(
                        described.path(kind.label()).at("/post/x-only-if-asked").asBoolean(false))
                    .as(kind.label())
                    .isEqualTo(!EventKind.usual(Format.STANDARD).contains(kind)));
  }

  private List<Receiver.Got> last(String path, String type) {
    return until(
        () -> receiver.at(path).stream().filter(g -> g.type().equals(type)).toList(),
        got -> !got.isEmpty());
  }

  private void awaitEnd(String code) {
    until(
        () -> last("/all", "test_case.quarantine_ended"),
        ends -> ends.getLast().data().at("/reason/code").asString().equals(code));
  }

  @Test
  void a_test_tells_its_status_its_quarantine_and_its_ticket() {
    hook("/all", ",'kinds':['test_case.*','upload.failed_tests']");
    hook("/trunk", ",'format':'trunk','kinds':['test_case.*']");
    hook("/slack", ",'format':'slack'");
    String newer = ",'kinds':['v2.test_case.status_changed']";
    Hook v2 = hook("/v2", ",'format':'trunk'" + newer);
    String url = "'url':'%s'".formatted(receiver.address("/v2"));
    assertThat(fault("webhooks/create", url + newer)).contains("only the format trunk has");
    assertThat(fault("webhooks/set", "'id':'%s','format':'standard'".formatted(v2.id())))
        .contains("only the format trunk has");
    assertThat(fault("webhooks/create", url + ",'kinds':['v2.*']")).contains("kinds of events");
    shop.upload(clock.instant(), "&branch=main&commit=c1&job=ci", "adds failed", "other passed");
    Receiver.Got upload = last("/all", "upload.failed_tests").getFirst();
    assertDescribed(upload);
    assertThat(upload.data().at("/failed_tests/0/name").asString()).isEqualTo("adds");
    shop.ask(
        "/v1/repositories/set-test-settings", "\"quarantining\":true,\"auto_quarantine\":true");
    shop.upload(clock.instant(), "&branch=main&commit=c1&job=ci&attempt=2", "adds passed");
    JsonNode flaky = last("/all", "test_case.status_changed").getFirst().data();
    assertThat(flaky.path("status").asString()).isEqualTo("flaky");
    assertThat(flaky.path("previous_status").asString()).isEqualTo("healthy");
    assertThat(flaky.at("/test_case/name").asString()).isEqualTo("adds");
    assertThat(flaky.at("/evidence/failures").asInt()).isPositive();
    assertThat(
            last("/all", "test_case.monitor_status_changed")
                .getFirst()
                .data()
                .at("/monitor/status")
                .asString())
        .isEqualTo("active");

    String test = shop.id("adds").toString();
    String about = "\"test_id\":\"%s\",\"setting\":\"%s\"";
    shop.ask(
        "/v1/tests/quarantine",
        about.formatted(test, "NEVER_QUARANTINE") + ",\"reason\":\"it matters\",\"by\":\"Ada\"");
    assertThat(
            last("/all", "test_case.quarantine_setting_changed")
                .getFirst()
                .data()
                .path("by")
                .asString())
        .isEqualTo("Ada");
    assertThat(
            last("/all", "test_case.quarantine_ended")
                .getFirst()
                .data()
                .at("/reason/code")
                .asString())
        .isEqualTo("decided");
    shop.ask(
        "/v1/tests/quarantine",
        about.formatted(test, "ALWAYS_QUARANTINE")
            + ",\"reason\":\"for a day\",\"until\":\"%s\""
                .formatted(clock.instant().plusSeconds(60)));
    shop.ask("/v1/repositories/set-test-settings", "\"auto_quarantine\":false");
    clock.advance(Duration.ofMinutes(2));
    until(
        () -> last("/all", "test_case.quarantine_ended"),
        ends -> ends.getLast().data().at("/reason/code").asString().equals("decision_ended"));
    shop.ask(
        "/v1/flaky-tests/link-ticket-to-test-case",
        "\"test_case_id\":\"%s\",\"external_ticket_id\":\"KEY-1\"".formatted(test));
    assertThat(
            last("/all", "test_case.ticket_linked")
                .getFirst()
                .data()
                .at("/ticket/external_ticket_id")
                .asString())
        .isEqualTo("KEY-1");
    String always = about.formatted(test, "ALWAYS_QUARANTINE") + ",\"reason\":\"known\"";
    shop.ask("/v1/tests/quarantine", always + ",\"until_ticket_closed\":true");
    node.post(
        "/v1/tickets/set", node.token(), "{\"external_ticket_id\":\"KEY-1\",\"state\":\"CLOSED\"}");
    awaitEnd("ticket_closed");
    shop.ask("/v1/tests/quarantine", always + ",\"after_passes\":1");
    shop.upload(clock.instant(), "&branch=main&commit=c2&job=ci", "adds passed");
    awaitEnd("passed_in_a_row");
    shop.ask("/v1/repositories/set-test-settings", "\"auto_quarantine\":true,\"quarantine_cap\":0");
    awaitEnd("quarantine_cap");
    List<Receiver.Got> all = receiver.at("/all");
    assertThat(all).allSatisfy(EventScene::assertDescribed);
    assertThat(
            all.stream()
                .filter(g -> g.data().has("test_case"))
                .map(g -> g.data().path("sequence").asLong())
                .toList())
        .isSorted();

    JsonNode flat = last("/trunk", "test_case.status_changed").getFirst().json();
    assertThat(flat.at("/status_change/current_status/value").asString()).isEqualTo("flaky");
    assertThat(flat.at("/status_change/previous_status").asString()).isEqualTo("healthy");
    assertThat(flat.at("/test_case/name").asString()).isEqualTo("adds");
    assertThat(
            last("/trunk", "test_case.quarantining_setting_changed")
                .getFirst()
                .json()
                .at("/quarantine_setting_changed/updated_quarantining_setting")
                .asString())
        .isEqualTo("NEVER_QUARANTINE");
    Receiver.Got flatter = receiver.await("/v2", 1).getFirst();
    assertDescribed(flatter);
    JsonNode told = flatter.json();
    assertThat(told.path("previous_status").asString()).isEqualTo("HEALTHY");
    assertThat(told.path("new_status").asString()).isEqualTo("FLAKY");
    assertThat(told.at("/triggered_by/monitor_type").asString()).isEqualTo("pass_on_retry");
    assertThat(told.at("/triggered_by/monitor_status").asString()).isEqualTo("active");
    assertThat(told.at("/repository/html_url").asString())
        .isEqualTo("https://git.example/acme/shop");
    assertThat(told.at("/test_case/html_url").asString()).endsWith("/shop/tests/" + test);
    assertThat(told.at("/test_case/quarantined").asBoolean()).isTrue();
    assertThat(told.at("/test_case/failure_rate_last_7d").asDouble()).isEqualTo(0.5);
    assertThat(types(receiver.at("/v2"))).containsOnly("v2.test_case.status_changed");
    assertThat(types(receiver.at("/trunk"))).doesNotContain("v2.test_case.status_changed");
    shop.ask("/v1/tests/quarantine", about.formatted(test, "NONE"));
    JsonNode linked =
        until(
                () -> last("/trunk", "test_case.quarantining_setting_changed"),
                all2 -> all2.size() == 5)
            .getLast()
            .json()
            .path("test_case");
    assertThat(linked.at("/ticket/html_url").asString()).endsWith("/tickets/KEY-1");
    assertThat(receiver.await("/slack", 1).getFirst().json().path("text").asString())
        .contains("adds")
        .contains("is flaky now");
  }
}
