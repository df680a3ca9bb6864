package dev.mainstay.server.web.settings;

import static dev.mainstay.server.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.Config.Setting;
import dev.mainstay.server.MovableClock;
import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.event.Receiver;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.http.Scope;
import dev.mainstay.server.queue.TestKeys;
import dev.mainstay.server.web.Visitor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Endpoints for events are looked after on their pages, as over the API. */
class WebhookPagesTest {
  private static final String ORGANIZATION = "/default/settings";
  private static final String ACTION = ORGANIZATION + "/webhooks";
  private static final String NEW = ORGANIZATION + "?webhook=new";
  private static final Pattern SECRET = Pattern.compile("<pre id=\"secret\"[^>]*>([^<]+)</pre>");
  private static final Pattern TICKED =
      Pattern.compile("name=\"kind:([^\"]+)\" value=\"yes\" checked");
  private static final Pattern WAS =
      Pattern.compile("<input type=\"hidden\" name=\"(was:[^\"]+)\" value=\"([^\"]*)\"");

  private static TestNode node;
  private static TestKeys keys;
  private static Receiver receiver;

  @BeforeAll
  static void start() throws IOException {
    Database.Address address = TestDatabase.withTables();
    node =
        TestNode.start(
            address, new MovableClock(), Map.of(Setting.WEBHOOK_NETWORKS, "127.0.0.0/8"));
    keys = new TestKeys(address);
    receiver = new Receiver();
  }

  @AfterAll
  static void stop() {
    receiver.close();
    node.close();
  }

  private static Visitor admin() {
    return Visitor.signedIn(node, node.token());
  }

  private static JsonNode ask(String operation, String fields) {
    var answer =
        node.post("/v1/" + operation, node.token(), "{%s}".formatted(fields.replace('\'', '"')));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json();
  }

  private static void queue(String operation, String branch, String more) {
    ask(
        operation,
        "'repo':{'host':'git.example','owner':'acme','name':'shop'},'targetBranch':'%s'%s"
            .formatted(branch, more));
  }

  private static JsonNode hook(String id) {
    return ask("webhooks/list", "")
        .path("webhooks")
        .valueStream()
        .filter(w -> w.path("id").asString().equals(id))
        .findFirst()
        .orElseThrow();
  }

  private static String made(String path, String more) {
    return ask("webhooks/create", "'url':'%s'%s".formatted(receiver.address(path), more))
        .at("/webhook/id")
        .asString();
  }

  private static List<JsonNode> attempts(String id) {
    return ask("webhooks/attempts", "'id':'%s'".formatted(id))
        .path("attempts")
        .valueStream()
        .toList();
  }

  private static String page(String id) {
    return ORGANIZATION + "?webhook=" + id;
  }

  /**
   * The form of an endpoint as a browser sends it: all that is on the page, and what was changed.
   */
  private static Map<String, String> form(String page, Map<String, String> changed) {
    var fields = new HashMap<String, String>();
    var inputs = WAS.matcher(page);
    while (inputs.find()) {
      fields.put(inputs.group(1), inputs.group(2));
      fields.put(inputs.group(1).substring("was:".length()), inputs.group(2));
    }
    fields.remove("kinds");
    TICKED.matcher(page).results().forEach(m -> fields.put("kind:" + m.group(1), "yes"));
    fields.putAll(changed);
    return fields;
  }

  private static String secret(Visitor.Seen seen) {
    assertThat(seen.status()).as(seen.body()).isEqualTo(200);
    assertThat(seen.header("cache-control")).isEqualTo("no-store");
    var found = SECRET.matcher(seen.body());
    assertThat(found.find()).as(seen.body()).isTrue();
    return found.group(1);
  }

  @Test
  void an_endpoint_is_made_tested_changed_given_a_new_secret_and_deleted() {
    var admin = admin();
    String fresh = admin.look(NEW).body();
    assertThat(TICKED.matcher(fresh).results().map(m -> m.group(1)))
        .contains("pull_request.merged", "queue.paused", "test_case.ticket_linked")
        .doesNotContain("upload.failed_tests");
    assertThat(fresh)
        .contains("It is on the target branch.")
        .contains("<code>upload.failed_tests</code> <span class=\"pill plain\">off unless ticked");
    var wanted = new HashMap<String, String>();
    wanted.putAll(
        Map.of("do", "create", "url", receiver.address("/made"), "name", "<b>deploys</b>"));
    wanted.putAll(Map.of("which", "ticked", "kind:queue.paused", "yes"));
    wanted.putAll(Map.of("repos", "git.example/acme/shop\r\n", "format", "standard"));
    var answer = admin.act(NEW, ACTION, wanted);
    String first = secret(answer);
    assertThat(answer.body()).contains("&lt;b&gt;deploys").doesNotContain("<b>deploys");
    JsonNode hook =
        ask("webhooks/list", "")
            .path("webhooks")
            .valueStream()
            .filter(w -> w.path("name").asString().equals("<b>deploys</b>"))
            .findFirst()
            .orElseThrow();
    String id = hook.path("id").asString();
    assertThat(answer.body()).contains("href=\"" + page(id) + "\"");
    assertThat(hook.path("kinds").toString()).isEqualTo("[\"queue.paused\"]");
    assertThat(hook.path("repos").toString()).isEqualTo("[\"git.example/acme/shop\"]");
    String list = admin.look(ORGANIZATION).body();
    assertThat(list)
        .contains("href=\"" + page(id) + "\"")
        .contains("<span class=\"pill ok\">on</span>")
        .contains("1 kind of events")
        .doesNotContain(first);

    receiver.behave(
        "/made",
        (exchange, got) -> {
          byte[] words = "<script>alert(1)</script>\u001B[31mno".getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(201, words.length);
          exchange.getResponseBody().write(words);
        });
    var tested = admin.act(page(id), ACTION, Map.of("do", "test", "id", id));
    assertThat(tested.status()).as(tested.body()).isEqualTo(200);
    assertThat(tested.body())
        .contains("id=\"trial\"")
        .contains("The endpoint answered 201.")
        .contains("webhook.test")
        .contains("Answered: 201")
        .contains("&lt;script&gt;alert(1)&lt;/script&gt;no")
        .doesNotContain("<script>alert");
    assertThat(receiver.await("/made", 1).getFirst().isSignedBy(first)).isTrue();

    String before = admin.look(page(id)).body();
    ask("webhooks/set", "'id':'%s','name':'theirs'".formatted(id));
    var changed =
        form(before, Map.of("do", "save", "id", id, "format", "slack", "kind:queue.resumed", "y"));
    assertThat(admin.act(page(id), ACTION, changed).header("location"))
        .isEqualTo(page(id) + "&said=saved");
    JsonNode after = hook(id);
    assertThat(after.path("name").asString()).as("what another changed").isEqualTo("theirs");
    assertThat(after.path("format").asString()).isEqualTo("slack");
    assertThat(after.path("kinds").toString()).isEqualTo("[\"queue.paused\",\"queue.resumed\"]");
    var wrong =
        form(
            admin.look(page(id)).body(),
            Map.of("do", "save", "id", id, "url", "http://10.1.2.3/typed", "repos", ""));
    wrong.remove("kind:queue.paused");
    var refused = admin.act(page(id), ACTION, wrong);
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body())
        .contains("role=\"alert\"")
        .contains("MAINSTAY_WEBHOOK_NETWORKS")
        .contains("value=\"http://10.1.2.3/typed\"");
    assertThat(TICKED.matcher(refused.body()).results().map(m -> m.group(1)))
        .as("what was typed")
        .containsExactly("queue.resumed");
    assertThat(hook(id).path("url").asString()).isEqualTo(receiver.address("/made"));
    wrong.put("url", receiver.address("/made"));
    assertThat(admin.act(page(id), ACTION, wrong).status()).isEqualTo(303);
    assertThat(hook(id).has("repos")).as("of all").isFalse();
    assertThat(hook(id).path("kinds").toString()).isEqualTo("[\"queue.resumed\"]");

    var rotate = Map.of("do", "rotate", "id", id, "graceSeconds", "3600");
    var rotated = admin.act(page(id), ACTION, rotate);
    String second = secret(rotated);
    assertThat(rotated.body()).contains("for 1 h more");
    admin.act(page(id), ACTION, Map.of("do", "test", "id", id));
    Receiver.Got both = receiver.await("/made", 2).getLast();
    assertThat(both.isSignedBy(first) && both.isSignedBy(second)).isTrue();

    var gone = admin.act(page(id), ACTION, Map.of("do", "delete", "id", id));
    assertThat(gone.header("location")).isEqualTo(ORGANIZATION + "?said=webhook_deleted");
    assertThat(admin.look(page(id)).status()).isEqualTo(404);
  }

  @Test
  void a_page_says_how_an_endpoint_does_and_sends_once_more() {
    var admin = admin();
    String kinds = ",'kinds':['queue.created']";
    receiver.behave("/fails", Receiver.status(500));
    receiver.behave("/gone", Receiver.status(410));
    receiver.behave(
        "/rests",
        (exchange, got) -> {
          exchange.getResponseHeaders().add("Retry-After", "600");
          exchange.sendResponseHeaders(429, -1);
        });
    String fails = made("/fails", kinds);
    String gone = made("/gone", kinds);
    String rests = made("/rests", kinds);
    String before = node.clock().instant().toString().substring(0, 16);
    queue("createQueue", "first", "");
    until(() -> hook(fails), w -> w.has("failingSince"));
    until(() -> hook(gone), w -> w.has("switchedOffAt"));
    until(() -> hook(rests), w -> w.has("waitUntil"));
    assertThat(admin.look(ORGANIZATION).body())
        .contains("<span class=\"pill warn\">failing</span>")
        .contains("Nothing but failures since")
        .contains("<span class=\"pill bad\">switched off</span>")
        .contains("The endpoint answered 410: it is gone.")
        .contains("<span class=\"pill warn\">waiting</span>");
    String warning = "it was switched off. The endpoint answered 410: it is gone.";
    assertThat(admin.look("/").body()).contains(warning).contains(page(gone));
    var member = Visitor.signedIn(node, keys.with(Scope.READ, Scope.QUEUE));
    assertThat(member.look("/").body()).contains("Repositories").doesNotContain(warning);
    String failing = admin.look(page(fails)).body();
    assertThat(failing)
        .contains("The endpoint answered 500.")
        .contains("<pre tabindex=\"0\">")
        .contains("\"targetBranch\": \"first\"")
        .contains("Next <time");
    node.clock().advance(Duration.ofMinutes(11));
    until(() -> hook(rests), w -> !w.has("waitUntil") || attempts(rests).size() > 1);

    var on = admin.act(page(gone), ACTION, Map.of("do", "resume", "id", gone));
    assertThat(on.header("location")).isEqualTo(page(gone) + "&said=webhook_resumed");
    assertThat(hook(gone).path("enabled").asBoolean()).isTrue();
    var off = admin.act(page(fails), ACTION, Map.of("do", "pause", "id", fails));
    assertThat(off.header("location")).isEqualTo(page(fails) + "&said=webhook_paused");
    assertThat(admin.look(page(fails)).body())
        .contains("<span class=\"pill calm\">paused</span>")
        .contains("They wait until the endpoint is on.");
    admin.act(page(fails), ACTION, Map.of("do", "resume", "id", fails));

    receiver.behave("/fails", Receiver.status(204));
    String attempt = attempts(fails).getLast().path("id").asString();
    String event = attempts(fails).getLast().path("eventId").asString();
    int sent = receiver.at("/fails").size();
    var again = Map.of("do", "replay", "id", fails, "attempt_id", attempt);
    assertThat(admin.act(page(fails), ACTION, again).header("location"))
        .isEqualTo(page(fails) + "&said=replayed");
    assertThat(receiver.await("/fails", sent + 1).getLast().header("webhook-id")).isEqualTo(event);
    until(() -> attempts(fails).getFirst(), a -> a.path("outcome").asString().equals("delivered"));
    var since = Map.of("do", "replay", "id", fails, "since", before);
    var replayed = admin.act(page(fails), ACTION, since);
    assertThat(replayed.body()).contains("1 event to be delivered once more.");
    assertThat(receiver.await("/fails", sent + 2).getLast().header("webhook-id")).isEqualTo(event);
    var wrong = admin.act(page(fails), ACTION, Map.of("do", "replay", "id", fails, "since", "now"));
    assertThat(wrong.status()).isEqualTo(400);
    assertThat(wrong.body()).contains("role=\"alert\"").contains("since");

    for (int i = 0; i < 11; i++) {
      ask("webhooks/test", "'id':'%s'".formatted(fails));
    }
    String newest = admin.look(page(fails)).body();
    var older = Pattern.compile("href=\"([^\"]+cursor=[^\"#]+)#attempts\">Older").matcher(newest);
    assertThat(older.find()).as(newest).isTrue();
    assertThat(newest.split("name=\"attempt_id\"", -1)).hasSize(11);
    String rest = admin.look(older.group(1).replace("&amp;", "&")).body();
    assertThat(rest).contains(attempt).contains(">Newest</a>");
    assertThat(newest).doesNotContain(attempt);
  }

  @Test
  void whoever_is_no_admin_is_told_so_and_another_organization_finds_nothing() {
    String id = made("/closed", "");
    var member = Visitor.signedIn(node, keys.with(Scope.READ, Scope.QUEUE));
    String words =
        node.post("/v1/webhooks/list", keys.with(Scope.READ), "{}")
            .json()
            .path("detail")
            .asString();
    for (String look : List.of(ORGANIZATION, NEW, page(id))) {
      assertThat(member.look(look).body())
          .as(look)
          .contains(words)
          .contains("Only an admin")
          .doesNotContain(id)
          .doesNotContain("/webhooks\"");
    }
    String token = member.look("/account").token();
    String other = keys.foreign();
    var foreign = Visitor.signedIn(node, other);
    String theirs = foreign.look("/account").token();
    for (String act : List.of("create", "save", "pause", "test", "rotate", "replay", "delete")) {
      var fields = new HashMap<String, String>();
      fields.putAll(Map.of("do", act, "id", id, "which", "usual", "url", receiver.address("/x")));
      fields.putAll(Map.of("since", "2026-01-01T00:00", "was:url", ""));
      assertThat(admin().send(ACTION, fields).status()).as(act + " without token").isEqualTo(403);
      fields.put("form_token", token);
      var refused = member.send(ACTION, fields);
      assertThat(refused.status()).as(act).isEqualTo(403);
      assertThat(refused.body()).contains(words);
      fields.put("form_token", theirs);
      assertThat(foreign.send(ACTION, fields).status()).as(act).isEqualTo(404);
      if (!act.equals("create")) {
        assertThat(foreign.send("/others/settings/webhooks", fields).status())
            .as(act)
            .isEqualTo(404);
      }
    }
    assertThat(foreign.look(page(id)).status()).isEqualTo(404);
    assertThat(foreign.look("/others/settings?webhook=" + id).status()).isEqualTo(404);
    assertThat(receiver.at("/closed")).isEmpty();
  }
}
