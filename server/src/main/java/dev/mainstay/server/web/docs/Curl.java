package dev.mainstay.server.web.docs;

import dev.mainstay.server.web.description.Operation;
import dev.mainstay.server.web.description.Operation.Body;
import dev.mainstay.server.web.description.Operation.Parameter;
import dev.mainstay.server.web.page.NeatJson;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** An operation as a command that can be copied into a shell; its key is in the environment. */
final class Curl {
  /** Of parameters that are all optional, a command shows a few. */
  private static final int FEW = 4;

  private final String server;

  Curl(String server) {
    this.server = server;
  }

  String of(Operation operation) {
    var words = new ArrayList<String>();
    boolean usual = operation.method().equals(operation.bodies().isEmpty() ? "GET" : "POST");
    words.add(
        "curl %s%s"
            .formatted(
                usual ? "" : "-X %s ".formatted(operation.method()),
                quoted(server + operation.path() + query(operation))));
    if (operation.key()) {
      words.add("-H \"x-api-token: $MAINSTAY_TOKEN\"");
    }
    operation.parameters().stream()
        .filter(p -> p.in().equals("header"))
        .forEach(
            p -> words.add("-H " + quoted(p.property().name() + ": " + p.examples().getFirst())));
    operation.body().ifPresent(body -> words.addAll(body(body)));
    return String.join(" \\\n  ", words);
  }

  private static String query(Operation operation) {
    List<Parameter> all =
        operation.parameters().stream().filter(p -> p.in().equals("query")).toList();
    List<Parameter> needed = all.stream().filter(p -> p.property().required()).toList();
    List<Parameter> shown = needed.isEmpty() ? all.stream().limit(FEW).toList() : needed;
    return shown.isEmpty()
        ? ""
        : shown.stream()
            .flatMap(p -> p.examples().stream().map(e -> p.property().name() + "=" + encoded(e)))
            .collect(Collectors.joining("&", "?", ""));
  }

  /** Slashes are plain in a query, and easier to read. */
  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("%2F", "/");
  }

  private static List<String> body(Body body) {
    return switch (body.type()) {
      case "multipart/form-data" -> List.of("-F file=@report.xml");
      case "application/json", "*/*" ->
          List.of(
              "-H 'content-type: application/json'",
              "-d " + quoted(body.example().map(NeatJson::of).orElse("{}")));
      default -> List.of("--data-binary @report.xml");
    };
  }

  /** A word for a shell, whatever is in it. */
  private static String quoted(String text) {
    return text.matches("[A-Za-z0-9:/._-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
  }
}
