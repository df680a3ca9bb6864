package dev.mainstay.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.server.MovableClock;
import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.TestNode.Answer;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.StartFailure;
import dev.mainstay.server.platform.http.Scope;
import java.time.Clock;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The organization of a key, over HTTP. */
class OrganizationTest {
  private static final Database.Address ADDRESS = TestDatabase.withTables();
  private static final String FEATURE = "most-common-failures";
  private static TestNode node;

  @BeforeAll
  static void start() {
    node = TestNode.start(ADDRESS, new MovableClock());
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static <T> T with(Function<Access, T> work) {
    try (var database = Database.connect(ADDRESS, 2)) {
      return work.apply(new Access(database, Clock.systemUTC()));
    }
  }

  /** A key of a new organization that has this slug. */
  private static String key(String slug, Scope scope) {
    return with(
        access -> {
          var owner =
              access
                  .organization(slug)
                  .or(() -> access.createOrganization(slug, "The " + slug))
                  .orElseThrow();
          var made = access.createKey(owner.id(), slug, "test", Set.of(scope), Optional.empty());
          return ((Access.Outcome.Made) made).made().token().text();
        });
  }

  private static String get(String token) {
    Answer answer = node.post("/v1/organization/get", token, "{}");
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  private static Answer set(String token, String fields) {
    return node.post("/v1/organization/set", token, fields.replace('\'', '"'));
  }

  @Test
  void it_shows_and_takes_name_ticket_address_and_retention() {
    String token = key("acme", Scope.ADMIN);
    assertThat(get(token))
        .isEqualTo(
            "{\"slug\":\"acme\",\"name\":\"The acme\",\"retentionDays\":90,\"features\":[]}");
    String all =
        "{'slug':'acme','name':'Acme Ltd','ticketUrl':'https://t.example/{id}','retentionDays':365,'features':[]}";
    assertThat(set(token, all).body()).isEqualTo(all.replace('\'', '"'));
    assertThat(set(token, "{}").body()).isEqualTo(all.replace('\'', '"'));
    assertThat(set(token, "{'name':'Acme'}").json().path("ticketUrl").asString())
        .isEqualTo("https://t.example/{id}");
    assertThat(set(token, "{'ticketUrl':''}").json().has("ticketUrl")).isFalse();
    assertThat(get(token)).contains("\"name\":\"Acme\"").contains("\"retentionDays\":365");
  }

  @Test
  void an_answer_may_be_sent_back_but_slug_and_features_do_not_change() {
    String token = key("fixed", Scope.ADMIN);
    assertThat(OrganizationTest.<Boolean>with(a -> a.setFeature("fixed", FEATURE, true))).isTrue();
    assertThat(get(token)).contains("\"features\":[\"most-common-failures\"]");
    assertThat(set(token, get(token)).body()).isEqualTo(get(token));
    Answer refused =
        set(
            token,
            "{'slug':'other','features':[],'name':'','ticketUrl':'ftp://x','retentionDays':31}");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.json().path("errors").valueStream().map(e -> e.path("field").asString()))
        .containsExactlyInAnyOrder("slug", "features", "name", "ticketUrl", "retentionDays");
    assertThat(set(token, "{'ticketUrl':'https://t.example/\\ud800{id}'}").status()).isEqualTo(400);
    assertThat(set(token, "{'slug':'FIXED'}").status()).isEqualTo(200);
    assertThat(get(token)).contains("\"name\":\"The fixed\"");
  }

  @Test
  void reading_needs_read_and_changing_needs_admin_and_nobody_reaches_another() {
    String reader = key("mine", Scope.READ);
    assertThat(get(reader)).contains("\"slug\":\"mine\"");
    assertThat(set(reader, "{'name':'x'}").status()).isEqualTo(403);
    assertThat(set(key("mine", Scope.QUEUE), "{'name':'x'}").status()).isEqualTo(403);
    assertThat(set(key("theirs", Scope.ADMIN), "{'name':'Changed'}").status()).isEqualTo(200);
    assertThat(get(reader)).contains("\"name\":\"The mine\"");
  }

  @Test
  void an_organization_is_not_called_like_an_address_of_the_service_unless_it_is_already() {
    assertThat(ReservedSlugs.fault("acme")).isEmpty();
    assertThat(ReservedSlugs.fault("docs").orElseThrow())
        .isEqualTo(
            "docs is an address of the service itself; no organization may be called one of v1, trunk, hooks, docs, mcp, bundles, healthz, readyz, metrics, assets, sign-in, sign-out, flaky-tests, openapi.json.");
    try (var database = Database.connect(TestDatabase.withTables(), 2)) {
      var access = new Access(database, Clock.systemUTC());
      assertThatThrownBy(() -> access.firstStart("docs", Optional.empty(), made -> {}))
          .isInstanceOf(StartFailure.class)
          .hasMessageContaining("sign-in, sign-out");
      assertThat(access.organizations()).isEmpty();
    }
    String token = key("docs", Scope.ADMIN);
    assertThat(get(token)).contains("\"slug\":\"docs\"");
    assertThat(ReservedSlugs.path("docs")).isEqualTo("/-/docs");
    assertThat(ReservedSlugs.path("acme")).isEqualTo("/acme");
    assertThat(ReservedSlugs.PLACE).doesNotMatch(Organization.SLUG_FORM);
  }
}
