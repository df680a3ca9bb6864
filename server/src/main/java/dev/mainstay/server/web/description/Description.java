package dev.mainstay.server.web.description;

import dev.mainstay.server.platform.Json;
import dev.mainstay.server.web.description.Operation.Answer;
import dev.mainstay.server.web.description.Operation.Body;
import dev.mainstay.server.web.description.Operation.Parameter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** The description of the API, as {@code /openapi.json} has it. */
public final class Description {
  private static final Pattern SCOPE = Pattern.compile("Needs the scope ([a-z]+(?: or [a-z]+)*)");

  private static final String ONLY_IF_ASKED = "x-only-if-asked";

  private final JsonNode document;
  private final Schemas schemas;
  private final List<Operation> operations;

  /** A group of operations. */
  public record Tag(String name, String description) {
    /** Its name in an address. */
    public String slug() {
      return name.toLowerCase(Locale.ROOT).replace(' ', '-');
    }
  }

  /** A schema that is described by itself. */
  public record Schema(
      String name, String description, Property.Type type, List<Property> properties) {}

  /** A kind of event that is sent to others; some are told only to those who ask by name. */
  public record Event(String kind, String summary, boolean onlyIfAsked) {}

  private Description(JsonNode document) {
    this.document = document;
    this.schemas = new Schemas(document);
    this.operations = readOperations();
  }

  /** That of this very server, read once. */
  public static Description ofServer() {
    return Read.ONCE;
  }

  /** Read when it is first asked for. */
  private static final class Read {
    static final Description ONCE = load();
  }

  private static Description load() {
    try (InputStream file = Description.class.getResourceAsStream("/openapi.json")) {
      return new Description(Json.read(Objects.requireNonNull(file).readAllBytes()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public String introduction() {
    return document.path("info").path("description").asString("");
  }

  public List<Tag> tags() {
    return document
        .path("tags")
        .valueStream()
        .map(tag -> new Tag(tag.path("name").asString(), tag.path("description").asString("")))
        .toList();
  }

  public List<Operation> operations() {
    return operations;
  }

  public List<Operation> operations(Tag tag) {
    return operations.stream().filter(o -> o.tag().equals(tag.name())).toList();
  }

  public Optional<Operation> operation(String path) {
    return operations.stream().filter(o -> o.path().equals(path)).findFirst();
  }

  public List<Schema> schemas() {
    var all = new ArrayList<Schema>();
    document
        .path("components")
        .path("schemas")
        .forEachEntry(
            (name, schema) ->
                all.add(
                    new Schema(
                        name,
                        schema.path("description").asString(""),
                        schemas.type(schema),
                        schemas.properties(schema))));
    return all;
  }

  /** The fields that the JSON body of an operation may have. */
  public List<Property> fields(String path) {
    return operation(path).orElseThrow().bodies().stream()
        .filter(Body::isJson)
        .findFirst()
        .orElseThrow()
        .properties();
  }

  /** The kinds of events that are sent out. */
  public List<Event> events() {
    var all = new ArrayList<Event>();
    document
        .path("webhooks")
        .forEachEntry(
            (kind, described) ->
                all.add(
                    new Event(
                        kind,
                        described.path("post").path("summary").asString(""),
                        described.path("post").path(ONLY_IF_ASKED).asBoolean(false))));
    return all;
  }

  private List<Operation> readOperations() {
    var all = new ArrayList<Operation>();
    document
        .path("paths")
        .forEachEntry(
            (path, methods) ->
                methods.forEachEntry(
                    (method, described) -> all.add(operation(method, path, described))));
    return List.copyOf(all);
  }

  private Operation operation(String method, String path, JsonNode described) {
    String text = described.path("description").asString("");
    Matcher scope = SCOPE.matcher(text);
    var answers = new ArrayList<Answer>();
    described
        .path("responses")
        .forEachEntry((status, answer) -> answers.add(answer(status, schemas.resolved(answer))));
    return new Operation(
        described.path("operationId").asString(),
        method.toUpperCase(Locale.ROOT),
        path,
        described.path("tags").path(0).asString(""),
        described.path("summary").asString(""),
        text,
        scope.find() ? Optional.of(scope.group(1)) : Optional.empty(),
        !described.has("security"),
        described.path("parameters").valueStream().map(this::parameter).toList(),
        bodies(described.path("requestBody").path("content")),
        List.copyOf(answers));
  }

  private Parameter parameter(JsonNode described) {
    Property property =
        schemas.property(
            described.path("name").asString(),
            described.path("schema"),
            described.path("required").asBoolean(false));
    return new Parameter(property, described.path("in").asString(), described.path("example"));
  }

  private Answer answer(String status, JsonNode described) {
    return new Answer(
        status, described.path("description").asString(""), bodies(described.path("content")));
  }

  private List<Body> bodies(JsonNode content) {
    var bodies = new ArrayList<Body>();
    content.forEachEntry(
        (type, media) ->
            bodies.add(
                new Body(
                    type,
                    Schemas.name(media.path("schema")),
                    schemas.properties(media.path("schema")),
                    example(media))));
    return List.copyOf(bodies);
  }

  private Optional<JsonNode> example(JsonNode media) {
    return media.has("examples")
        ? media
            .path("examples")
            .valueStream()
            .findFirst()
            .map(one -> schemas.resolved(one).path("value"))
        : Optional.ofNullable(media.get("example"));
  }
}
