package dev.mainstay.server.report.xml;

import dev.mainstay.core.health.Outcome;
import dev.mainstay.core.health.text.BoundedText;
import dev.mainstay.server.report.FailureCount;
import dev.mainstay.server.report.Limits;
import dev.mainstay.server.report.Missing;
import dev.mainstay.server.report.ReportSink;
import dev.mainstay.server.report.ReportTimes;
import dev.mainstay.server.report.ReportedRun;
import dev.mainstay.server.report.ReportedRun.Failure;
import dev.mainstay.server.report.Room;
import dev.mainstay.server.report.Skipped;
import dev.mainstay.server.report.TextCapture;
import dev.mainstay.server.report.Texts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * Visual Studio's .trx. The class of a test stands in the definitions, which mostly come after the
 * results: results wait for them, as many as fit a bound.
 */
final class Trx {
  private static final int MOST_WAITING = 100_000;

  private static final Set<String> PARTS =
      Set.of("Results", "TestDefinitions", "TestEntries", "TestLists", "ResultSummary");

  private final XMLStreamReader xml;
  private final String file;
  private final ReportSink sink;
  private final ReportTimes times = new ReportTimes();
  private final TextCapture text = new TextCapture(Limits.STACK_LENGTH);
  private final Map<String, String> classes = new HashMap<>();
  private final List<Waiting> waiting = new ArrayList<>();
  private final Room classRoom = new Room();
  private Room room = new Room();
  private long announced;
  private long found;
  private boolean goesOn = true;

  Trx(XMLStreamReader xml, String file, ReportSink sink) {
    this.xml = xml;
    this.file = file;
    this.sink = sink;
  }

  private record Waiting(String testId, ReportedRun run) {}

  /** Reads from the root element, which others use as well: its children tell. */
  void read() throws XMLStreamException {
    boolean isTrx = false;
    try {
      String testId = "";
      while (goesOn && xml.hasNext()) {
        if (xml.next() == XMLStreamConstants.START_ELEMENT) {
          String element = Texts.localName(xml.getLocalName());
          if (!isTrx && PARTS.contains(element)) {
            isTrx = true;
            sink.isReport(file);
          }
          switch (element) {
            case "UnitTestResult" -> result();
            case "UnitTest" -> testId = attribute("id");
            case "TestMethod" -> define(testId, attribute("className"));
            case "Counters" -> announced = announced();
            default -> {}
          }
        }
      }
    } finally {
      // Results that were read before a break count.
      flush();
    }
    if (!isTrx) {
      sink.skipped(Skipped.unreadable(file, 0, "<TestRun> without anything of a .trx"));
    } else if (goesOn && found < announced) {
      sink.missing(new Missing(file, announced, found));
    }
  }

  private long announced() {
    return FailureCount.number(attribute("failed"))
        + FailureCount.number(attribute("error"))
        + FailureCount.number(attribute("timeout"))
        + FailureCount.number(attribute("aborted"));
  }

  private void define(String testId, String className) {
    if (classes.size() < MOST_WAITING && classRoom.take(testId.length() + className.length())) {
      int assembly = className.indexOf(',');
      classes.put(testId, assembly < 0 ? className : className.substring(0, assembly));
    }
  }

  private void result() throws XMLStreamException {
    Outcome outcome = counted(outcome(attribute("outcome")));
    String testId = attribute("testId");
    String name = attribute("testName");
    long startedAt = times.millis(attribute("startTime"));
    int duration = ReportTimes.clockMillis(attribute("duration"));
    Optional<Failure> failure = details(outcome).map(this::told);
    if (waiting.size() >= MOST_WAITING || !room.take(testId.length() + name.length())) {
      flush();
    }
    waiting.add(
        new Waiting(
            testId,
            new ReportedRun("", "", "", name, outcome, 1, true, startedAt, duration, failure)));
  }

  /** Where many failures wait, the texts of the later ones are let go. */
  private Failure told(Failure failure) {
    return room.take(failure.message().length() + failure.stack().length())
        ? failure
        : Failure.UNTOLD;
  }

  private Outcome counted(Outcome outcome) {
    found += outcome.isFailure() ? 1 : 0;
    return outcome;
  }

  private Optional<Failure> details(Outcome outcome) throws XMLStreamException {
    String message = "";
    String stack = "";
    for (int depth = 1; depth > 0; ) {
      switch (xml.next()) {
        case XMLStreamConstants.START_ELEMENT -> {
          depth++;
          switch (Texts.localName(xml.getLocalName())) {
            // A row of data: its failure is its test's.
            case "UnitTestResult" -> counted(outcome(attribute("outcome")));
            case "Message" -> {
              message = textOfElement();
              depth--;
            }
            case "StackTrace" -> {
              stack = textOfElement();
              depth--;
            }
            default -> {}
          }
        }
        case XMLStreamConstants.END_ELEMENT -> depth--;
        default -> {}
      }
    }
    return outcome.isFailure()
        ? Optional.of(new Failure("", BoundedText.head(message, Limits.MESSAGE_LENGTH), stack))
        : Optional.empty();
  }

  private String textOfElement() throws XMLStreamException {
    for (int depth = 1; depth > 0; ) {
      switch (xml.next()) {
        case XMLStreamConstants.START_ELEMENT -> depth++;
        case XMLStreamConstants.END_ELEMENT -> depth--;
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA ->
            text.append(xml.getTextCharacters(), xml.getTextStart(), xml.getTextLength());
        default -> {}
      }
    }
    return text.take();
  }

  private void flush() {
    for (Waiting w : waiting) {
      ReportedRun run = w.run();
      String className = classes.getOrDefault(w.testId(), "");
      goesOn =
          goesOn
              && sink.run(
                  new ReportedRun(
                      "",
                      className,
                      className,
                      withoutClass(run.name(), className),
                      run.outcome(),
                      1,
                      true,
                      run.startedAtMillis(),
                      run.durationMillis(),
                      run.failure()));
    }
    waiting.clear();
    room = new Room();
  }

  private static String withoutClass(String name, String className) {
    return !className.isEmpty() && name.startsWith(className + ".")
        ? name.substring(className.length() + 1)
        : name;
  }

  private static Outcome outcome(String text) {
    return switch (text) {
      case "Passed", "PassedButRunAborted", "Completed", "Warning" -> Outcome.PASSED;
      case "Failed", "Timeout" -> Outcome.FAILED;
      case "Error", "Aborted", "Disconnected" -> Outcome.ERRORED;
      default -> Outcome.SKIPPED;
    };
  }

  private String attribute(String name) {
    @Nullable String value = xml.getAttributeValue(null, name);
    return value == null ? "" : value;
  }
}
