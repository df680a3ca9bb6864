package dev.mainstay.server.web.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.MovableClock;
import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.health.Shop;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.http.Scope;
import dev.mainstay.server.queue.TestKeys;
import dev.mainstay.server.web.Visitor;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The pages of tests as their visitors meet them: what they show, and what they let whom do. */
class TestPagesTest {
  private static final String HOSTILE = "<script>alert(1)</script>\"onload=x";
  private static final String HOSTILE_XML = "&lt;script&gt;alert(1)&lt;/script&gt;&quot;onload=x";
  private static final String REPO = "/default/github.com/acme/shop";
  private static final String TESTS = REPO + "/tests";
  private static final UUID NOBODY = UUID.fromString("00000000-0000-4000-8000-000000000000");

  private static TestNode node;
  private static TestKeys keys;
  private static Shop shop;
  private static String upload;
  private static String hostile = "";

  @BeforeAll
  static void start() {
    Database.Address address = TestDatabase.withTables();
    node = TestNode.start(address, new MovableClock());
    keys = new TestKeys(address);
    shop = new Shop(node, "shop");
    Instant now = node.clock().instant();
    String first = "&branch=main&commit=1111111111111111&ci_url=https://ci.example/1";
    shop.upload(
        now.minus(Duration.ofHours(3)),
        first,
        "adds passed",
        "pays failed first reason",
        hostile());
    var second =
        shop.upload(
            now.minus(Duration.ofHours(2)),
            "&branch=main&commit=2222222222222222&job=" + "%3Cb%3Ejob",
            "adds passed",
            "pays failed another thing altogether",
            hostile());
    upload = second.json().path("upload_id").asString();
    for (JsonNode failure : second.json().at("/verdict/failures")) {
      if (failure.path("name").asString().equals(HOSTILE)) {
        hostile = failure.path("test_id").asString();
      }
    }
  }

  private static String hostile() {
    return HOSTILE_XML + " failed &lt;img src=x onerror=alert(2)&gt;";
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static Visitor admin() {
    return Visitor.signedIn(node, node.token());
  }

  /** Somebody who may read and act, but has no say over the repository. */
  private static Visitor member() {
    var made =
        node.post(
            "/v1/keys/create",
            node.token(),
            "{\"name\":\"Robin\",\"scopes\":[\"read\",\"queue\"]}");
    return Visitor.signedIn(node, made.json().path("token").asString());
  }

  private static Visitor viewer() {
    return Visitor.signedIn(node, keys.with(Scope.READ));
  }

  private static String page(String test) {
    return TESTS + "/" + shop.id(test);
  }

  private static JsonNode known(String test) {
    return shop.ask("/v1/tests/show", "\"test_id\":\"%s\"".formatted(shop.id(test))).json();
  }

  private static String dayIn(int days) {
    return LocalDate.ofInstant(node.clock().instant(), ZoneOffset.UTC).plusDays(days).toString();
  }

  @Test
  void a_list_is_narrowed_by_its_address() {
    var visitor = viewer();
    String all = visitor.look(TESTS).body();
    assertThat(all)
        .contains(">adds<", ">pays<", "&lt;script&gt;alert(1)")
        .doesNotContain("<script>a");
    assertThat(visitor.look(TESTS + "?search=adds").body())
        .contains(">adds<")
        .doesNotContain(">pays<");
    assertThat(visitor.look(TESTS + "?file=src/pays*&order=failure_rate").body())
        .contains(">pays<")
        .doesNotContain(">adds<")
        .contains("value=\"src/pays*\"");
    assertThat(visitor.look(TESTS + "?status=broken&quarantined=true").body())
        .contains("No test is like that");
    assertThat(visitor.look(TESTS + "?owner=%22%3E%3Cscript%3E").body())
        .doesNotContain("\"><script>");
    assertThat(visitor.look(TESTS + "?status=%3Cscript%3E").status()).isEqualTo(400);
    assertThat(visitor.look(TESTS + "?after=nonsense").status()).isEqualTo(400);
  }

  @Test
  void a_hostile_name_is_only_a_name_on_every_page() {
    var visitor = admin();
    shop.ask(
        "/v1/flaky-tests/link-ticket-to-test-case",
        "\"test_case_id\":\"%s\",\"external_ticket_id\":\"EVIL-1\"".formatted(hostile));
    shop.ask("/v1/repositories/set-test-settings", "\"quarantining\":true");
    shop.ask(
        "/v1/tests/quarantine",
        "\"test_id\":\"%s\",\"setting\":\"ALWAYS_QUARANTINE\",\"reason\":\"r\"".formatted(hostile));
    assertThat(visitor.look(REPO + "/quarantine").body())
        .contains("&lt;script&gt;alert(1)", "never by itself");
    for (String path :
        List.of(
            TESTS,
            TESTS + "/" + hostile,
            REPO + "/quarantine",
            "/default/tickets/EVIL-1",
            REPO + "/uploads",
            REPO + "/uploads/" + upload)) {
      var seen = visitor.look(path);
      assertThat(seen.status()).as(path).isEqualTo(200);
      assertThat(seen.body())
          .doesNotContainPattern("=\"[^\"<]*\"onload")
          .doesNotContain("<script>a", "<img src=x", "<b>job", "style=", "javascript:");
    }
    assertThat(visitor.look(TESTS + "/" + hostile).body())
        .contains("<h1>&lt;script&gt;alert(1)&lt;/script&gt;\"onload=x</h1>")
        .contains("&lt;img src=x onerror=alert(2)&gt;");
  }

  @Test
  void many_tests_are_quarantined_at_once_and_the_filter_stays() {
    var visitor = member();
    var both =
        Map.of(
            "test:" + shop.id("adds"),
            "on",
            "test:" + shop.id("pays"),
            "on",
            "setting",
            "ALWAYS_QUARANTINE",
            "reason",
            "the bank is slow",
            "until",
            dayIn(30),
            "after_passes",
            "20");
    var done = visitor.act(TESTS, TESTS + "?search=a&status=healthy", both);
    assertThat(done.header("location"))
        .as(done.body())
        .isEqualTo(TESTS + "?search=a&status=healthy&said=quarantined");
    for (String test : List.of("adds", "pays")) {
      JsonNode decision = known(test).path("quarantine_override");
      assertThat(decision.path("setting").asString()).isEqualTo("ALWAYS_QUARANTINE");
      assertThat(decision.path("by").asString()).isEqualTo("Robin");
      assertThat(decision.path("reason").asString()).isEqualTo("the bank is slow");
      assertThat(decision.path("until").asString()).isEqualTo(dayIn(31) + "T00:00:00Z");
      assertThat(decision.path("after_passes").asInt()).isEqualTo(20);
    }
    var wrong = new java.util.HashMap<>(both);
    for (String passes : List.of("soon", "0", "1001")) {
      wrong.put("after_passes", passes);
      assertThat(visitor.act(TESTS, TESTS, wrong).status()).as(passes).isEqualTo(400);
    }
    var noTests = Map.of("setting", "NONE");
    assertThat(visitor.act(TESTS, TESTS, noTests).body()).contains("choose at least one");
    var unknown =
        Map.of("test:" + shop.id("adds"), "on", "test:" + NOBODY, "on", "setting", "NONE");
    assertThat(visitor.act(TESTS, TESTS, unknown).status()).isEqualTo(404);
    assertThat(known("adds").has("quarantine_override")).isTrue();
    var undone =
        Map.of("test:" + shop.id("adds"), "on", "test:" + shop.id("pays"), "on", "setting", "NONE");
    assertThat(visitor.act(TESTS, TESTS, undone).status()).isEqualTo(303);
    assertThat(known("adds").has("quarantine_override")).isFalse();
  }

  @Test
  void actions_need_a_form_of_ours_and_the_right_to_them() {
    var admin = admin();
    String page = page("adds");
    var fields = Map.of("do", "ticket", "ticket", "NO-1");
    String token = admin.look(page).token();
    assertThat(admin.send(page, fields).status()).isEqualTo(403);
    var withToken = Map.of("do", "ticket", "ticket", "NO-1", "form_token", token);
    var elsewhere = Map.of("origin", "http://evil.example");
    assertThat(admin.send(page, withToken, elsewhere).status()).isEqualTo(403);
    var viewer = viewer();
    for (String path : List.of(TESTS, page, "/default/tickets/NO-1")) {
      assertThat(viewer.look(path).body()).doesNotContain("form_token", "method=\"post\"");
    }
    String own = viewer.look("/account").token();
    for (var action :
        List.of(
            Map.of("do", "ticket", "ticket", "NO-1"),
            Map.of("do", "quarantine", "setting", "NEVER_QUARANTINE", "reason", "r"),
            Map.of("do", "mute", "monitor", NOBODY.toString(), "until", dayIn(3)))) {
      var sent = new java.util.HashMap<>(action);
      sent.put("form_token", own);
      var refused = viewer.send(page, sent);
      assertThat(refused.status()).as(action.toString()).isEqualTo(403);
      assertThat(refused.body()).contains("lacks the scope");
    }
    var closing = Map.of("state", "CLOSED", "form_token", own);
    assertThat(viewer.send("/default/tickets/NO-1", closing).status()).isEqualTo(403);
    assertThat(known("adds").path("test").has("ticket")).isFalse();
    assertThat(member().look(page).body())
        .contains("Always quarantine")
        .doesNotContain("value=\"mute\"");
  }

  @Test
  void a_test_is_decided_about_on_its_page() {
    var visitor = admin();
    String page = page("pays");
    assertThat(visitor.look(page).body())
        .contains("<strong>Healthy:</strong> No monitor has flagged this test.")
        .contains("href=\"https://ci.example/1\"")
        .contains("href=\"%s/uploads/%s\"".formatted(REPO, upload))
        .contains("first reason", "another thing altogether", "Compare the first two");
    visitor.act(page, page, Map.of("do", "ticket", "ticket", "SHOP-7"));
    var ticket = "/default/tickets/SHOP-7";
    assertThat(visitor.look(ticket).body())
        .contains(">pays<", "nobody has said whether it is open", "Mark as closed");
    var closed = visitor.act(ticket, ticket, Map.of("state", "CLOSED"));
    assertThat(closed.header("location")).isEqualTo(ticket + "?said=ticket");
    assertThat(visitor.look(page).body()).contains("SHOP-7").contains(">closed<");
    visitor.act(ticket, ticket, Map.of("state", "OPEN"));
    assertThat(visitor.look(ticket).body()).contains(">open<").doesNotContain("Mark as open");

    String monitor = known("pays").path("monitors").path(0).path("monitor_id").asString();
    var muting = Map.of("do", "mute", "monitor", monitor, "until", dayIn(3));
    assertThat(visitor.act(page, page, muting).header("location")).isEqualTo(page + "?said=muted");
    assertThat(visitor.look(page).body()).contains("muted until", ">Unmute<");
    visitor.act(page, page, Map.of("do", "unmute", "monitor", monitor));
    assertThat(visitor.look(page).body()).doesNotContain("muted until");

    var past =
        Map.of(
            "do", "quarantine", "setting", "NEVER_QUARANTINE", "reason", "r", "until", dayIn(-2));
    assertThat(visitor.act(page, page, past).body()).contains("must lie in the future");
    var nonsense = Map.of("do", "mute", "monitor", monitor, "until", "<soon>");
    assertThat(visitor.act(page, page, nonsense).status()).isEqualTo(400);
    assertThat(visitor.act(page, page, Map.of("do", "nonsense")).status()).isEqualTo(404);
  }

  @Test
  void two_groups_of_failures_stand_side_by_side() {
    var visitor = viewer();
    String page = page("pays");
    String body = visitor.look(page).body();
    String query =
        body.replaceAll("(?s).*href=\"[^\"]*\\?(left=[0-9a-f]+&(?:amp;)?right=[0-9a-f]+)#.*", "$1");
    String compared = visitor.look(page + "?" + query.replace("&amp;", "&")).body();
    assertThat(compared).contains("class=\"grid sides\"", "As a list", "the stack");
    assertThat(visitor.look(page + "?left=zz&right=%3Cscript%3E").body())
        .contains("Latest message and stack")
        .doesNotContain("<script>a");
  }

  @Test
  void uploads_say_what_came_in_and_what_was_left_out() {
    Instant now = node.clock().instant();
    var other = new Shop(node, "broken");
    String uploads = "/default/github.com/acme/broken/uploads";
    other.upload(now, "&branch=main&commit=3333333333333333", "adds passed");
    var sent =
        node.post(
            "/v1/test-results?repo=github.com/acme/broken&branch=main&commit=4444444444444444",
            node.token(),
            "application/xml",
            java.net.http.HttpRequest.BodyPublishers.ofString(
                "<testsuite><testcase name='adds'/><testcase name='x'><failure message='why"
                    + " &lt;i&gt;'/></testcase></testsuite>"));
    String id = sent.json().path("upload_id").asString();
    var visitor = viewer();
    assertThat(visitor.look(uploads).body()).contains("3333333333", "4444444444");
    assertThat(visitor.look(uploads + "?failed=on").body())
        .contains("4444444444")
        .doesNotContain("3333333333");
    assertThat(visitor.look(uploads + "/" + id).body())
        .contains(
            "1 test failed.", "why &lt;i&gt;", "Nothing: every result of every file was read.");
    assertThat(visitor.look(uploads + "/" + NOBODY).status()).isEqualTo(404);
    assertThat(visitor.look(uploads + "/nonsense").status()).isEqualTo(404);
    assertThat(visitor.look(uploads + "?before=nonsense").status()).isEqualTo(400);
  }

  @Test
  void links_of_uploaders_lead_to_the_pages_they_mean() {
    var visitor = viewer();
    UUID id = shop.id("adds");
    for (String path :
        List.of(
            "/default/flaky-tests/test/%s?repo=acme%%2Fshop",
            "/flaky-tests/test/%s?repo=acme%%2Fshop",
            "/flaky-tests/test/%s?repo=%%2F",
            "/default/flaky-tests/test/%s?repo=%%2F")) {
      var seen = visitor.look(path.formatted(id));
      assertThat(seen.status()).as(path).isEqualTo(303);
      assertThat(seen.header("location")).isEqualTo(page("adds"));
    }
    assertThat(visitor.look("/trunk/default/settings").header("location"))
        .isEqualTo("/default/settings");
    var other = Visitor.signedIn(node, keys.foreign());
    for (String path :
        List.of(
            "/flaky-tests/test/%s?repo=acme%%2Fother".formatted(id),
            "/flaky-tests/test/%s?repo=%%2F".formatted(NOBODY),
            "/flaky-tests/test/nonsense?repo=%2F",
            "/trunk/nobody/settings")) {
      assertThat(visitor.look(path).status()).as(path).isEqualTo(404);
    }
    for (String path :
        List.of(
            "/flaky-tests/test/%s?repo=%%2F".formatted(id),
            "/default/flaky-tests/test/%s?repo=acme%%2Fshop".formatted(id),
            "/trunk/default/settings")) {
      assertThat(other.look(path).status()).as(path).isEqualTo(404);
      assertThat(Visitor.stranger(node).look(path).header("location")).startsWith("/sign-in?to=");
    }
  }

  @Test
  void another_organization_finds_what_is_not_there_at_all() {
    var other = Visitor.signedIn(node, keys.foreign());
    String nothing = withoutRequest(other.look("/nobody/github.com/acme/shop/tests"));
    for (String path :
        List.of(
            TESTS,
            page("adds"),
            REPO + "/quarantine",
            REPO + "/uploads",
            REPO + "/uploads/" + upload,
            "/default/tickets/EVIL-1")) {
      var seen = other.look(path);
      assertThat(seen.status()).as(path).isEqualTo(404);
      assertThat(withoutRequest(seen)).isEqualTo(nothing);
    }
    String token = other.look("/account").token();
    var fields = Map.of("do", "ticket", "ticket", "NO-1", "form_token", token);
    assertThat(other.send(page("adds"), fields).status()).isEqualTo(404);
    assertThat(viewer().look(TESTS + "/nonsense").status()).isEqualTo(404);
    assertThat(viewer().look(TESTS + "/" + NOBODY).status()).isEqualTo(404);
    assertThat(viewer().look("/default/tickets/nonsense").status()).isEqualTo(404);
  }

  private static String withoutRequest(Visitor.Seen seen) {
    return seen.body().replaceAll("Request [0-9a-f]+", "");
  }
}
