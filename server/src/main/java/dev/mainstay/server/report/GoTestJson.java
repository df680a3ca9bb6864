package dev.mainstay.server.report;

import dev.mainstay.core.health.Outcome;
import dev.mainstay.core.health.text.BoundedText;
import dev.mainstay.server.report.ReportedRun.Failure;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The JSON lines of {@code go test -json}. A package that fails although none of its tests did (it
 * does not compile, or panics) is kept as a failed test that has the package's name.
 */
final class GoTestJson {
  private static final JsonFactory JSON = new JsonFactory();
  private static final int MOST_OPEN_TESTS = 5_000;
  private static final int OUTPUT_KEPT = 4_000;
  private static final int MOST_PACKAGES = 100_000;

  private final String file;
  private final ReportSink sink;
  private final ReportTimes times = new ReportTimes();
  private final Map<String, TextCapture> outputs = new LinkedHashMap<>();
  private final Set<String> failedPackages = new HashSet<>();
  private final Set<String> openPackages = new LinkedHashSet<>();
  private boolean isReport;
  private int line;
  private int unreadable;

  GoTestJson(String file, ReportSink sink) {
    this.file = file;
    this.sink = sink;
  }

  private record Event(
      String action, String pkg, String test, String output, String time, double elapsed) {}

  void read(InputStream stream) throws IOException {
    var in = new BufferedInputStream(stream, 64 * 1024);
    var bytes = new ByteArrayOutputStream();
    boolean goesOn = true;
    for (int b = in.read(); goesOn && b >= 0; b = in.read()) {
      if (b == '\n') {
        goesOn = line(bytes);
      } else if (bytes.size() < Limits.LINE_BYTES) {
        bytes.write(b);
      }
    }
    if (goesOn && line(bytes)) {
      ended();
    }
  }

  private void ended() {
    if (!isReport) {
      sink.skipped(Skipped.unreadable(file, 0, "this JSON is not of go test"));
    }
    openPackages.stream()
        .findFirst()
        .ifPresent(
            name ->
                sink.skipped(
                    Skipped.unreadable(
                        file,
                        line,
                        "cut off: package %s does not end"
                            .formatted(BoundedText.name(name, Limits.FILE_LABEL_LENGTH)))));
  }

  private boolean line(ByteArrayOutputStream bytes) {
    line++;
    byte[] text = bytes.toByteArray();
    bytes.reset();
    if (text.length == 0 || text[0] != '{') {
      return true;
    }
    try {
      return event(parse(text));
    } catch (JacksonException e) {
      // One word about the first such line is enough.
      if (unreadable++ == 0) {
        sink.skipped(Skipped.unreadable(file, line, "this line is not a JSON object"));
      }
      return true;
    }
  }

  private static Event parse(byte[] text) {
    String action = "";
    String pkg = "";
    String test = "";
    String output = "";
    String time = "";
    double elapsed = -1;
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), text)) {
      json.nextToken();
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        String field = json.currentName();
        JsonToken value = json.nextToken();
        if (value == JsonToken.START_OBJECT || value == JsonToken.START_ARRAY) {
          json.skipChildren();
          continue;
        }
        switch (field) {
          case "Action" -> action = json.getString();
          case "Package" -> pkg = json.getString();
          case "Test" -> test = json.getString();
          case "Output" -> output = json.getString();
          case "Time" -> time = json.getString();
          case "Elapsed" -> elapsed = value.isNumeric() ? json.getDoubleValue() : -1;
          default -> {}
        }
      }
    }
    return new Event(
        action, Texts.clean(pkg), Texts.clean(test), Texts.clean(output), time, elapsed);
  }

  private boolean event(Event event) {
    String key = event.pkg() + "\n" + event.test();
    follow(event);
    return switch (event.action()) {
      case "output" -> {
        if (outputs.containsKey(key) || outputs.size() < MOST_OPEN_TESTS) {
          outputs.computeIfAbsent(key, k -> new TextCapture(OUTPUT_KEPT)).append(event.output());
        }
        yield true;
      }
      case "pass" -> event.test().isEmpty() ? forget(key) : tell(event, Outcome.PASSED);
      case "skip" -> event.test().isEmpty() ? forget(key) : tell(event, Outcome.SKIPPED);
      case "fail" -> failed(event, key);
      default -> true;
    };
  }

  /** Every package that begins comes to an end, unless the file is cut off. */
  private void follow(Event event) {
    switch (event.action()) {
      case "start", "run" -> {
        isReport();
        if (openPackages.size() < MOST_PACKAGES) {
          openPackages.add(event.pkg());
        }
      }
      case "pass", "fail", "skip" -> {
        isReport();
        if (event.test().isEmpty()) {
          openPackages.remove(event.pkg());
        }
      }
      case "output", "build-output", "build-fail" -> isReport();
      default -> {}
    }
  }

  private void isReport() {
    if (!isReport) {
      isReport = true;
      sink.isReport(file);
    }
  }

  private boolean forget(String key) {
    outputs.remove(key);
    return true;
  }

  private boolean failed(Event event, String key) {
    if (!event.test().isEmpty()) {
      if (failedPackages.size() < MOST_PACKAGES) {
        failedPackages.add(event.pkg());
      }
      return tell(event, Outcome.FAILED);
    }
    return failedPackages.contains(event.pkg()) ? forget(key) : tell(event, Outcome.ERRORED);
  }

  private boolean tell(Event event, Outcome outcome) {
    String key = event.pkg() + "\n" + event.test();
    var output = Optional.ofNullable(outputs.remove(key)).map(TextCapture::take).orElse("");
    long endedAt = times.millis(event.time());
    int duration =
        event.elapsed() < 0
            ? ReportedRun.UNKNOWN_DURATION
            : ReportTimes.durationMillis(Double.toString(event.elapsed()));
    boolean known = endedAt != ReportedRun.UNKNOWN_TIME && duration > 0;
    return sink.run(
        new ReportedRun(
            "",
            event.pkg(),
            event.pkg(),
            event.test().isEmpty() ? event.pkg() : event.test(),
            outcome,
            1,
            true,
            known ? endedAt - duration : endedAt,
            duration,
            outcome.isFailure() ? Optional.of(failure(output)) : Optional.empty()));
  }

  private static Failure failure(String output) {
    String message =
        output
            .lines()
            .map(String::strip)
            .filter(l -> !l.isEmpty() && !l.startsWith("=== ") && !l.startsWith("--- "))
            .findFirst()
            .orElse("");
    return new Failure("", BoundedText.head(message, Limits.MESSAGE_LENGTH), output);
  }
}
