package dev.mainstay.server.mcp;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * What came of a tool: a few lines for whoever reads, and what the API answered for whoever
 * computes. Both are cut to a size that an agent can take in.
 */
record Told(String text, Optional<ObjectNode> content, boolean isError) {
  static final int MOST_TEXT = 16_000;
  static final int MOST_CONTENT = 64_000;

  static Told of(String text, ObjectNode content) {
    return new Told(text, Optional.of(content), false);
  }

  static Told failed(String text) {
    return new Told(text, Optional.empty(), true);
  }

  /** As the result of a call. */
  Map<String, Object> result() {
    Optional<Cut> cut = content.map(c -> Cut.of(c, MOST_CONTENT));
    String losses = String.join("; ", cut.map(Cut::losses).orElse(List.of()));
    String said =
        losses.isEmpty() ? "" : "\nThe answer was too long and is cut: %s.".formatted(losses);
    var result = new LinkedHashMap<String, Object>();
    result.put(
        "content", List.of(Map.of("type", "text", "text", Texts.cut(text, MOST_TEXT) + said)));
    cut.ifPresent(c -> result.put("structuredContent", c.content()));
    result.put("isError", isError);
    return result;
  }
}
