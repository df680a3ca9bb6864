package dev.mainstay.cli;

import dev.mainstay.server.platform.Json;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Which server to ask about the tests of which repository, and how to print what it says. */
final class HealthOptions extends ServerOptions {
  /** Asks, and prints the answer as JSON or by the printer. */
  void ask(String operation, ObjectNode request, PrintWriter out, Consumer<JsonNode> printer) {
    JsonNode answer = client().post(operation, request);
    if (json()) {
      out.println(new String(Json.write(answer), StandardCharsets.UTF_8));
    } else {
      printer.accept(answer);
    }
    out.flush();
  }
}
