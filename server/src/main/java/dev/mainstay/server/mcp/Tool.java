package dev.mainstay.server.mcp;

import dev.mainstay.server.platform.http.Caller;
import dev.mainstay.server.platform.http.Scope;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** Something an agent can do, as a row of a table: what it is called, what it takes, and how. */
record Tool(
    String name,
    String title,
    Scope scope,
    Effect effect,
    String description,
    List<Parameter> parameters,
    Work work) {

  /** What a call changes. */
  enum Effect {
    NONE,
    /** Something begins, and once more where it is called once more. */
    BEGINS,
    /** Something ends, or is replaced; to repeat it changes nothing. */
    ENDS
  }

  /** Asks the API, and tells what came of it. */
  interface Work {
    Told of(ApiCalls api, Arguments arguments);
  }

  boolean isFor(Caller caller) {
    return caller.may(scope);
  }

  /** Throws what the API refuses, and what is wrong with the arguments. */
  Told call(ApiCalls api, ObjectNode arguments) {
    return work.of(api, Arguments.read(parameters, arguments));
  }

  /** As it is listed. */
  Map<String, Object> listed() {
    var tool = new LinkedHashMap<String, Object>();
    tool.put("name", name);
    tool.put("title", title);
    tool.put("description", description);
    tool.put("inputSchema", schema());
    tool.put(
        "annotations",
        Map.of(
            "title",
            title,
            "readOnlyHint",
            effect == Effect.NONE,
            "destructiveHint",
            effect == Effect.ENDS,
            "idempotentHint",
            effect != Effect.BEGINS,
            "openWorldHint",
            false));
    return tool;
  }

  private Map<String, Object> schema() {
    var properties = new LinkedHashMap<String, Object>();
    parameters.forEach(p -> properties.put(p.name(), p.schema()));
    var schema = new LinkedHashMap<String, Object>();
    schema.put("type", "object");
    schema.put("properties", properties);
    schema.put(
        "required", parameters.stream().filter(Parameter::required).map(Parameter::name).toList());
    schema.put("additionalProperties", false);
    return schema;
  }
}
