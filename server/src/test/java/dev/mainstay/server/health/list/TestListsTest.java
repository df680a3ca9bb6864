package dev.mainstay.server.health.list;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.TestNode.Answer;
import dev.mainstay.server.access.Access;
import dev.mainstay.server.health.JudgingScene;
import dev.mainstay.server.health.Shop;
import dev.mainstay.server.platform.http.Scope;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The lists that follow judgements: unhealthy and quarantined tests. */
class TestListsTest extends JudgingScene {
  /** Makes each test flaky at once. */
  private void flaky(Shop where, String... tests) {
    var results = new ArrayList<String>();
    for (String test : tests) {
      results.add(test + " retried");
    }
    where.upload(clock.instant(), "&commit=" + tests[0], results.toArray(String[]::new));
    for (String test : tests) {
      while (!where.details(test).at("/status/value").asString().equals("flaky")) {
        judging.step();
      }
    }
  }

  private static void quarantining(Shop where) {
    var answer =
        where.ask(
            "/v1/repositories/set-test-settings", "\"quarantining\":true,\"auto_quarantine\":true");
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
  }

  private static Answer unhealthy(Shop where, int size, String token) {
    return where.ask(
        "/v1/flaky-tests/list-unhealthy-tests", "\"status\":\"FLAKY\"," + page(size, token));
  }

  private static Answer quarantined(Shop where, int size, String token) {
    return where.ask("/v1/flaky-tests/list-quarantined-tests", page(size, token));
  }

  private static String page(int size, String token) {
    return "\"page_query\":{\"page_size\":%d,\"page_token\":\"%s\"}".formatted(size, token);
  }

  private static String next(Answer answer) {
    return answer.json().at("/page/next_page_token").asString();
  }

  private static List<String> names(Answer answer) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    var names = new ArrayList<String>();
    answer.json().path("quarantined_tests").forEach(t -> names.add(t.path("name").asString()));
    return names;
  }

  private List<String> byId(String... tests) {
    return List.of(tests).stream()
        .sorted(Comparator.comparing(test -> shop.id(test).toString()))
        .toList();
  }

  @Test
  void tests_flagged_at_the_same_moment_are_listed_by_id() {
    flaky(shop, "a", "b", "c", "d", "e", "f");
    clock.advance(Duration.ofMinutes(1));
    flaky(shop, "later");
    var expected = new ArrayList<>(List.of("later"));
    expected.addAll(byId("a", "b", "c", "d", "e", "f"));
    assertThat(Shop.names(unhealthy(shop, 100, ""))).isEqualTo(expected);
    quarantining(shop);
    assertThat(names(quarantined(shop, 100, "")))
        .isEqualTo(byId("a", "b", "c", "d", "e", "f", "later"));
  }

  @Test
  void quarantined_tests_come_latest_first_in_pages_that_fit_their_query_only() {
    shop.upload(clock.instant(), "&commit=x", "x passed");
    quarantining(shop);
    for (String test : List.of("a", "b", "c", "d", "e")) {
      clock.advance(Duration.ofMinutes(1));
      flaky(shop, test);
    }
    Answer first = quarantined(shop, 2, "");
    assertThat(names(first)).containsExactly("e", "d");
    assertThat(first.json().at("/quarantined_tests/0/quarantined_at").asString())
        .isEqualTo(clock.instant().toString());
    clock.advance(Duration.ofMinutes(1));
    flaky(shop, "f");
    Answer second = quarantined(shop, 2, next(first));
    assertThat(names(second)).containsExactly("c", "b");
    assertThat(second.json().at("/page/total_rows").asInt()).isEqualTo(5);
    assertThat(quarantined(shop, 3, next(first)).status()).isEqualTo(400);
    assertThat(unhealthy(shop, 2, next(first)).status()).isEqualTo(400);
    assertThat(quarantined(shop, 2, next(unhealthy(shop, 2, ""))).status()).isEqualTo(400);
  }

  @Test
  void a_test_is_quarantined_from_the_later_of_its_status_and_the_switch() {
    flaky(shop, "before");
    clock.advance(Duration.ofMinutes(5));
    Instant switched = clock.instant();
    quarantining(shop);
    clock.advance(Duration.ofMinutes(5));
    flaky(shop, "after");
    var listed = quarantined(shop, 10, "").json().path("quarantined_tests");
    assertThat(listed.at("/0/quarantined_at").asString()).isEqualTo(clock.instant().toString());
    assertThat(listed.at("/1/quarantined_at").asString()).isEqualTo(switched.toString());
  }

  @Test
  void a_repository_lists_its_own_tests_only() {
    Shop other = new Shop(node, "other");
    flaky(shop, "mine");
    flaky(other, "foreign", "second", "third");
    quarantining(shop);
    quarantining(other);
    assertThat(Shop.names(unhealthy(shop, 10, ""))).containsExactly("mine");
    assertThat(names(quarantined(shop, 10, ""))).containsExactly("mine");
    for (Answer answer : List.of(unhealthy(shop, 10, ""), quarantined(shop, 10, ""))) {
      assertThat(answer.json().at("/page/total_rows").asInt()).isEqualTo(1);
    }
    assertThat(unhealthy(shop, 1, next(unhealthy(other, 1, ""))).status()).isEqualTo(400);
    assertThat(quarantined(shop, 1, next(quarantined(other, 1, ""))).status()).isEqualTo(400);
    UUID foreign = other.id("foreign");
    assertThat(
            shop.ask("/v1/flaky-tests/get-test-details", "\"test_id\":\"" + foreign + "\"")
                .status())
        .isEqualTo(404);
  }

  @Test
  void another_organization_does_not_find_the_repository_under_its_own_name() {
    flaky(shop, "mine");
    var access = new Access(database, clock);
    var others = access.createOrganization("others", "Others").orElseThrow();
    var key =
        access.createKey(others.id(), others.slug(), "k", Set.of(Scope.ADMIN), Optional.empty());
    String foreign = ((Access.Outcome.Made) key).made().token().text();
    for (String list : List.of("list-unhealthy-tests", "list-quarantined-tests")) {
      var answer =
          node.post(
              "/v1/flaky-tests/" + list,
              foreign,
              "{\"repo\":%s,\"org_url_slug\":\"others\",\"status\":\"FLAKY\",%s}"
                  .formatted(shop.repo(), page(10, "")));
      assertThat(answer.code()).isEqualTo("repository_not_found");
    }
  }
}
