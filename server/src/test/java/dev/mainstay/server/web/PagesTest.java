package dev.mainstay.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.MovableClock;
import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.http.Scope;
import dev.mainstay.server.queue.TestKeys;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Who gets in, what they see, what they may do, and what changes under their eyes. */
class PagesTest {
  private static final String REPO =
      "{\"host\":\"git.example\",\"owner\":\"acme/web\",\"name\":\"shop\"}";
  private static final String QUEUE = "/default/git.example/acme/web/shop/queues/release%2F1";
  private static final String PULL = QUEUE + "/pulls/7";

  private static Database.Address address;
  private static TestNode node;
  private static TestKeys keys;

  @BeforeAll
  static void start() {
    address = TestDatabase.withTables();
    node = TestNode.start(address, new MovableClock());
    keys = new TestKeys(address);
    call("createQueue", "");
    submit(node, 7);
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static void call(String operation, String more) {
    call(node, operation, more);
  }

  private static void call(TestNode at, String operation, String more) {
    String body = "{\"repo\":%s,\"targetBranch\":\"release/1\"%s}".formatted(REPO, more);
    var answer = at.post("/v1/" + operation, node.token(), body);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
  }

  private static void submit(TestNode at, int number) {
    call(at, "submitPullRequest", ",\"pr\":{\"number\":%d}".formatted(number));
  }

  private static Visitor admin() {
    return Visitor.signedIn(node, node.token());
  }

  @Test
  void a_stranger_is_sent_to_sign_in_whether_there_is_a_page_or_not() {
    var stranger = Visitor.stranger(node);
    for (String path :
        new String[] {"/", QUEUE, PULL + "?a=b", "/nobody/git.example/a/b", "/account"}) {
      var seen = stranger.look(path);
      assertThat(seen.status()).as(path).isEqualTo(303);
      assertThat(seen.header("location")).startsWith("/sign-in?to=%2F");
    }
    assertThat(stranger.look(PULL + "?a=b").header("location")).endsWith("pulls%2F7%3Fa%3Db");
    assertThat(stranger.look("/live?repo=git.example/acme/web/shop").status()).isEqualTo(401);
  }

  @Test
  void a_key_opens_a_session_and_leads_to_where_one_wanted_but_never_away_from_here() {
    var visitor = Visitor.stranger(node);
    var wrong = visitor.send("/sign-in", Map.of("key", "nonsense", "to", "/"));
    assertThat(wrong.status()).isEqualTo(422);
    assertThat(wrong.body()).contains("This key is unknown");
    var foreign =
        visitor.send(
            "/sign-in", Map.of("key", node.token()), Map.of("sec-fetch-site", "cross-site"));
    assertThat(foreign.status()).isEqualTo(403);
    for (String to :
        new String[] {
          "//evil.example", "https://evil.example", "/\\evil.example", "/" + "x".repeat(2000), ""
        }) {
      var seen = Visitor.stranger(node).send("/sign-in", Map.of("key", node.token(), "to", to));
      assertThat(seen.header("location")).isEqualTo("/");
    }
    var in = visitor.send("/sign-in", Map.of("key", node.token(), "to", PULL));
    assertThat(in.header("location")).isEqualTo(PULL);
    assertThat(in.header("set-cookie"))
        .startsWith("mainstay-%d=".formatted(node.port()))
        .contains("; HttpOnly; SameSite=Lax")
        .doesNotContain(node.token())
        .doesNotContain("Secure");
    assertThat(visitor.look(PULL).body()).contains("<h1><span class=\"muted\">#7</span>");
  }

  @Test
  void pages_are_strict_about_what_they_load_and_are_kept_by_nobody() {
    var seen = admin().look(QUEUE);
    assertThat(seen.status()).isEqualTo(200);
    assertThat(seen.header("content-security-policy"))
        .startsWith("default-src 'none'; script-src 'self'; style-src 'self' 'sha256-")
        .contains("frame-ancestors 'none'");
    assertThat(seen.header("cache-control")).isEqualTo("private, no-cache");
    assertThat(seen.body())
        .doesNotContain("style=")
        .doesNotContain("onclick")
        .contains("release/1");
    var style = seen.body().replaceAll("(?s).*rel=\"stylesheet\" href=\"([^\"]+)\".*", "$1");
    assertThat(admin().look(style).header("cache-control")).contains("immutable");
    assertThat(admin().look("/assets/000000000000/style.css").status()).isEqualTo(404);
  }

  @Test
  void another_organization_finds_what_is_not_there_at_all() {
    var other = Visitor.signedIn(node, keys.foreign());
    var theirs = other.look(QUEUE);
    var nobodys = other.look("/nobody/git.example/acme/web/shop/queues/release%2F1");
    var own = other.look("/others/git.example/acme/web/shop/queues/release%2F1");
    assertThat(theirs.status()).isEqualTo(404);
    assertThat(withoutRequest(theirs)).isEqualTo(withoutRequest(nobodys));
    assertThat(own.status()).isEqualTo(404);
    assertThat(own.body()).doesNotContain("#7");
    String token = other.look("/account").token();
    assertThat(other.send(PULL, Map.of("do", "cancel", "form_token", token)).status())
        .isEqualTo(404);
    var stream = Visitor.signedIn(node, keys.foreign()).look("/live?repo=no");
    assertThat(stream.status()).isEqualTo(404);
  }

  private static String withoutRequest(Visitor.Seen seen) {
    return seen.body().replaceAll("Request [0-9a-f]+", "");
  }

  @Test
  void an_action_needs_a_form_of_ours_and_the_right_to_it() {
    submit(node, 30);
    String pull = QUEUE + "/pulls/30";
    var admin = admin();
    String token = admin.look(pull).token();
    assertThat(admin.send(pull, Map.of("do", "cancel")).status()).isEqualTo(403);
    assertThat(admin.send(pull, Map.of("do", "cancel", "form_token", token), Map.of()).status())
        .isEqualTo(403);
    var elsewhere = Map.of("origin", "http://evil.example");
    assertThat(admin.send(pull, Map.of("do", "cancel", "form_token", token), elsewhere).status())
        .isEqualTo(403);
    var viewer = Visitor.signedIn(node, keys.with(Scope.READ));
    assertThat(viewer.look(pull).status()).isEqualTo(200);
    assertThat(viewer.look(pull).body()).doesNotContain("Cancel").doesNotContain("form_token");
    assertThat(viewer.send(pull, Map.of("do", "cancel", "form_token", token)).body())
        .as("a token of others, with other rights")
        .contains("too old");
    String foreign = Visitor.signedIn(node, keys.foreign()).look("/account").token();
    var same = Visitor.signedIn(node, keys.with(Scope.ADMIN));
    assertThat(same.send(pull, Map.of("do", "cancel", "form_token", foreign)).body())
        .as("a token of another organization with the same rights")
        .contains("too old");
    String own = viewer.look("/account").token();
    var refused = viewer.send(pull, Map.of("do", "cancel", "form_token", own));
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.body()).contains("lacks the scope");
    assertThat(admin.look(pull).body()).doesNotContain("Cancelled");
    node.clock().advance(Duration.ofDays(2));
    assertThat(admin.send(pull, Map.of("do", "cancel", "form_token", token)).body())
        .contains("too old");
    var done = admin.act(pull, pull, Map.of("do", "cancel"));
    assertThat(done.header("location")).isEqualTo(pull + "?said=cancelled");
    assertThat(admin.look(pull + "?said=cancelled").body())
        .contains("taken out of the queue")
        .contains("Cancelled")
        .contains("Submit again")
        .doesNotContain("Run its tests again");
    var again = admin.act(pull, pull, Map.of("do", "cancel"));
    assertThat(again.status()).isEqualTo(303);
  }

  @Test
  void a_queue_is_paused_and_resumed_from_its_page() {
    var admin = admin();
    admin.act(QUEUE, QUEUE + "/state", Map.of("state", "PAUSED"));
    assertThat(admin.look(QUEUE).body()).contains(">Paused<").contains(">Resume<");
    admin.act(QUEUE, QUEUE + "/state", Map.of("state", "RUNNING"));
    assertThat(admin.look(QUEUE).body()).contains(">Running<").contains(">Pause<");
    var done = admin.act(QUEUE, QUEUE + "/submit", Map.of("number", "31"));
    assertThat(done.header("location")).endsWith("/pulls/31?said=submitted");
    var nonsense = admin.act(QUEUE, QUEUE + "/submit", Map.of("number", "<script>"));
    assertThat(nonsense.status()).isEqualTo(400);
    assertThat(nonsense.body()).contains("must be a whole number").doesNotContain("<script>");
  }

  @Test
  void what_happens_on_another_node_is_told_to_those_who_look() {
    try (var second = TestNode.start(address, new MovableClock());
        var stream = admin().follow(QUEUE)) {
      assertThat(stream.status()).isEqualTo(200);
      submit(second, 40);
      assertThat(stream.next()).isEqualTo("changed");
      assertThat(admin().look(QUEUE).body()).contains("#40");
    }
  }

  @Test
  void others_who_follow_a_repository_of_the_same_name_hear_nothing() {
    var other = Visitor.signedIn(node, keys.foreign());
    var own = admin();
    String token = other.look("/account").token();
    try (var theirs = other.followAt("/live?repo=git.example/acme/web/shop&seen=");
        var ours = own.follow(QUEUE)) {
      submit(node, 42);
      assertThat(ours.next()).isEqualTo("changed");
      other.send("/sign-out", Map.of("form_token", token));
      assertThat(theirs.next()).isEqualTo("ended");
    }
  }

  @Test
  void what_changed_between_the_page_and_its_stream_is_not_missed() {
    var visitor = admin();
    String page = visitor.look(QUEUE).body();
    submit(node, 41);
    String live = page.replaceAll("(?s).*mainstay-live\" content=\"([^\"]+)\".*", "$1");
    try (var stream = visitor.followAt(live)) {
      assertThat(stream.next()).isEqualTo("changed");
    }
  }

  @Test
  void a_session_that_ends_ends_its_streams_and_signing_out_everywhere_ends_all() {
    String key = keys.with(Scope.READ);
    var one = Visitor.signedIn(node, key);
    var two = Visitor.signedIn(node, key);
    try (var stream = one.follow(QUEUE)) {
      String token = two.look("/account").token();
      var out = two.send("/sign-out/everywhere", Map.of("form_token", token));
      assertThat(out.header("location")).isEqualTo("/sign-in");
      assertThat(stream.next()).isEqualTo("ended");
      assertThat(stream.next()).isEmpty();
    }
    assertThat(one.look(QUEUE).status()).isEqualTo(303);
    assertThat(two.look(QUEUE).status()).isEqualTo(303);
  }

  @Test
  void all_who_may_see_the_same_are_shown_the_same_bytes() {
    var first = admin().look(QUEUE);
    var second = admin().look(QUEUE);
    var viewer = Visitor.signedIn(node, keys.with(Scope.READ)).look(QUEUE);
    assertThat(second.body()).isEqualTo(first.body());
    assertThat(viewer.status()).isEqualTo(200);
    assertThat(viewer.body()).isNotEqualTo(first.body());
    var packed = admin().look(QUEUE, Map.of("accept-encoding", "gzip"));
    assertThat(packed.header("content-encoding")).isEqualTo("gzip");
    assertThat(admin().look(QUEUE).body()).as("not packed").contains("</html>");
  }

  @Test
  void public_pages_are_read_by_anybody_who_may_do_nothing() {
    String repo = "{\"host\":\"git.example\",\"owner\":\"open\",\"name\":\"shop\"}";
    String queue = "/default/git.example/open/shop/queues/main";
    node.post(
        "/v1/createQueue", node.token(), "{\"repo\":%s,\"targetBranch\":\"main\"}".formatted(repo));
    var stranger = Visitor.stranger(node);
    assertThat(stranger.look(queue).status()).isEqualTo(303);
    setPublic(repo, true);
    var seen = stranger.look(queue);
    assertThat(seen.status()).isEqualTo(200);
    assertThat(seen.body()).contains("Sign in").doesNotContain("form_token");
    for (String settings : new String[] {"", "?queue=main", "?new=queue", "?monitor=new"}) {
      var refused = stranger.look("/default/git.example/open/shop/settings" + settings);
      assertThat(refused.header("location")).as(settings).isEqualTo("/sign-in");
    }
    assertThat(stranger.look(QUEUE).status()).isEqualTo(303);
    assertThat(stranger.send(queue + "/state", Map.of("state", "PAUSED")).status()).isEqualTo(303);
    assertThat(Visitor.signedIn(node, keys.foreign()).look(queue).status()).isEqualTo(200);
    var viewer = Visitor.signedIn(node, keys.with(Scope.READ));
    assertThat(viewer.look(queue).body()).contains(">You<").contains("mainstay-live");
    assertThat(stranger.look(queue).body()).doesNotContain(">You<").doesNotContain("mainstay-live");
    setPublic(repo, false);
    assertThat(stranger.look(queue).status()).as("closed again").isEqualTo(303);
    assertThat(Visitor.signedIn(node, keys.foreign()).look(queue).status()).isEqualTo(404);
    assertThat(viewer.look(queue).status()).isEqualTo(200);
  }

  private static void setPublic(String repo, boolean on) {
    String body = "{\"repo\":%s,\"public_pages\":%s}".formatted(repo, on);
    var set = node.post("/v1/repositories/set", node.token(), body);
    assertThat(set.status()).as(set.body()).isEqualTo(200);
  }

  @Test
  void errors_are_pages_for_people_and_problem_documents_for_programs() {
    var page = admin().look("/default/git.example/acme/nothing/queues/main");
    assertThat(page.status()).isEqualTo(404);
    assertThat(page.body()).contains("<h1>Nothing here</h1>").contains("Request ");
    var answer = node.get("/nothing", "");
    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.header("content-type")).isEqualTo("application/problem+json");
  }
}
