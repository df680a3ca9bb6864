package dev.mainstay.server.web.description;

import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** One method of one path. {@code scope} is what a key needs; without {@code key} none is. */
public record Operation(
    String id,
    String method,
    String path,
    String tag,
    String summary,
    String description,
    Optional<String> scope,
    boolean key,
    List<Parameter> parameters,
    List<Body> bodies,
    List<Answer> answers) {

  /** A parameter; {@code in} is query or header. */
  public record Parameter(Property property, String in, JsonNode example) {
    /** Its examples: of a list each. */
    public List<String> examples() {
      return example.isArray()
          ? example.valueStream().map(JsonNode::asString).toList()
          : List.of(example.asString());
    }
  }

  /** What is sent or answered as one type; {@code schema} names what is described by itself. */
  public record Body(
      String type, Optional<String> schema, List<Property> properties, Optional<JsonNode> example) {
    public boolean isJson() {
      return type.equals("application/json");
    }
  }

  /** An answer by its status, which is {@code default} for all that have none of their own. */
  public record Answer(String status, String description, List<Body> bodies) {
    public boolean isGood() {
      return status.startsWith("2");
    }
  }

  public List<Answer> good() {
    return answers.stream().filter(Answer::isGood).toList();
  }

  public List<Answer> bad() {
    return answers.stream().filter(a -> !a.isGood()).toList();
  }

  /** The body that its examples send. */
  public Optional<Body> body() {
    return bodies.stream().findFirst();
  }
}
