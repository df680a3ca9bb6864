package dev.mainstay.server.health.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.health.JudgingScene;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Which tests are quarantined, asked at every door. */
class SameAnswerTest extends JudgingScene {
  private static final List<String> TESTS =
      List.of("always", "never", "flaky", "broken", "healthy", "ended");
  private static final String[] ALL_FAILED =
      TESTS.stream().map(test -> test + " failed").toArray(String[]::new);

  private int sent;

  /** Tests of every kind, one of which was quarantined until a moment ago. */
  private void tests() {
    create("\"kind\":\"failure_count\",\"count\":5");
    for (String commit : List.of("a", "b", "c", "d", "e")) {
      shop.upload(
          now(),
          "&branch=main&commit=" + commit,
          "broken failed",
          "flaky retried",
          "never retried",
          "always passed",
          "healthy passed",
          "ended passed");
    }
    judged();
    decide("always", "ALWAYS_QUARANTINE", "");
    decide("never", "NEVER_QUARANTINE", "");
    decide("ended", "ALWAYS_QUARANTINE", ",\"until\":\"" + now().plusSeconds(60) + "\"");
    clock.advance(Duration.ofMinutes(2));
  }

  private void decide(String test, String setting, String more) {
    var answer =
        shop.ask(
            "/v1/tests/quarantine",
            "\"test_id\":\"%s\",\"setting\":\"%s\",\"reason\":\"r\"%s"
                .formatted(shop.id(test), setting, more));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
  }

  private void everyDoorSays(String... names) {
    var expected = new TreeSet<>(Set.of(names));
    for (String branch : List.of("main", "feature", "mainstay/main/q-1")) {
      var answer =
          shop.upload(now(), "&branch=%s&commit=s%d".formatted(branch, ++sent), ALL_FAILED);
      assertThat(inVerdict(answer.json())).as("results of %s", branch).isEqualTo(expected);
      assertThat(answer.json().at("/verdict/exit_code").asInt()).isEqualTo(1);
    }
    assertThat(inVerdict(bundle())).as("bundle").isEqualTo(expected);
    assertThat(configured()).as("getQuarantineConfig").isEqualTo(expected);
    var quarantined =
        shop.ask("/v1/flaky-tests/list-quarantined-tests", "\"page_query\":{\"page_size\":10}");
    assertThat(named(quarantined.json().path("quarantined_tests"), ""))
        .as("list-quarantined-tests")
        .isEqualTo(expected);
    var failing = shop.failing(now().minusSeconds(3600), now().plusSeconds(1), 100, "");
    assertThat(named(failing.json().path("tests"), "quarantined"))
        .as("list-failing-tests")
        .isEqualTo(expected);
    assertThat(those(test -> shop.details(test).path("quarantined").asBoolean()))
        .as("get-test-details")
        .isEqualTo(expected);
  }

  private static Set<String> inVerdict(JsonNode answer) {
    assertThat(answer.at("/verdict/failed_tests").asInt()).isEqualTo(TESTS.size());
    Set<String> names = named(answer.at("/verdict/failures"), "quarantined");
    assertThat(answer.at("/verdict/quarantined_tests").asInt()).isEqualTo(names.size());
    assertThat(answer.at("/verdict/may_pass").asBoolean()).isFalse();
    return names;
  }

  /** The names of the tests that have a flag; of all, where none is asked for. */
  private static Set<String> named(JsonNode tests, String flag) {
    var names = new TreeSet<String>();
    for (JsonNode test : tests) {
      if (flag.isEmpty() || test.path(flag).asBoolean()) {
        names.add(test.path("name").asString());
      }
    }
    return names;
  }

  private Set<String> configured() {
    var identifiers =
        TESTS.stream()
            .map(test -> "{\"id\":\"%s\",\"name\":\"%s\"}".formatted(shop.id(test), test))
            .collect(Collectors.joining(","));
    var answer =
        node.post(
            "/v1/metrics/getQuarantineConfig",
            node.token(),
            "{\"repo\":%s,\"orgUrlSlug\":\"default\",\"testIdentifiers\":[%s]}"
                .formatted(shop.repo(), identifiers));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    var ids = new TreeSet<String>();
    answer.json().path("testIds").forEach(id -> ids.add(id.asString()));
    return those(test -> ids.contains(shop.id(test).toString()));
  }

  private static Set<String> those(Predicate<String> wanted) {
    return new TreeSet<>(TESTS.stream().filter(wanted).toList());
  }

  /** Sends the failures as an uploader does. */
  private JsonNode bundle() {
    var cases = new StringBuilder();
    for (String test : TESTS) {
      cases.append(
          "<testcase classname='C' file='src/%s.py' name='%s'><failure/></testcase>"
              .formatted(test, test));
    }
    var zip =
        SentFile.zip(
            List.of(
                SentFile.of(
                    "meta.json",
                    "{\"repo\":{\"repo_head_sha\":\"s%d\",\"repo_head_branch\":\"feature\"}}"
                        .formatted(++sent)),
                SentFile.of("0.xml", "<testsuite name='Suite'>%s</testsuite>".formatted(cases))));
    String url =
        node.post(
                "/v1/metrics/createBundleUpload",
                node.token(),
                "{\"repo\":%s,\"orgUrlSlug\":\"default\"}".formatted(shop.repo()))
            .json()
            .path("url")
            .asString();
    var answer =
        node.send(
            HttpRequest.newBuilder(URI.create(url)).PUT(BodyPublishers.ofByteArray(zip.content())));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json();
  }

  @Test
  void every_door_gives_the_same_answer() {
    tests();
    everyDoorSays();
    set("\"auto_quarantine\":true");
    everyDoorSays();
    set("\"auto_quarantine\":false,\"quarantining\":true");
    everyDoorSays("always");
    set("\"auto_quarantine\":true");
    everyDoorSays("always", "flaky", "broken");
  }
}
