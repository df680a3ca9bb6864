package dev.mainstay.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import dev.mainstay.server.TestNode.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The published description, and the checks that requests and answers keep to it. */
public final class Description {
  public static final JsonNode DOCUMENT = load();
  private static final SchemaRegistry SCHEMAS =
      SchemaRegistry.withDefaultDialect(
          SpecificationVersion.DRAFT_2020_12,
          builder ->
              builder.schemaRegistryConfig(
                  SchemaRegistryConfig.builder().formatAssertionsEnabled(true).build()));

  private static final IdentityHashMap<JsonNode, Schema> COMPILED = new IdentityHashMap<>();

  private Description() {}

  static void check(String method, String path, Answer answer) {
    assertThat(answer.header("x-request-id")).matches("[A-Za-z0-9._-]{1,64}");
    JsonNode operation = DOCUMENT.path("paths").path(path).path(method.toLowerCase(Locale.ROOT));
    JsonNode responses =
        operation.isMissingNode()
            ? new JsonMapper()
                .readTree("{\"default\":{\"$ref\":\"#/components/responses/Problem\"}}")
            : operation.path("responses");
    String status = String.valueOf(answer.status());
    JsonNode response = resolved(responses.path(responses.has(status) ? status : "default"));
    String type = answer.header("content-type");
    if (type.startsWith("text/plain") || method.equals("HEAD")) {
      return;
    }
    JsonNode schema = response.path("content").path(type).path("schema");
    assertThat(schema.isMissingNode())
        .as("%s %s answered %s as %s, which is not described", method, path, status, type)
        .isFalse();
    assertThat(compiled(schema).validate(answer.json()))
        .as("%s %s answered %s: %s", method, path, status, answer.body())
        .isEmpty();
  }

  /** A request that was taken is one that the description allows. */
  static void checkRequest(String path, String body, Answer answer) {
    if (answer.status() / 100 != 2) {
      return;
    }
    JsonNode content =
        DOCUMENT
            .path("paths")
            .path(path.replaceFirst("\\?.*", ""))
            .path("post")
            .path("requestBody")
            .path("content");
    JsonNode schema =
        content.path(content.has("application/json") ? "application/json" : "*/*").path("schema");
    assertThat(schema.isMissingNode()).as("%s takes a body that is not described", path).isFalse();
    assertThat(compiled(schema).validate(new JsonMapper().readTree(body)))
        .as("POST %s took %s, which the description refuses", path, body)
        .isEmpty();
  }

  /** A schema of the document, made ready once: that costs far more than using it. */
  private static Schema compiled(JsonNode schema) {
    synchronized (COMPILED) {
      return COMPILED.computeIfAbsent(schema, s -> SCHEMAS.getSchema(whole(s)));
    }
  }

  /** A schema together with the components it refers to. */
  private static JsonNode whole(JsonNode schema) {
    ObjectNode whole = ((ObjectNode) schema).deepCopy();
    whole.set("components", DOCUMENT.path("components"));
    return whole;
  }

  /** What a schema of the document finds wrong with a value; one that is missing is no value. */
  public static List<String> faults(JsonNode schema, JsonNode value) {
    return value == null || value.isMissingNode()
        ? List.of("there is none")
        : compiled(schema).validate(value).stream().map(Object::toString).toList();
  }

  /** What a part of the document refers to, or itself. */
  public static JsonNode resolved(JsonNode node) {
    String ref = node.path("$ref").asString("");
    return ref.isEmpty() ? node : DOCUMENT.at(ref.substring(1));
  }

  private static JsonNode load() {
    try (InputStream file = Description.class.getResourceAsStream("/openapi.json")) {
      return new JsonMapper().readTree(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
