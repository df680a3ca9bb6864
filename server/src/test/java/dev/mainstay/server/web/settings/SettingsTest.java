package dev.mainstay.server.web.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.MovableClock;
import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.http.Scope;
import dev.mainstay.server.queue.TestKeys;
import dev.mainstay.server.web.Visitor;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Each setting is changed on its page, and is what the API answers afterwards. */
class SettingsTest {
  private static final String REPO =
      "{\"host\":\"git.example\",\"owner\":\"acme\",\"name\":\"shop\"}";
  private static final String HERE = "/default/git.example/acme/shop/settings";
  private static final String ORGANIZATION = "/default/settings";
  private static final Pattern SECRET = Pattern.compile("<pre id=\"secret\"[^>]*>([^<]+)</pre>");

  private static TestNode node;
  private static TestKeys keys;

  @BeforeAll
  static void start() {
    Database.Address address = TestDatabase.withTables();
    node = TestNode.start(address, new MovableClock());
    keys = new TestKeys(address);
    ask("/v1/createQueue", ",\"targetBranch\":\"main\"");
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static JsonNode ask(String path, String more) {
    var answer = node.post(path, node.token(), "{\"repo\":%s%s}".formatted(REPO, more));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json();
  }

  private static JsonNode queue(String branch) {
    return ask("/v1/getQueue", ",\"targetBranch\":\"%s\"".formatted(branch));
  }

  private static Visitor admin() {
    return Visitor.signedIn(node, node.token());
  }

  private static String secret(Visitor.Seen seen) {
    assertThat(seen.status()).as(seen.body()).isEqualTo(200);
    assertThat(seen.header("cache-control")).isEqualTo("no-store");
    var found = SECRET.matcher(seen.body());
    assertThat(found.find()).as(seen.body()).isTrue();
    return found.group(1);
  }

  /** A form as a browser sends it: all that is on the page, and what was changed. */
  private static Map<String, String> form(String page, Map<String, String> changed) {
    var fields = new HashMap<String, String>();
    var inputs =
        Pattern.compile("<input type=\"hidden\" name=\"(was:[^\"]+)\" value=\"([^\"]*)\"")
            .matcher(page);
    while (inputs.find()) {
      fields.put(inputs.group(1), inputs.group(2));
      fields.put(inputs.group(1).substring("was:".length()), inputs.group(2));
    }
    fields.putAll(changed);
    return fields;
  }

  @Test
  void a_queue_is_made_changed_and_deleted_and_only_what_changed_is_sent() {
    var admin = admin();
    String fresh = admin.look(HERE + "?new=queue").body();
    var made =
        admin.act(
            HERE,
            HERE + "/queue",
            form(fresh, Map.of("do", "create", "branch", "side", "concurrency", "7")));
    assertThat(made.header("location")).endsWith("/queues/side?said=created");
    JsonNode first = queue("side");
    assertThat(first.path("concurrency").asInt()).isEqualTo(7);
    assertThat(first.path("requiredStatuses").isNull()).isTrue();
    assertThat(first.path("bisectionConcurrencyFollows").asBoolean()).isTrue();

    String page = admin.look(HERE + "?queue=side").body();
    assertThat(page).contains("max=\"1000\"").contains("name=\"rewriteHeadBranches\"");
    assertThat(page).as("follows").contains("name=\"was:bisectionConcurrency\" value=\"\"");
    ask("/v1/updateQueue", ",\"targetBranch\":\"side\",\"pendingFailureDepth\":3");
    var changed =
        Map.of(
            "do",
            "save",
            "branch",
            "side",
            "batch",
            "true",
            "mergeMethod",
            "REBASE",
            "statuses",
            "list",
            "requiredStatuses",
            "ci/test\r\nci/lint\r\n");
    var saved = admin.act(HERE, HERE + "/queue", form(page, changed));
    assertThat(saved.header("location")).endsWith("/settings?queue=side&said=saved");
    JsonNode second = queue("side");
    assertThat(second.path("batch").asBoolean()).isTrue();
    assertThat(second.path("mergeMethod").asString()).isEqualTo("REBASE");
    assertThat(second.path("requiredStatuses").toString()).isEqualTo("[\"ci/test\",\"ci/lint\"]");
    assertThat(second.path("pendingFailureDepth").asInt()).isEqualTo(3);
    assertThat(second.path("bisectionConcurrencyFollows").asBoolean()).isTrue();

    String third = admin.look(HERE + "?queue=side").body();
    var back = Map.of("do", "save", "branch", "side", "statuses", "forge");
    admin.act(HERE, HERE + "/queue", form(third, back));
    assertThat(queue("side").path("requiredStatuses").isNull()).isTrue();

    var wrong = Map.of("do", "save", "branch", "side", "statuses", "forge", "concurrency", "5000");
    assertThat(third).contains("mainstay-live");
    var refused = admin.act(HERE, HERE + "/queue", form(third, wrong));
    assertThat(refused.body()).as("looked at again, it is gone").doesNotContain("mainstay-live");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body()).contains("concurrency").contains("value=\"5000\"");

    var emptied = Map.of("do", "save", "branch", "side", "statuses", "forge", "concurrency", "");
    var missed = admin.act(HERE, HERE + "/queue", form(third, emptied));
    assertThat(missed.status()).isEqualTo(400);
    assertThat(missed.body()).contains("concurrency").contains("role=\"alert\"");

    ask("/v1/submitPullRequest", ",\"targetBranch\":\"side\",\"pr\":{\"number\":5}");
    var held = admin.act(HERE, HERE + "/queue", Map.of("do", "delete", "branch", "side"));
    assertThat(held.status()).isEqualTo(409);
    assertThat(held.body()).contains("role=\"alert\"").contains("#5");
    ask("/v1/cancelPullRequest", ",\"targetBranch\":\"side\",\"pr\":{\"number\":5}");
    var gone = admin.act(HERE, HERE + "/queue", Map.of("do", "delete", "branch", "side"));
    assertThat(gone.header("location")).isEqualTo(HERE + "?said=deleted");
  }

  @Test
  void monitors_are_tried_before_they_are_saved() {
    var admin = admin();
    for (String kind : List.of("failure_rate", "failure_count", "bayesian")) {
      String page = admin.look(HERE + "?monitor=new&kind=" + kind).body();
      var fields = form(page, Map.of("do", "preview", "kind", kind, "name", "own " + kind));
      var tried = admin.act(HERE, HERE + "/monitor", fields);
      assertThat(tried.status()).as(tried.body()).isEqualTo(200);
      assertThat(tried.body()).contains("Nothing was saved").contains("own " + kind);
      assertThat(ask("/v1/monitors/list", "").toString()).doesNotContain("own " + kind);
      fields.put("do", "save");
      assertThat(admin.act(HERE, HERE + "/monitor", fields).status()).isEqualTo(303);
      JsonNode made = monitor("own " + kind);
      String own = admin.look(HERE + "?monitor=" + made.path("monitor_id").asString()).body();
      made.propertyNames().stream()
          .filter(name -> !name.equals("monitor_id") && !name.equals("kind"))
          .forEach(name -> assertThat(own).contains("name=\"" + name + "\""));
    }
    String id = monitor("own failure_rate").path("monitor_id").asString();
    String page = admin.look(HERE + "?monitor=" + id).body();
    var changed = Map.of("do", "save", "monitor_id", id, "activation", "0.25", "branches", "main");
    admin.act(HERE, HERE + "/monitor", form(page, changed));
    assertThat(monitor("own failure_rate").path("activation").asDouble()).isEqualTo(0.25);
    admin.act(HERE, HERE + "/monitor", Map.of("do", "disable", "monitor_id", id));
    assertThat(monitor("own failure_rate").path("enabled").asBoolean()).isFalse();
    admin.act(HERE, HERE + "/monitor", Map.of("do", "delete", "monitor_id", id));
    assertThat(ask("/v1/monitors/list", "").toString()).doesNotContain("own failure_rate");
    assertThat(admin.look(HERE + "?monitor=new&kind=nonsense").status()).isEqualTo(404);
  }

  private static JsonNode monitor(String name) {
    for (JsonNode monitor : ask("/v1/monitors/list", "").path("monitors")) {
      if (monitor.path("name").asString().equals(name)) {
        return monitor;
      }
    }
    throw new AssertionError("no monitor " + name);
  }

  @Test
  void tests_and_public_pages_are_set() {
    var admin = admin();
    String page = admin.look(HERE).body();
    var changed = Map.of("auto_quarantine", "false", "stable_branches", "main\r\nrelease/*");
    assertThat(admin.act(HERE, HERE + "/tests", form(page, changed)).status()).isEqualTo(303);
    JsonNode now = ask("/v1/repositories/get-test-settings", "").path("settings");
    assertThat(now.path("stable_branches").toString()).isEqualTo("[\"main\",\"release/*\"]");
    assertThat(now.path("auto_quarantine").asBoolean()).isFalse();
    var unsent = new HashMap<>(Map.of("auto_quarantine", "true", "was:auto_quarantine", "false"));
    unsent.put("was:stable_branches", "main\nrelease/*");
    assertThat(admin.act(HERE, HERE + "/tests", unsent).status()).isEqualTo(303);
    JsonNode after = ask("/v1/repositories/get-test-settings", "").path("settings");
    assertThat(after.path("stable_branches")).as("not sent").isEqualTo(now.path("stable_branches"));
    assertThat(after.path("auto_quarantine").asBoolean()).isTrue();
    admin.act(HERE, HERE + "/pages", Map.of("public_pages", "true"));
    assertThat(ask("/v1/repositories/list", "").toString()).contains("\"public_pages\":true");
    assertThat(Visitor.stranger(node).look(HERE).status()).isEqualTo(303);
    admin.act(HERE, HERE + "/pages", Map.of("public_pages", "false"));
    assertThat(ask("/v1/repositories/list", "").toString()).contains("\"public_pages\":false");
  }

  @Test
  void a_token_is_shown_once_and_on_no_page_that_can_be_asked_for() {
    var admin = admin();
    var made =
        admin.act(
            ORGANIZATION,
            ORGANIZATION + "/keys",
            Map.of(
                "do",
                "create",
                "keyName",
                "<b>ci</b>",
                "scope_upload",
                "yes",
                "expires",
                "2099-01-31"));
    String token = secret(made);
    assertThat(made.body()).contains("&lt;b&gt;ci&lt;/b&gt;").doesNotContain("<b>ci");
    var who = node.get("/v1/whoami", token).json();
    assertThat(who.toString()).contains("upload").doesNotContain("admin");
    assertThat(admin.look(ORGANIZATION).body()).doesNotContain(token).contains("2099-01-31");
    String id = key("<b>ci</b>").path("id").asString();
    String next =
        secret(
            admin.act(
                ORGANIZATION,
                ORGANIZATION + "/keys",
                Map.of("do", "rotate", "id", id, "graceSeconds", "86400")));
    assertThat(node.get("/v1/whoami", next).status()).isEqualTo(200);
    node.clock().advance(Duration.ofHours(23));
    assertThat(node.get("/v1/whoami", token).status()).as("the old one, for a day").isEqualTo(200);
    String newest = key("<b>ci</b>").path("id").asString();
    var gone =
        admin.act(ORGANIZATION, ORGANIZATION + "/keys", Map.of("do", "revoke", "id", newest));
    assertThat(gone.header("location")).isEqualTo(ORGANIZATION + "?said=revoked");
    assertThat(key("<b>ci</b>").has("revokedAt")).isTrue();
  }

  private static JsonNode key(String name) {
    for (JsonNode key : node.post("/v1/keys/list", node.token(), "{}").json().path("keys")) {
      if (key.path("name").asString().equals(name)) {
        return key;
      }
    }
    throw new AssertionError("no key " + name);
  }

  @Test
  void the_organization_is_named_and_whoever_is_signed_in_can_be_signed_out() {
    var admin = admin();
    String page = admin.look(ORGANIZATION).body();
    var changed =
        Map.of("name", "Acme", "retentionDays", "365", "ticketUrl", "https://t.example/{id}");
    assertThat(admin.act(ORGANIZATION, ORGANIZATION, form(page, changed)).status()).isEqualTo(303);
    JsonNode now = node.post("/v1/organization/get", node.token(), "{}").json();
    assertThat(now.path("name").asString()).isEqualTo("Acme");
    assertThat(now.path("retentionDays").asInt()).isEqualTo(365);
    assertThat(now.path("ticketUrl").asString()).isEqualTo("https://t.example/{id}");
    var wrong = form(page, Map.of("ticketUrl", "nowhere"));
    assertThat(admin.act(ORGANIZATION, ORGANIZATION, wrong).status()).isEqualTo(400);
    String then = admin.look(ORGANIZATION).body();
    var nameless = form(then, Map.of("name", ""));
    assertThat(admin.act(ORGANIZATION, ORGANIZATION, nameless).status()).isEqualTo(400);
    var emptied = form(then, Map.of("ticketUrl", ""));
    assertThat(admin.act(ORGANIZATION, ORGANIZATION, emptied).status()).isEqualTo(303);
    JsonNode kept = node.post("/v1/organization/get", node.token(), "{}").json();
    assertThat(kept.path("name").asString()).isEqualTo("Acme");
    assertThat(kept.path("ticketUrl").asString("")).isEmpty();

    String wanted = "{\"name\":\"leaver\",\"scopes\":[\"queue\"]}";
    var made = node.post("/v1/keys/create", node.token(), wanted).json();
    var member = Visitor.signedIn(node, made.path("token").asString());
    JsonNode inUse = node.post("/v1/people/list", node.token(), "{}").json().path("keys");
    String id = made.path("key").path("id").asString();
    assertThat(inUse.findValuesAsString("key_id")).contains(id);
    var out = admin.act(ORGANIZATION, ORGANIZATION + "/people", Map.of("key_id", id));
    assertThat(out.header("location")).isEqualTo(ORGANIZATION + "?said=signed_out");
    assertThat(member.look("/account").status()).isEqualTo(303);
  }

  @Test
  void members_change_queues_and_see_no_form_that_would_be_refused() {
    var member = Visitor.signedIn(node, keys.with(Scope.READ, Scope.QUEUE));
    String queue = "/default/git.example/acme/shop/queues/main";
    assertThat(member.look(queue).body())
        .contains("href=\"" + HERE + "\"")
        .contains("href=\"" + HERE + "?queue=main\"");
    String page = member.look(HERE).body();
    assertThat(page)
        .contains("You may change the queues here")
        .contains("id=\"monitors\"")
        .doesNotContain("<form")
        .doesNotContain("id=\"connection\"");
    String fresh = member.look(HERE + "?new=queue").body();
    var wanted = Map.of("do", "create", "branch", "theirs", "concurrency", "3");
    var made = member.act(HERE + "?new=queue", HERE + "/queue", form(fresh, wanted));
    assertThat(made.header("location")).endsWith("/queues/theirs?said=created");
    String one = HERE + "?queue=theirs";
    var changed = form(member.look(one).body(), Map.of("do", "save", "branch", "theirs"));
    changed.putAll(Map.of("statuses", "forge", "concurrency", "4"));
    assertThat(member.act(one, HERE + "/queue", changed).status()).isEqualTo(303);
    assertThat(queue("theirs").path("concurrency").asInt()).isEqualTo(4);
    var gone = member.act(one, HERE + "/queue", Map.of("do", "delete", "branch", "theirs"));
    assertThat(gone.header("location")).isEqualTo(HERE + "?said=deleted");
    String token = member.look("/account").token();
    for (String path : List.of("/connection", "/pages", "/tests")) {
      var fields = Map.of("do", "check", "public_pages", "true", "form_token", token);
      assertThat(member.send(HERE + path, fields).status()).as(path).isEqualTo(403);
    }
  }

  @Test
  void others_are_refused_in_the_words_of_the_api_and_a_form_needs_its_token() {
    var member = Visitor.signedIn(node, keys.with(Scope.READ));
    for (String look : List.of("", "?queue=main", "?new=queue")) {
      String page = member.look(HERE + look).body();
      assertThat(page).contains("Only members and admins").doesNotContain("<form");
      assertThat(page).doesNotContain("id=\"connection\"").doesNotContain(">Settings</a>\n</nav>");
    }
    String token = member.look("/account").token();
    String words =
        node.post("/v1/keys/list", keys.with(Scope.READ), "{}").json().path("detail").asString();
    for (var asked :
        Map.of(
                HERE + "/connection",
                Map.of("do", "check"),
                HERE + "/pages",
                Map.of("public_pages", "true"),
                HERE + "/tests",
                Map.of("quarantining", "false"),
                ORGANIZATION,
                Map.of("name", "Mine"),
                ORGANIZATION + "/keys",
                Map.of("do", "create", "keyName", "mine"))
            .entrySet()) {
      var fields = new HashMap<String, String>(asked.getValue());
      assertThat(admin().send(asked.getKey(), fields).status()).as(asked.getKey()).isEqualTo(403);
      fields.put("form_token", token);
      var refused = member.send(asked.getKey(), fields);
      assertThat(refused.status()).as(asked.getKey()).isEqualTo(403);
      assertThat(refused.body()).contains(words);
    }
    var other = Visitor.signedIn(node, keys.foreign());
    assertThat(other.look(HERE).status()).isEqualTo(404);
    assertThat(other.look(ORGANIZATION).status()).isEqualTo(404);
    var foreign = Map.of("name", "Mine", "form_token", other.look("/account").token());
    assertThat(other.send(ORGANIZATION, foreign).status()).isEqualTo(404);
    assertThat(other.look("/others/settings").body()).contains("value=\"Others\"");
  }
}
