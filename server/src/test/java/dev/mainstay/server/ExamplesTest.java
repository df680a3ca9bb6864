package dev.mainstay.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The examples in the description: there is one of everything, and each is right. */
class ExamplesTest {
  private static final String JSON = "application/json";

  /** A method of a path, as it is described. */
  private record Operation(String method, String path, JsonNode described) {
    JsonNode requests() {
      return described.path("requestBody").path("content");
    }

    @Override
    public String toString() {
      return method + " " + path;
    }
  }

  @Test
  void every_request_and_every_answer_has_an_example_that_its_schema_allows() {
    for (Operation operation : operations()) {
      check(operation, operation.requests());
      check(operation, operation.described().path("responses").path("200").path("content"));
    }
  }

  @Test
  void every_parameter_has_an_example_that_its_schema_allows() {
    for (Operation operation : operations()) {
      operation
          .described()
          .path("parameters")
          .forEach(
              parameter ->
                  assertThat(Description.faults(parameter.path("schema"), parameter.get("example")))
                      .as("%s %s", operation, parameter.path("name"))
                      .isEmpty());
    }
  }

  @Test
  void no_example_is_refused_for_its_form() {
    try (var node = TestNode.start()) {
      node.post(
          "/v1/createQueue",
          node.token(),
          example(operation("/v1/createQueue").requests().path(JSON)).toString());
      for (Operation operation : operations()) {
        int status = send(node, operation);
        assertThat(status).as("%s", operation).isNotIn(400, 413, 415, 500, 503);
      }
    }
  }

  private static int send(TestNode node, Operation operation) {
    String path = operation.path() + query(operation.described().path("parameters"));
    if (operation.method().equals("get")) {
      return node.get(path, node.token()).status();
    }
    if (operation.requests().has(JSON)) {
      String body = example(operation.requests().path(JSON)).toString();
      return node.post(path, node.token(), body).status();
    }
    String type = operation.requests().has("application/xml") ? "application/xml" : "text/plain";
    String body = example(operation.requests().path(type)).asString("");
    return node.send(
            node.request(path, node.token())
                .header("content-type", type)
                .method(
                    operation.method().toUpperCase(java.util.Locale.ROOT),
                    BodyPublishers.ofString(body)))
        .status();
  }

  private static String query(JsonNode parameters) {
    var pairs = new ArrayList<String>();
    for (JsonNode parameter : parameters) {
      JsonNode example = parameter.path("example");
      for (JsonNode value : example.isArray() ? example : List.of(example)) {
        pairs.add(
            parameter.path("name").asString()
                + "="
                + URLEncoder.encode(value.asString(), StandardCharsets.UTF_8));
      }
    }
    return pairs.isEmpty() ? "" : "?" + String.join("&", pairs);
  }

  private static void check(Operation operation, JsonNode content) {
    content.forEachEntry(
        (type, described) ->
            assertThat(Description.faults(described.path("schema"), example(described)))
                .as("%s %s %s", operation, type, example(described))
                .isEmpty());
  }

  private static JsonNode example(JsonNode media) {
    if (media.has("examples")) {
      return Description.resolved(media.path("examples").iterator().next()).path("value");
    }
    return media.path("example");
  }

  private static Operation operation(String path) {
    return operations().stream().filter(o -> o.path().equals(path)).findFirst().orElseThrow();
  }

  private static List<Operation> operations() {
    var operations = new ArrayList<Operation>();
    Description.DOCUMENT
        .path("paths")
        .forEachEntry(
            (path, methods) ->
                methods.forEachEntry(
                    (method, described) -> operations.add(new Operation(method, path, described))));
    return operations;
  }
}
