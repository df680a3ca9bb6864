package dev.mainstay.server.queue;

import static dev.mainstay.server.queue.QueueCalls.faults;
import static dev.mainstay.server.queue.QueueCalls.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.code.RepoName;
import dev.mainstay.server.MovableClock;
import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.TestNode.Answer;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.http.Scope;
import dev.mainstay.server.repository.PublicPages;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The lists of queues and of repositories. */
class ListEndpointsTest {
  private final Database.Address address = TestDatabase.withTables();
  private final TestKeys keys = new TestKeys(address);
  private TestNode node;

  @BeforeEach
  void start() {
    node = TestNode.start(address, new MovableClock());
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private void create(String token, String repo, String branch) {
    new QueueCalls(node, token, repo, branch).ok("createQueue");
  }

  private JsonNode ask(String path, String token, String fields) {
    Answer answer = node.post(path, token, "{%s}".formatted(fields).replace('\'', '"'));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json();
  }

  /** All rows of a list, asked for in pages of this size. */
  private List<String> pages(String path, String rows, int take) {
    String token = keys.with(Scope.READ);
    var seen = new ArrayList<String>();
    String cursor = "";
    do {
      JsonNode page = ask(path, token, "'take':%d%s".formatted(take, cursor));
      assertThat(page.path(rows).size()).isLessThanOrEqualTo(take);
      page.path(rows)
          .forEach(
              row ->
                  seen.add(
                      row.at("/repo/name").asString() + " " + row.path("branch").asString("")));
      cursor =
          page.has("nextCursor")
              ? ",'cursor':'%s'".formatted(page.path("nextCursor").asString())
              : "";
    } while (!cursor.isEmpty());
    return seen;
  }

  @Test
  void queues_are_listed_by_repository_and_branch_page_by_page() {
    create(node.token(), "shop", "release/2");
    create(node.token(), "shop", "main");
    create(node.token(), "Cart", "main");
    new QueueCalls(node, node.token(), "shop", "main").ok("submitPullRequest", 7);
    for (int take = 1; take <= 4; take++) {
      assertThat(pages("/v1/listQueues", "queues", take))
          .containsExactly("Cart main", "shop main", "shop release/2");
    }
    JsonNode shop =
        ask(
            "/v1/listQueues",
            node.token(),
            "'repo':{'host':'GIT.example','owner':'acme','name':'shop'}");
    assertThat(shop.path("queues").size()).isEqualTo(2);
    assertThat(shop.has("nextCursor")).isFalse();
    JsonNode main = shop.path("queues").get(0);
    assertThat(main.path("enqueuedCount").asInt()).isEqualTo(1);
    assertThat(main.path("repo").toString())
        .isEqualTo("{\"host\":\"git.example\",\"owner\":\"acme\",\"name\":\"shop\"}");
    assertThat(main.path("mode").asString()).isEqualTo("single");
  }

  @Test
  void repositories_are_listed_page_by_page() {
    create(node.token(), "shop", "main");
    create(node.token(), "Cart", "main");
    create(node.token(), "web", "main");
    for (int take = 1; take <= 4; take++) {
      assertThat(pages("/v1/repositories/list", "repositories", take))
          .containsExactly("Cart ", "shop ", "web ");
    }
    assertThat(
            ask("/v1/repositories/list", node.token(), "")
                .at("/repositories/0/connected")
                .asBoolean(true))
        .isFalse();
  }

  @Test
  void the_pages_of_a_repository_are_public_where_an_admin_says_so() {
    create(node.token(), "shop", "main");
    RepoName shop = new RepoName("git.example", "acme", "shop");
    String path = "/v1/repositories/set";
    String on =
        "{'repo':{'host':'GIT.example','owner':'acme','name':'shop'},'public_pages':true}"
            .replace('\'', '"');
    try (var database = Database.connect(address, 2)) {
      var pages = new PublicPages(database);
      assertThat(pages.of("default", shop)).isEmpty();
      refused(node.post(path, keys.with(Scope.QUEUE), on), 403, "insufficient_scope");
      refused(node.post(path, keys.foreign(), on), 404, "repository_not_found");
      assertThat(pages.of("default", shop)).isEmpty();
      Answer answer = node.post(path, node.token(), on);
      assertThat(answer.json().at("/repository/public_pages").asBoolean()).isTrue();
      JsonNode list = ask("/v1/repositories/list", keys.with(Scope.READ), "");
      assertThat(list.at("/repositories/0/public_pages").asBoolean()).isTrue();
      var shown = pages.of("Default", new RepoName("git.EXAMPLE", "Acme", "shop")).orElseThrow();
      assertThat(shown.organization()).isEqualTo("default");
      assertThat(shown.repository().name()).isEqualTo(shop);
      assertThat(pages.of("others", shop)).isEmpty();
      assertThat(pages.of("default", new RepoName("git.example", "acme", "cart"))).isEmpty();
      assertThat(faults(node.post(path, node.token(), on.replace("true", "null"))))
          .containsExactly("public_pages");
      assertThat(node.post(path, node.token(), on.replace("true", "false")).status())
          .isEqualTo(200);
      assertThat(pages.of("default", shop)).isEmpty();
    }
  }

  @Test
  void another_organization_sees_nothing_of_them() {
    create(node.token(), "shop", "main");
    create(node.token(), "web", "main");
    String foreign = keys.foreign();
    assertThat(ask("/v1/listQueues", foreign, "").path("queues").isEmpty()).isTrue();
    assertThat(ask("/v1/repositories/list", foreign, "").path("repositories").isEmpty()).isTrue();
    String ours = ask("/v1/listQueues", node.token(), "'take':1").path("nextCursor").asString();
    assertThat(
            ask("/v1/listQueues", foreign, "'cursor':'%s'".formatted(ours))
                .path("queues")
                .isEmpty())
        .isTrue();
    create(foreign, "theirs", "main");
    assertThat(ask("/v1/listQueues", node.token(), "").path("queues").size()).isEqualTo(2);
    assertThat(ask("/v1/repositories/list", node.token(), "").path("repositories").size())
        .isEqualTo(2);
    String shop = "{\"repo\":{\"host\":\"git.example\",\"owner\":\"acme\",\"name\":\"shop\"}}";
    refused(node.post("/v1/listQueues", foreign, shop), 404, "repository_not_found");
    refused(
        node.post("/v1/listQueues", foreign, shop.replace("shop", "never")),
        404,
        "repository_not_found");
  }

  @Test
  void what_is_no_page_is_400() {
    for (String path : List.of("/v1/listQueues", "/v1/repositories/list")) {
      for (String cursor : List.of("!", "AA", "AAoKCg", "_w", "YQpiCmM")) {
        assertThat(
                faults(
                    node.post(
                        path, node.token(), "{\"cursor\":\"%s\",\"take\":101}".formatted(cursor))))
            .containsExactlyInAnyOrder("cursor", "take");
      }
    }
    assertThat(faults(node.post("/v1/listQueues", node.token(), "{\"repo\":7}")))
        .containsExactly("repo");
  }
}
