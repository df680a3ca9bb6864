package dev.mainstay.server.platform.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.TestNode;
import dev.mainstay.server.TestNode.Answer;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The door, as every caller meets it: CONTRACT section 1. */
class DoorTest {
  private static final int MEBIBYTE = 1024 * 1024;
  private static TestNode node;
  private static String token;

  @BeforeAll
  static void start() {
    node = TestNode.start();
    token = node.token();
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  @Test
  void health_readiness_and_description_need_no_key() {
    assertThat(node.get("/healthz", "").body()).isEqualTo("{\"status\":\"ok\"}");
    assertThat(node.get("/readyz", "").body()).isEqualTo("{\"status\":\"ready\"}");
    JsonNode description = node.get("/openapi.json", "").json();
    assertThat(description.path("openapi").asString()).startsWith("3.1");
    assertThat(description.path("info").path("version").asString()).isEqualTo("1.0.0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/v1/whoami", "/v1/keys/list", "/v1", "/v1/nothing/here"})
  void without_a_key_everything_under_v1_is_a_problem_document_of_401(String path) {
    Answer answer = node.get(path, "");
    assertThat(answer.status()).isEqualTo(401);
    assertThat(answer.header("content-type")).isEqualTo("application/problem+json");
    assertThat(answer.code()).isEqualTo("unauthorized");
  }

  @Test
  void a_wrong_or_endless_key_is_401_too() {
    assertThat(node.get("/v1/whoami", token + "x").status()).isEqualTo(401);
    assertThat(node.get("/v1/whoami", "x".repeat(5000)).status()).isEqualTo(401);
  }

  @Test
  void list_failing_tests_alone_answers_401_with_a_sentence() {
    Answer answer = node.post("/v1/flaky-tests/list-failing-tests", "", "{}");
    assertThat(answer.status()).isEqualTo(401);
    assertThat(answer.header("content-type")).isEqualTo("text/plain; charset=utf-8");
    assertThat(answer.body()).startsWith("Send a valid API key");
  }

  @Test
  void an_unknown_path_is_404_and_a_wrong_method_405_with_allow() {
    assertThat(node.get("/v1/nothing", token).code()).isEqualTo("unknown_path");
    assertThat(node.get("/nothing", "").status()).isEqualTo(404);
    Answer answer = node.get("/v1/keys/list", token);
    assertThat(answer.status()).isEqualTo(405);
    assertThat(answer.header("allow")).isEqualTo("POST");
    assertThat(node.send(node.request("/healthz", "").DELETE()).header("allow")).isEqualTo("GET");
  }

  @Test
  void head_is_get_without_the_body() {
    var answer = node.send(node.request("/healthz", "").HEAD());
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("content-length")).isEqualTo("15");
    assertThat(answer.body()).isEmpty();
  }

  @Test
  void every_fault_of_a_request_is_named_at_once() {
    Answer answer =
        node.post(
            "/v1/keys/create",
            token,
            "{\"name\":7,\"scopes\":[\"read\",\"fly\"],\"expiresAt\":\"2026-01-01T00:00:00\"}");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.json().path("errors").findValuesAsString("field"))
        .containsExactly("name", "scopes", "expiresAt");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "null",
        "\"text\"",
        "{\"name\":\"a\"} x",
        "{\"name\":\"a\",\"name\":\"b\"}",
        "{\"name\":\"a\",\"deep\":{\"x\":1,\"x\":2}}",
        "{'name':'a'}",
        "{\"name\":NaN}"
      })
  void a_body_that_is_not_one_json_object_is_400(String body) {
    Answer answer = node.post("/v1/keys/create", token, body);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.code()).isEqualTo("invalid_json");
  }

  @Test
  void nesting_without_end_is_400() {
    String deep = "{\"a\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}";
    Answer answer = node.post("/v1/keys/create", token, deep);
    assertThat(answer.code()).isEqualTo("invalid_json");
    assertThat(answer.json().path("detail").asString()).contains("nested deeper");
  }

  @Test
  void broken_utf8_is_400() {
    byte[] body = {'{', '"', 'a', '"', ':', '"', (byte) 0xff, '"', '}'};
    Answer answer =
        node.post("/v1/keys/create", token, "application/json", BodyPublishers.ofByteArray(body));
    assertThat(answer.code()).isEqualTo("invalid_json");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\\u0000b", "a\\u0007b", "\\ud800", "  ", ""})
  void a_text_that_cannot_be_stored_or_seen_is_400(String name) {
    Answer answer = node.post("/v1/keys/create", token, "{\"name\":\"" + name + "\"}");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.json().path("errors").findValuesAsString("field")).containsExactly("name");
  }

  @Test
  void unknown_fields_are_ignored() {
    Answer answer =
        node.post("/v1/keys/create", token, "{\"name\":\"key\",\"colour\":{\"x\":[1]}}");
    assertThat(answer.status()).isEqualTo(200);
  }

  @Test
  void another_content_type_is_415_and_parameters_are_fine() {
    var body = BodyPublishers.ofString("{}");
    for (String type : List.of("text/plain", "application/xml", "application/json-patch+json")) {
      assertThat(node.post("/v1/keys/list", token, type, body).status()).isEqualTo(415);
    }
    assertThat(node.send(node.request("/v1/keys/list", token).POST(body)).status()).isEqualTo(415);
    assertThat(node.post("/v1/keys/list", token, "Application/JSON; charset=utf-8", body).status())
        .isEqualTo(200);
  }

  @Test
  void exactly_20_mebibytes_are_accepted_and_one_byte_more_is_413() {
    byte[] largest = json(20 * MEBIBYTE);
    byte[] tooLarge = json(20 * MEBIBYTE + 1);
    for (var publisher : List.of(BodyPublishers.ofByteArray(largest), chunked(largest))) {
      assertThat(post(publisher).status()).isEqualTo(200);
    }
    for (var publisher : List.of(BodyPublishers.ofByteArray(tooLarge), chunked(tooLarge))) {
      Answer answer = post(publisher);
      assertThat(answer.status()).isEqualTo(413);
      assertThat(answer.code()).isEqualTo("body_too_large");
    }
  }

  @Test
  void a_client_that_sends_everything_first_can_still_read_a_refusal() {
    byte[] large = json(40 * MEBIBYTE);
    for (var publisher : List.of(BodyPublishers.ofByteArray(large), chunked(large))) {
      assertThat(post(publisher).status()).isEqualTo(413);
    }
    // Of what a stranger sends less is heard out.
    byte[] small = json(3 * MEBIBYTE);
    for (var publisher : List.of(BodyPublishers.ofByteArray(small), chunked(small))) {
      assertThat(node.post("/v1/keys/list", "wrong", "application/json", publisher).status())
          .isEqualTo(401);
    }
  }

  @Test
  void the_request_id_of_the_client_is_kept_when_it_is_sane() {
    var sane = node.send(node.request("/v1/nothing", token).header("x-request-id", "job-7.a"));
    assertThat(sane.header("x-request-id")).isEqualTo("job-7.a");
    assertThat(sane.json().path("requestId").asString()).isEqualTo("job-7.a");
    var insane = node.send(node.request("/healthz", "").header("x-request-id", "a b{}"));
    assertThat(insane.header("x-request-id")).matches("[0-9a-f]{16}");
  }

  @Test
  void every_answer_forbids_sniffing_framing_and_caching() {
    for (Answer answer : List.of(node.get("/healthz", ""), node.get("/v1/whoami", ""))) {
      assertThat(answer.header("x-content-type-options")).isEqualTo("nosniff");
      assertThat(answer.header("content-security-policy"))
          .isEqualTo("default-src 'none'; frame-ancestors 'none'");
      assertThat(answer.header("cache-control")).isEqualTo("no-store");
      assertThat(answer.header("server")).isEmpty();
    }
  }

  private static Answer post(java.net.http.HttpRequest.BodyPublisher body) {
    return node.post("/v1/keys/list", token, "application/json", body);
  }

  /** A publisher without a length is sent in chunks. */
  private static java.net.http.HttpRequest.BodyPublisher chunked(byte[] bytes) {
    return BodyPublishers.ofInputStream(() -> new java.io.ByteArrayInputStream(bytes));
  }

  private static byte[] json(int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) ' ');
    bytes[0] = '{';
    bytes[length - 1] = '}';
    return bytes;
  }
}
