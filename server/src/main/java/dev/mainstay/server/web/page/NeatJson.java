package dev.mainstay.server.web.page;

import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** JSON as people lay it out: what is short stays on its line. */
public final class NeatJson {
  private static final int WIDTH = 72;

  private NeatJson() {}

  public static String of(JsonNode node) {
    return of(node, "");
  }

  private static String of(JsonNode node, String indent) {
    String line = line(node);
    if (!node.isContainer() || indent.length() + line.length() <= WIDTH) {
      return line;
    }
    String inner = indent + "  ";
    String open = node.isArray() ? "[" : "{";
    String close = node.isArray() ? "]" : "}";
    String parts =
        node.isArray()
            ? node.valueStream().map(v -> inner + of(v, inner)).collect(Collectors.joining(",\n"))
            : node.propertyStream()
                .map(e -> inner + name(e.getKey()) + ": " + of(e.getValue(), inner))
                .collect(Collectors.joining(",\n"));
    return open + "\n" + parts + "\n" + indent + close;
  }

  private static String line(JsonNode node) {
    if (node.isArray()) {
      return node.valueStream().map(NeatJson::line).collect(Collectors.joining(", ", "[", "]"));
    }
    return node.isObject()
        ? node.propertyStream()
            .map(e -> name(e.getKey()) + ": " + line(e.getValue()))
            .collect(Collectors.joining(", ", "{", "}"))
        : node.toString();
  }

  private static String name(String key) {
    return tools.jackson.databind.node.StringNode.valueOf(key).toString();
  }
}
