package dev.mainstay.server.access;

import static dev.mainstay.server.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.MovableClock;
import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.TestNode.Answer;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.http.Scope;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class KeysTest {
  private static final Database.Address ADDRESS = TestDatabase.withTables();
  private static final MovableClock CLOCK = new MovableClock();
  private static TestNode node;
  private static TestNode otherNode;
  private static String admin;

  @BeforeAll
  static void start() {
    node = TestNode.start(ADDRESS, CLOCK);
    otherNode = TestNode.start(ADDRESS, CLOCK);
    admin = node.token();
  }

  @AfterAll
  static void stop() {
    node.close();
    otherNode.close();
  }

  @Test
  void a_new_key_works_at_once_on_every_node() {
    for (int i = 0; i < 20; i++) {
      String token = create("{\"name\":\"ci\"}").path("token").asString();
      assertThat(otherNode.get("/v1/whoami", token).status()).isEqualTo(200);
    }
  }

  @Test
  void a_token_carries_256_random_bits_and_is_not_stored() {
    String token = create("{\"name\":\"ci\"}").path("token").asString();
    assertThat(token).matches("mst_[A-Za-z0-9_-]{43}");
    try (var database = Database.connect(ADDRESS, 2)) {
      assertThat(
              database.<Integer>query(
                  handle ->
                      handle
                          .select(
                              "SELECT count(*) FROM api_key k WHERE k::text LIKE '%' || ? || '%'",
                              token.substring(4))
                          .mapTo(Integer.class)
                          .one()))
          .isZero();
    }
  }

  @Test
  void a_key_without_the_scope_is_403_and_admin_may_do_everything() {
    var made = create("{\"name\":\"reader\",\"scopes\":[\"read\",\"queue\"]}");
    Answer answer = node.post("/v1/keys/list", made.path("token").asString(), "{}");
    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.code()).isEqualTo("insufficient_scope");
    assertThat(answer.json().path("detail").asString()).contains("`admin`");
    assertThat(node.post("/v1/keys/list", admin, "{}").status()).isEqualTo(200);
  }

  @Test
  void the_scope_is_asked_for_before_the_body_is_looked_at() {
    String reader = create("{\"name\":\"reader\"}").path("token").asString();
    assertThat(node.post("/v1/keys/create", reader, "not json").status()).isEqualTo(403);
  }

  @Test
  void an_expired_key_is_401() {
    var made =
        create("{\"name\":\"short\",\"expiresAt\":\"" + CLOCK.instant().plusSeconds(60) + "\"}");
    String token = made.path("token").asString();
    assertThat(node.get("/v1/whoami", token).status()).isEqualTo(200);
    CLOCK.advance(Duration.ofSeconds(60));
    assertThat(node.get("/v1/whoami", token).status()).isEqualTo(401);
  }

  @Test
  void a_revoked_key_is_refused_by_every_node() {
    var made = create("{\"name\":\"leaked\"}");
    String token = made.path("token").asString();
    assertThat(otherNode.get("/v1/whoami", token).status()).isEqualTo(200);
    String id = made.path("key").path("id").asString();
    assertThat(node.post("/v1/keys/revoke", admin, "{\"id\":\"" + id + "\"}").body())
        .isEqualTo("{}");
    awaitRefusal(otherNode, token);
    awaitRefusal(node, token);
    assertThat(node.post("/v1/keys/revoke", admin, "{\"id\":\"" + id + "\"}").status())
        .isEqualTo(200);
  }

  @Test
  void a_rotated_key_works_until_its_grace_period_ends() {
    var old = create("{\"name\":\"deploy\",\"scopes\":[\"queue\"]}");
    String id = old.path("key").path("id").asString();
    var rotated =
        node.post("/v1/keys/rotate", admin, "{\"id\":\"" + id + "\",\"graceSeconds\":3600}").json();
    assertThat(rotated.path("key").path("name").asString()).isEqualTo("deploy");
    assertThat(rotated.path("key").path("scopes").toString()).isEqualTo("[\"queue\"]");
    String oldToken = old.path("token").asString();
    assertThat(node.get("/v1/whoami", oldToken).status()).isEqualTo(200);
    CLOCK.advance(Duration.ofHours(1));
    awaitRefusal(node, oldToken);
    assertThat(node.get("/v1/whoami", rotated.path("token").asString()).status()).isEqualTo(200);
    Answer again = node.post("/v1/keys/rotate", admin, "{\"id\":\"" + id + "\"}");
    assertThat(again.code()).isEqualTo("key_ended");
  }

  @Test
  void keys_of_another_organization_do_not_exist() {
    String id = create("{\"name\":\"ours\"}").path("key").path("id").asString();
    String foreign;
    try (var database = Database.connect(ADDRESS, 2)) {
      var access = new Access(database, CLOCK);
      var other = access.createOrganization("other", "Other").orElseThrow();
      var made =
          (Access.Outcome.Made)
              access.createKey(
                  other.id(), "other", "theirs", Set.of(Scope.ADMIN), Optional.empty());
      foreign = made.made().token().text();
    }
    String unknown = "{\"id\":\"00000000-0000-4000-8000-000000000000\"}";
    for (String path : new String[] {"/v1/keys/revoke", "/v1/keys/rotate"}) {
      Answer theirs = node.post(path, foreign, "{\"id\":\"" + id + "\"}");
      Answer nobodys = node.post(path, foreign, unknown);
      assertThat(theirs.status()).isEqualTo(404);
      assertThat(theirs.json().path("detail")).isEqualTo(nobodys.json().path("detail"));
    }
    assertThat(node.post("/v1/keys/list", foreign, "{}").json().path("keys")).hasSize(1);
  }

  @Test
  void each_request_of_a_connection_is_of_the_key_that_it_names() throws IOException {
    var one = create("{\"name\":\"one\"}");
    var other = create("{\"name\":\"other\"}");
    String token = one.path("token").asString();
    var tokens = List.of(token, other.path("token").asString(), token + "x", token);
    var requests = new StringBuilder();
    for (String each : tokens) {
      requests.append("GET /v1/whoami HTTP/1.1\r\nHost: localhost\r\nx-api-token: ");
      requests.append(each).append("\r\n\r\n");
    }
    requests.append("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    String answers;
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), node.port())) {
      socket.getOutputStream().write(requests.toString().getBytes(StandardCharsets.US_ASCII));
      answers = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
    String first = one.at("/key/id").asString();
    assertThat(
            Pattern.compile("\"keyId\":\"([^\"]+)|HTTP/1.1 (401)")
                .matcher(answers)
                .results()
                .map(m -> m.group(1) == null ? m.group(2) : m.group(1)))
        .containsExactly(first, other.at("/key/id").asString(), "401", first);
  }

  @Test
  void the_last_use_of_a_key_is_recorded() {
    String token = create("{\"name\":\"used\"}").path("token").asString();
    try (var third = TestNode.start(ADDRESS, CLOCK)) {
      assertThat(third.get("/v1/whoami", token).status()).isEqualTo(200);
    }
    var keys = node.post("/v1/keys/list", admin, "{}").json().path("keys");
    for (var key : keys) {
      if (key.path("name").asString().equals("used")) {
        assertThat(key.path("lastUsedAt").asString()).isEqualTo(CLOCK.instant().toString());
        return;
      }
    }
    throw new AssertionError("the key is not listed: " + keys);
  }

  @Test
  void ids_that_are_none_are_400() {
    for (String id :
        new String[] {"\"1-2-3-4-5\"", "7", "\"\"", "null", "\"" + "x".repeat(36) + "\""}) {
      Answer answer = node.post("/v1/keys/revoke", admin, "{\"id\":" + id + "}");
      assertThat(answer.status()).as(id).isEqualTo(400);
    }
  }

  private static tools.jackson.databind.JsonNode create(String body) {
    Answer answer = node.post("/v1/keys/create", admin, body);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json();
  }

  /**
   * Asks until the key is refused; it must be within a second, but slow machines are not judged.
   */
  private static void awaitRefusal(TestNode node, String token) {
    until(() -> node.get("/v1/whoami", token).status(), status -> status == 401);
  }
}
