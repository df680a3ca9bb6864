package dev.mainstay.server.mcp;

import dev.mainstay.server.platform.http.Fields;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** The arguments of a call, each as its tool wants it. */
record Arguments(Map<String, Object> values) {

  /** Throws an error that names every fault; an argument that the tool does not know is one. */
  static Arguments read(List<Parameter> parameters, ObjectNode given) {
    var in = new Fields(given);
    var values = new HashMap<String, Object>();
    for (Parameter parameter : parameters) {
      parameter.read(in).ifPresent(value -> values.put(parameter.name(), value));
    }
    List<String> known = parameters.stream().map(Parameter::name).toList();
    given.propertyNames().stream()
        .filter(name -> !known.contains(name))
        .limit(5)
        .forEach(
            name ->
                in.fault(
                    Texts.cut(name),
                    known.isEmpty()
                        ? "is no argument of this tool, which takes none"
                        : "is no argument of this tool, which takes " + String.join(", ", known)));
    in.check();
    return new Arguments(Map.copyOf(values));
  }

  boolean has(String name) {
    return values.containsKey(name);
  }

  Optional<String> text(String name) {
    return Optional.ofNullable(values.get(name)).map(Object::toString);
  }

  int number(String name, int otherwise) {
    return values.get(name) instanceof Integer number ? number : otherwise;
  }

  /** A request about these alone, as far as they are given. */
  Map<String, Object> only(String... names) {
    var body = new LinkedHashMap<String, Object>();
    for (String name : names) {
      if (has(name)) {
        body.put(name, Objects.requireNonNull(values.get(name)));
      }
    }
    return body;
  }

  /** A request about the repository. */
  Map<String, Object> aboutRepo() {
    return only("repo");
  }

  /** A request about the queue. */
  Map<String, Object> aboutQueue() {
    Map<String, Object> body = aboutRepo();
    body.put("targetBranch", text("branch").orElseThrow());
    return body;
  }

  /** A request about the pull request in the queue. */
  Map<String, Object> aboutPullRequest() {
    Map<String, Object> body = aboutQueue();
    body.put("pr", Map.of("number", number("pr", 0)));
    return body;
  }
}
