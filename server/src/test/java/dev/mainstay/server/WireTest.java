package dev.mainstay.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.health.TestIdentity;
import dev.mainstay.core.health.TestIds;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules that hold for every endpoint, on a whole node. */
class WireTest {
  private static final String REPO =
      "\"repo\":{\"host\":\"dev.azure.com\",\"owner\":\"acme/My Project/_git\",\"name\":\"Web Shop\"}";
  private static final String REPORT =
      "<testsuite name='s'><testcase name='adds'><failure message='no'/></testcase></testsuite>";

  private static TestNode node;

  @BeforeAll
  static void start() {
    node = TestNode.start(Map.of(Config.Setting.ORG, "acme-inc"));
    upload("repo=dev.azure.com/acme/My%20Project/_git/Web%20Shop");
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  @Test
  void every_path_takes_a_bearer_token_and_every_401_says_how_to_come_in() {
    for (var route : node.routes()) {
      if (route.path().startsWith("/v1/")) {
        var request =
            node.request(route.path(), "")
                .method(route.method(), BodyPublishers.ofString("no json"))
                .header("content-type", "text/plain");
        var unknown = node.send(request);
        assertThat(unknown.status()).as(route.path()).isEqualTo(401);
        assertThat(unknown.header("www-authenticate")).isEqualTo("Bearer realm=\"mainstay\"");
        var known = node.send(request.header("authorization", "Bearer " + node.token()));
        assertThat(known.status()).as(route.path()).isNotEqualTo(401);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1969-12-31T12:00:00Z, 1970-01-01T00:00:00Z, 200",
    "1970-01-01T00:00:00Z, 1970-01-01T00:00:01Z, 200",
    "0000-01-01T00:00:00Z, 0000-01-02T00:00:00Z, 200",
    "9999-12-30T00:00:00Z, 9999-12-31T23:59:59Z, 200",
    "9999-12-31T00:00:00+23:59, 9999-12-31T23:59:59-23:59, 200",
    "2026-11-10t00:00:00.1234567890123z, 2026-11-10T02:00:00-00:00, 200",
    "2026-11-10T00:00Z, 2026-11-10T02:00:00Z, 400",
    "2026-11-10T00:00:00, 2026-11-10T02:00:00Z, 400",
    "2026-11-10 00:00:00Z, 2026-11-10T02:00:00Z, 400",
    "2026-11-10T00:00:00+0100, 2026-11-10T02:00:00Z, 400",
    "2026-02-30T00:00:00Z, 2026-03-01T00:00:00Z, 400",
    "1970-01-01T00:00:00Z, 1970-01-09T00:00:00Z, 400"
  })
  void a_time_is_what_rfc_3339_says(String start, String end, int status) {
    assertThat(failing("acme-inc", start, end).status()).isEqualTo(status);
  }

  @ParameterizedTest
  @ValueSource(strings = {"acme-inc", "Acme-Inc", "ACME-INC"})
  void a_slug_is_read_in_any_case_and_ids_keep_it_as_it_is_stored(String slug) {
    var clock = node.clock().instant();
    var answer =
        failing(slug, clock.minusSeconds(3600).toString(), clock.plusSeconds(60).toString());
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json().at("/tests/0/id").asString())
        .isEqualTo(
            new TestIds("acme-inc", "dev.azure.com/acme/My Project/_git/Web Shop")
                .of(new TestIdentity("", "", "s", "adds", ""))
                .toString());
    String bundle = "{%s,\"orgUrlSlug\":\"%s\"}".formatted(REPO, slug);
    assertThat(node.post("/v1/metrics/createBundleUpload", node.token(), bundle).status())
        .isEqualTo(200);
    assertThat(failing(slug + "x", "2026-11-10T00:00:00Z", "2026-11-10T02:00:00Z").code())
        .isEqualTo("organization_not_found");
  }

  @Test
  void a_repository_whose_name_holds_blanks_has_queues_results_and_links() {
    String queue = "{%s,\"targetBranch\":\"main\"}".formatted(REPO);
    assertThat(node.post("/v1/createQueue", node.token(), queue).status()).isEqualTo(200);
    assertThat(node.post("/v1/getQueue", node.token(), queue).status()).isEqualTo(200);
    var metrics =
        node.get(
            "/v1/getMergeQueueMetrics?repoHost=dev.azure.com&repo=acme/My%20Project/_git/Web%20Shop",
            node.token());
    assertThat(metrics.body()).contains("repo=\"acme/My Project/_git/Web Shop\"");
    // The address by which git knows it names the same one.
    upload("repo=https://acme@dev.azure.com/acme/My%2520Project/_git/Web%2520Shop");
    var tests = node.post("/v1/tests/list", node.token(), "{%s}".formatted(REPO));
    assertThat(tests.json().path("tests").size()).isEqualTo(1);
    assertThat(tests.json().at("/tests/0/repository/html_url").asString())
        .isEqualTo("https://dev.azure.com/acme/My%20Project/_git/Web%20Shop");
  }

  @Test
  void an_integer_may_be_written_as_json_schema_allows() {
    String page = "{%s,\"org_url_slug\":\"acme-inc\",\"page_query\":{\"page_size\":%s}}";
    for (String size : List.of("20", "20.0", "2e1")) {
      assertThat(
              node.post(
                      "/v1/flaky-tests/list-quarantined-tests",
                      node.token(),
                      page.formatted(REPO, size))
                  .status())
          .as(size)
          .isEqualTo(200);
    }
    assertThat(
            node.post(
                    "/v1/flaky-tests/list-quarantined-tests",
                    node.token(),
                    page.formatted(REPO, "20.5"))
                .status())
        .isEqualTo(400);
  }

  /** Sent unchecked: the checker of formats knows less of RFC 3339. */
  private static TestNode.Answer failing(String slug, String start, String end) {
    return node.post(
        "/v1/flaky-tests/list-failing-tests",
        node.token(),
        "application/json",
        BodyPublishers.ofString(
            "{%s,\"org_url_slug\":\"%s\",\"start_time\":\"%s\",\"end_time\":\"%s\",\"page_query\":{\"page_size\":10}}"
                .formatted(REPO, slug, start, end)));
  }

  private static void upload(String query) {
    var answer =
        node.post(
            "/v1/test-results?branch=main&commit=c0ffee&" + query,
            node.token(),
            "application/xml",
            BodyPublishers.ofString(REPORT));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json().path("repo").asString())
        .isEqualTo("dev.azure.com/acme/My Project/_git/Web Shop");
  }
}
