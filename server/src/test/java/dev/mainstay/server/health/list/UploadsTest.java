package dev.mainstay.server.health.list;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.TestNode.Answer;
import dev.mainstay.server.health.JudgingScene;
import dev.mainstay.server.health.Shop;
import dev.mainstay.server.platform.http.Scope;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What came in, and which tests a ticket is about. */
class UploadsTest extends JudgingScene {
  private List<String> commits(String fields) {
    var commits = new ArrayList<String>();
    Answer answer = shop.ask("/v1/uploads/list", fields);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    answer.json().path("uploads").forEach(upload -> commits.add(upload.path("commit").asString()));
    return commits;
  }

  private JsonNode get(String id) {
    return shop.ask("/v1/uploads/get", "\"upload_id\":\"%s\"".formatted(id)).json();
  }

  @Test
  void uploads_are_listed_newest_first_and_tell_what_their_senders_were_told() {
    var sent = now();
    JsonNode first =
        shop.upload(
                sent.minusSeconds(5),
                "&commit=c1&branch=main&job=unit&variant=arm&pr=7&ci_url=https://ci.example.com/17",
                "adds failed 3 is 4",
                "takes passed",
                "wins retried")
            .json();
    clock.advance(Duration.ofSeconds(1));
    shop.upload(now(), "&commit=c2", "adds passed");
    JsonNode broken =
        node.post(
                "/v1/test-results?repo=github.com/acme/shop&commit=c3",
                node.token(),
                "application/xml",
                BodyPublishers.ofString("<testsuite><testcase name='half'/><testcase"))
            .json();
    set("\"infra_protection\":true");
    String[] all = new String[20];
    Arrays.setAll(all, i -> "t" + i + " failed");
    shop.upload(now(), "&commit=c4", all);

    assertThat(commits("")).containsExactly("c4", "c3", "c2", "c1");
    assertThat(commits("\"failed_only\":true")).containsExactly("c4", "c1");
    for (int take = 1; take < 5; take++) {
      var seen = new ArrayList<String>();
      String before = "";
      do {
        String fields = "\"take\":" + take + before;
        seen.addAll(commits(fields));
        JsonNode next = shop.ask("/v1/uploads/list", fields).json().path("before");
        before = next.isMissingNode() ? "" : ",\"before\":" + next;
      } while (!before.isEmpty());
      assertThat(seen).as("by %d", take).containsExactly("c4", "c3", "c2", "c1");
    }
    JsonNode listed = shop.ask("/v1/uploads/list", "").json().at("/uploads/3");
    assertThat(listed.path("upload_id")).isEqualTo(first.path("upload_id"));
    assertThat(listed.path("at").asString()).isEqualTo(sent.toString());
    assertThat(listed.path("counts")).isEqualTo(first.path("counts"));
    assertThat(listed.path("pr").asInt()).isEqualTo(7);
    assertThat(listed.path("job").asString()).isEqualTo("unit");
    assertThat(listed.path("variant").asString()).isEqualTo("arm");
    assertThat(listed.path("branch").asString()).isEqualTo("main");
    assertThat(listed.path("ci_url").asString()).isEqualTo("https://ci.example.com/17");
    assertThat(listed.at("/verdict/may_pass").asBoolean(true)).isFalse();
    assertThat(listed.at("/verdict/reason").asString()).isEqualTo("1 test failed.");
    assertThat(listed.path("verdict").has("failures")).isFalse();

    JsonNode whole = get(first.path("upload_id").asString());
    assertThat(whole.at("/verdict/failures")).isEqualTo(first.at("/verdict/failures"));
    assertThat(whole.path("failed_tests")).hasSize(1);
    assertThat(whole.at("/failed_tests/0/name").asString()).isEqualTo("adds");
    assertThat(whole.path("skipped")).isEmpty();
    JsonNode cut = get(broken.path("upload_id").asString());
    assertThat(cut.path("skipped")).isNotEmpty().isEqualTo(broken.path("skipped"));
    assertThat(cut.path("skipped_total").asInt()).isEqualTo(1);
    JsonNode aside =
        get(shop.ask("/v1/uploads/list", "").json().at("/uploads/0/upload_id").asString());
    assertThat(aside.path("set_aside").asBoolean()).isTrue();
    assertThat(aside.at("/verdict/failed_tests").asInt()).isEqualTo(20);
    assertThat(aside.path("failed_tests")).isEmpty();

    Answer unknown = shop.ask("/v1/uploads/list", "\"before\":\"%s\"".formatted(new UUID(1, 2)));
    assertThat(unknown.json().at("/errors/0/field").asString()).isEqualTo("before");
    String id = "\"upload_id\":\"%s\"".formatted(first.path("upload_id").asString());
    var app = new Shop(node, "app");
    app.upload(now(), "", "adds passed");
    assertThat(app.ask("/v1/uploads/get", id).code()).isEqualTo("upload_not_found");
    String others = key("others", Scope.READ);
    for (String path : List.of("get", "list")) {
      String body = "{\"repo\":%s,%s}".formatted(shop.repo(), id);
      assertThat(node.post("/v1/uploads/" + path, others, body).code())
          .isEqualTo("repository_not_found");
    }
  }

  @Test
  void a_ticket_shows_its_tests_in_all_repositories_of_the_organization() {
    var app = new Shop(node, "app");
    for (Shop one : List.of(shop, app)) {
      one.upload(now(), "&commit=a", "adds failed", "wins passed", "zips passed");
      for (String test : List.of("zips", "adds")) {
        one.ask(
            "/v1/flaky-tests/link-ticket-to-test-case",
            "\"external_ticket_id\":\"ENG-12\",\"test_case_id\":\"%s\"".formatted(one.id(test)));
      }
    }
    String ticket = "{\"external_ticket_id\":\"ENG-12\"}";
    JsonNode found = node.post("/v1/tickets/get", node.token(), ticket).json();
    assertThat(found.path("ticket").toString())
        .matches("\\{\"id\":\"ENG-12\",\"html_url\":\"http://[^\"]*/default/tickets/ENG-12\"}");
    assertThat(found.path("tests"))
        .extracting(test -> test.at("/repo/name").asString() + " " + test.path("name").asString())
        .containsExactly("app adds", "app zips", "shop adds", "shop zips");
    node.post("/v1/tickets/set", node.token(), ticket.replace("}", ",\"state\":\"CLOSED\"}"));
    assertThat(
            node.post("/v1/tickets/get", node.token(), ticket)
                .json()
                .at("/ticket/state")
                .asString())
        .isEqualTo("CLOSED");

    JsonNode foreign = node.post("/v1/tickets/get", key("others", Scope.READ), ticket).json();
    assertThat(foreign.path("tests")).isEmpty();
    assertThat(foreign.path("ticket").has("state")).isFalse();
    assertThat(foreign.at("/ticket/html_url").asString()).endsWith("/others/tickets/ENG-12");
    assertThat(
            node.post("/v1/tickets/get", node.token(), "{\"external_ticket_id\":\"12\"}").status())
        .isEqualTo(400);
  }
}
