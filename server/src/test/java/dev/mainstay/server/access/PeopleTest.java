package dev.mainstay.server.access;

import static dev.mainstay.server.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.MovableClock;
import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.access.Access.NewKey;
import dev.mainstay.server.access.Access.Outcome;
import dev.mainstay.server.access.Person.Identity;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.http.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The people of an organization over HTTP, on a node that did not sign them in. */
class PeopleTest {
  private static final Database.Address ADDRESS = TestDatabase.withTables();
  private static final MovableClock CLOCK = new MovableClock();
  private static TestNode node;
  private static Database database;
  private static Access access;
  private static KeyRing ring;
  private static Sessions sessions;
  private static Organization ours;

  @BeforeAll
  static void start() {
    node = TestNode.start(ADDRESS, CLOCK);
    database = Database.connect(ADDRESS, 4);
    access = new Access(database, CLOCK);
    ours = access.organization("default").orElseThrow();
    ring = new KeyRing(database, CLOCK);
    sessions = new Sessions(database, CLOCK, ring);
  }

  @AfterAll
  static void stop() {
    node.close();
    sessions.close();
    ring.close();
    database.close();
  }

  @Test
  void people_are_listed_with_their_sessions_and_signed_out_by_admins_of_their_organization_only() {
    var opened = new ArrayList<Sessions.Opened>();
    for (String name : List.of("Ann", "Bob", "Cleo")) {
      var email = Optional.of(name + "@example.com").filter(e -> !name.equals("Bob"));
      opened.add(
          sessions.withPerson(
              ours.id(), new Identity("https://id.example", name, name, email), Role.MEMBER));
      CLOCK.advance(Duration.ofSeconds(1));
    }
    NewKey desk = key(ours, "desk", Scope.READ);
    var byKey = sessions.withKey(desk.token().text()).orElseThrow();
    var others = access.createOrganization("others", "Others").orElseThrow();
    String foreign = key(others, "theirs", Scope.ADMIN).token().text();
    sessions.withPerson(
        others.id(),
        new Identity("https://id.example", "Ann", "Ann", Optional.empty()),
        Role.ADMIN);

    for (int take = 1; take <= 4; take++) {
      assertThat(names(node.token(), take)).containsExactly("Cleo", "Bob", "Ann");
    }
    assertThat(names(foreign, 50)).containsExactly("Ann");
    JsonNode first = list(node.token(), "{\"take\":1}");
    JsonNode cleo = first.at("/people/0");
    assertThat(cleo.path("role").asString()).isEqualTo("member");
    assertThat(cleo.path("email").asString()).isEqualTo("Cleo@example.com");
    assertThat(cleo.path("open_sessions").asInt()).isEqualTo(1);
    assertThat(first.at("/keys/0/name").asString()).isEqualTo("desk");
    assertThat(first.path("keys").size()).isEqualTo(1);
    assertThat(node.post("/v1/people/list", desk.token().text(), "{}").status()).isEqualTo(403);

    String person = body("person_id", UUID.fromString(cleo.path("id").asString()));
    String path = "/v1/people/sign-out";
    assertThat(node.post(path, desk.token().text(), person).status()).isEqualTo(403);
    assertThat(node.post(path, foreign, person).code()).isEqualTo("person_not_found");
    assertThat(node.post(path, foreign, body("key_id", desk.key().id())).code())
        .isEqualTo("key_not_found");
    assertThat(node.post(path, node.token(), body("person_id", UUID.randomUUID())).code())
        .isEqualTo("person_not_found");
    assertThat(sessions.find(opened.getLast().secret())).isPresent();
    assertThat(sessions.find(byKey.secret())).isPresent();
    assertThat(node.post(path, node.token(), person).json().path("ended").asInt()).isEqualTo(1);
    assertThat(
            node.post(path, node.token(), body("key_id", desk.key().id()))
                .json()
                .path("ended")
                .asInt())
        .isEqualTo(1);
    until(() -> sessions.find(opened.getLast().secret()), Optional::isEmpty);
    until(() -> sessions.find(byKey.secret()), Optional::isEmpty);
    assertThat(sessions.find(opened.getFirst().secret())).isPresent();
    JsonNode after = list(node.token(), "{}");
    assertThat(after.at("/people/0/open_sessions").asInt()).isZero();
    assertThat(after.path("keys").isEmpty()).isTrue();
  }

  @Test
  void what_is_no_page_and_nobody_is_400() {
    for (String cursor :
        List.of(
            "!", "AA", "YQpi", "MQpi", "MTIzCi0tLS0tLS0tLS0tLS0tLS0tLS0tLS0tLS0tLS0tLS0tLS0tLQ")) {
      var answer =
          node.post("/v1/people/list", node.token(), "{\"cursor\":\"%s\"}".formatted(cursor));
      assertThat(answer.status()).as(cursor).isEqualTo(400);
    }
    String both =
        "{\"person_id\":\"%s\",\"key_id\":\"%s\"}".formatted(UUID.randomUUID(), UUID.randomUUID());
    for (String body : List.of("{}", both, "{\"person_id\":7}")) {
      assertThat(node.post("/v1/people/sign-out", node.token(), body).status())
          .as(body)
          .isEqualTo(400);
    }
  }

  private static List<String> names(String token, int take) {
    var names = new ArrayList<String>();
    String cursor = "";
    do {
      JsonNode page = list(token, "{\"take\":%d%s}".formatted(take, cursor));
      page.path("people").forEach(one -> names.add(one.path("name").asString()));
      cursor =
          page.has("nextCursor")
              ? ",\"cursor\":\"%s\"".formatted(page.path("nextCursor").asString())
              : "";
    } while (!cursor.isEmpty());
    return names;
  }

  private static JsonNode list(String token, String body) {
    var answer = node.post("/v1/people/list", token, body);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json();
  }

  private static String body(String field, UUID id) {
    return "{\"%s\":\"%s\"}".formatted(field, id);
  }

  private static NewKey key(Organization owner, String name, Scope scope) {
    var made = access.createKey(owner.id(), owner.slug(), name, Set.of(scope), Optional.empty());
    return ((Outcome.Made) made).made();
  }
}
