package dev.mainstay.server.report.xml;

import com.ctc.wstx.exc.WstxLazyException;
import dev.mainstay.core.health.Outcome;
import dev.mainstay.core.health.text.BoundedText;
import dev.mainstay.server.report.FailureCount;
import dev.mainstay.server.report.Limits;
import dev.mainstay.server.report.ReportSink;
import dev.mainstay.server.report.ReportTimes;
import dev.mainstay.server.report.ReportedRun;
import dev.mainstay.server.report.ReportedRun.Failure;
import dev.mainstay.server.report.TextCapture;
import dev.mainstay.server.report.Texts;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * JUnit's XML, which nobody owns. Suites nest; the outermost one is the parent. A case may hold
 * attempts before its last one: {@code flakyFailure} and {@code flakyError} came before a pass,
 * {@code rerunFailure} and {@code rerunError} after a failure. A failure of a suite itself is kept
 * as a failed test that has the suite's name.
 */
final class JunitXml {
  private final XMLStreamReader xml;
  private final String file;
  private final ReportSink sink;
  private final ReportTimes times = new ReportTimes();
  private final AttributeTexts attributes;
  private final AttributeTexts.Recent recentClass = new AttributeTexts.Recent();
  private final AttributeTexts.Recent recentFile = new AttributeTexts.Recent();
  private final TextCapture text = new TextCapture(Limits.STACK_LENGTH);
  private final Deque<Suite> suites = new ArrayDeque<>();
  private final FailureCount failures = new FailureCount();
  private Optional<Fault> breaking = Optional.empty();

  JunitXml(XMLStreamReader xml, String file, ReportSink sink) {
    this.xml = xml;
    this.attributes = new AttributeTexts(xml);
    this.file = file;
    this.sink = sink;
  }

  /** A suite, with the values that its cases inherit. */
  private record Suite(String name, String parent, String file, long startedAt) {
    static final Suite NONE = new Suite("", "", "", ReportedRun.UNKNOWN_TIME);
  }

  /** A failure element. */
  private record Fault(Outcome outcome, Failure failure) {}

  /** Reads from the root element, which is the current event. */
  void read() throws XMLStreamException {
    if (elements()) {
      failures.tell(file, sink);
    }
  }

  /** True where the file was read to its end. */
  private boolean elements() throws XMLStreamException {
    int event = XMLStreamConstants.START_ELEMENT;
    while (true) {
      if (event == XMLStreamConstants.START_ELEMENT) {
        if (!open(xml.getLocalName())) {
          return false;
        }
      } else if (event == XMLStreamConstants.END_ELEMENT
          && Texts.localName(xml.getLocalName()).equals("testsuite")) {
        suites.poll();
        failures.closes();
      }
      if (!xml.hasNext()) {
        return true;
      }
      event = xml.next();
    }
  }

  private boolean open(String element) throws XMLStreamException {
    return switch (element) {
      case "testsuites" -> {
        failures.opens(announced());
        yield true;
      }
      case "testsuite" -> {
        failures.opens(announced());
        suites.push(suite());
        yield true;
      }
      case "testcase" -> testCase();
      case "failure" -> ofSuite(Outcome.FAILED);
      case "error" -> ofSuite(Outcome.ERRORED);
      case "properties", "system-out", "system-err" -> {
        skipElement();
        yield true;
      }
      default -> element.indexOf(':') < 0 || open(Texts.localName(element));
    };
  }

  private long announced() {
    long sum = 0;
    for (int i = 0; i < xml.getAttributeCount(); i++) {
      switch (xml.getAttributeLocalName(i)) {
        case "failures", "errors" -> sum += FailureCount.number(xml.getAttributeValue(i));
        default -> {}
      }
    }
    return sum;
  }

  private Suite suite() {
    Suite outer = current();
    String name = "";
    String file = outer.file();
    long startedAt = outer.startedAt();
    for (int i = 0; i < xml.getAttributeCount(); i++) {
      switch (xml.getAttributeLocalName(i)) {
        case "name" -> name = xml.getAttributeValue(i);
        case "file", "filepath" -> file = xml.getAttributeValue(i);
        case "timestamp" -> startedAt = times.millis(xml.getAttributeValue(i));
        default -> {}
      }
    }
    return new Suite(name, suites.isEmpty() ? name : outer.parent(), file, startedAt);
  }

  private boolean ofSuite(Outcome outcome) throws XMLStreamException {
    Suite suite = current();
    if (suites.isEmpty()) {
      skipElement();
      return true;
    }
    Fault fault = fault(outcome);
    return sink.run(
        new ReportedRun(
            suite.file(),
            suite.name(),
            suite.parent(),
            suite.name(),
            outcome,
            1,
            true,
            suite.startedAt(),
            ReportedRun.UNKNOWN_DURATION,
            Optional.of(fault.failure())));
  }

  private boolean testCase() throws XMLStreamException {
    Suite suite = current();
    String name = "";
    String className = "";
    String file = "";
    long startedAt = suite.startedAt();
    int duration = ReportedRun.UNKNOWN_DURATION;
    Outcome said = Outcome.PASSED;
    for (int i = 0; i < xml.getAttributeCount(); i++) {
      switch (xml.getAttributeLocalName(i)) {
        case "name" -> name = attributes.text(i);
        case "classname" -> className = attributes.text(i, recentClass);
        case "class" -> className = className.isEmpty() ? xml.getAttributeValue(i) : className;
        case "file", "filepath" -> file = file.isEmpty() ? attributes.text(i, recentFile) : file;
        case "time" -> duration = attributes.durationMillis(i);
        case "timestamp" -> startedAt = times.millis(xml.getAttributeValue(i));
        case "status", "result" -> said = worse(said, said(xml.getAttributeValue(i)));
        default -> {}
      }
    }
    var about =
        new ReportedRun(
            file.isEmpty() ? suite.file() : file,
            className,
            suite.parent(),
            name,
            said,
            1,
            true,
            startedAt,
            duration,
            said.isFailure() ? Optional.of(Failure.UNTOLD) : Optional.empty());
    return attempts(about);
  }

  /** Reads the children of a case up to its end and tells each attempt, the earliest first. */
  private boolean attempts(ReportedRun about) throws XMLStreamException {
    breaking = Optional.empty();
    try {
      return wholeAttempts(about);
    } catch (XMLStreamException | WstxLazyException e) {
      // The file ends in the middle of this case; that it failed is known all the same.
      if (breaking.isPresent()) {
        sink.run(with(about, breaking.get(), 1, true));
      }
      throw e;
    }
  }

  private boolean wholeAttempts(ReportedRun about) throws XMLStreamException {
    Optional<Fault> failed = Optional.empty();
    List<Fault> before = List.of();
    List<Fault> after = List.of();
    boolean skipped = about.outcome() == Outcome.SKIPPED;
    for (int event = xml.next(); event != XMLStreamConstants.END_ELEMENT; event = xml.next()) {
      if (event != XMLStreamConstants.START_ELEMENT) {
        continue;
      }
      switch (Texts.localName(xml.getLocalName())) {
        case "failure" -> failed = worse(failed, fault(Outcome.FAILED));
        case "error" -> failed = worse(failed, fault(Outcome.ERRORED));
        case "flakyFailure" -> before = with(before, fault(Outcome.FAILED));
        case "flakyError" -> before = with(before, fault(Outcome.ERRORED));
        case "rerunFailure" -> after = with(after, fault(Outcome.FAILED));
        case "rerunError" -> after = with(after, fault(Outcome.ERRORED));
        case "skipped", "ignored", "disabled" -> {
          skipped = true;
          skipElement();
        }
        default -> skipElement();
      }
    }
    if (about.outcome().isFailure() && failed.isEmpty()) {
      failures.found();
    }
    int own = before.size() + 1;
    return tell(about, before, 1)
        && sink.run(deciding(about, own, failed, skipped))
        && tell(about, after, own + 1);
  }

  private boolean tell(ReportedRun about, List<Fault> faults, int firstAttempt) {
    for (int i = 0; i < faults.size(); i++) {
      if (!sink.run(with(about, faults.get(i), firstAttempt + i, false))) {
        return false;
      }
    }
    return true;
  }

  /** A case that says of itself that it failed has failed, whatever its children say. */
  private static ReportedRun deciding(
      ReportedRun about, int attempt, Optional<Fault> failed, boolean skipped) {
    if (failed.isPresent()) {
      return with(about, failed.get(), attempt, true);
    }
    if (attempt == 1 && !skipped) {
      return about;
    }
    return skipped && !about.outcome().isFailure()
        ? with(about, Outcome.SKIPPED, attempt, true, Optional.empty())
        : with(about, about.outcome(), attempt, true, about.failure());
  }

  private static ReportedRun with(ReportedRun about, Fault fault, int attempt, boolean decides) {
    return with(about, fault.outcome(), attempt, decides, Optional.of(fault.failure()));
  }

  private static ReportedRun with(
      ReportedRun about, Outcome outcome, int attempt, boolean decides, Optional<Failure> failure) {
    return new ReportedRun(
        about.file(),
        about.className(),
        about.parent(),
        about.name(),
        outcome,
        attempt,
        decides,
        about.startedAtMillis(),
        about.durationMillis(),
        failure);
  }

  /** Reads a failure element whole; its text may lie in children such as {@code stackTrace}. */
  private Fault fault(Outcome outcome) throws XMLStreamException {
    failures.found();
    String message = Optional.ofNullable(attribute("message")).orElse("");
    String type = Optional.ofNullable(attribute("type")).orElse("");
    breaking =
        Optional.of(
            new Fault(
                outcome,
                new Failure("", BoundedText.head(message.strip(), Limits.MESSAGE_LENGTH), "")));
    int depth = 1;
    while (depth > 0) {
      switch (xml.next()) {
        case XMLStreamConstants.START_ELEMENT -> {
          if (xml.getLocalName().startsWith("system-")) {
            skipElement();
          } else {
            depth++;
          }
        }
        case XMLStreamConstants.END_ELEMENT -> depth--;
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA ->
            text.append(xml.getTextCharacters(), xml.getTextStart(), xml.getTextLength());
        default -> {}
      }
    }
    String stack = text.take();
    String said = message.isBlank() ? Texts.firstLine(stack) : message.strip();
    return new Fault(
        outcome,
        new Failure(
            BoundedText.name(type, Limits.NAME_LENGTH),
            BoundedText.head(said, Limits.MESSAGE_LENGTH),
            stack));
  }

  private @Nullable String attribute(String name) {
    return xml.getAttributeValue(null, name);
  }

  private void skipElement() throws XMLStreamException {
    for (int depth = 1; depth > 0; ) {
      switch (xml.next()) {
        case XMLStreamConstants.START_ELEMENT -> depth++;
        case XMLStreamConstants.END_ELEMENT -> depth--;
        default -> {}
      }
    }
  }

  private Suite current() {
    return suites.isEmpty() ? Suite.NONE : suites.getFirst();
  }

  /** The outcome that a case's own status names; nearly all words for a pass are in use. */
  private static Outcome said(String status) {
    return switch (status.toLowerCase(Locale.ROOT)) {
      case "notrun", "disabled", "skipped", "suppressed", "ignored" -> Outcome.SKIPPED;
      case "failed", "failure", "fail" -> Outcome.FAILED;
      case "error", "errored" -> Outcome.ERRORED;
      default -> Outcome.PASSED;
    };
  }

  private static Outcome worse(Outcome one, Outcome other) {
    if (one.isFailure() || other.isFailure()) {
      return one == Outcome.ERRORED || other == Outcome.ERRORED ? Outcome.ERRORED : Outcome.FAILED;
    }
    return one == Outcome.SKIPPED ? one : other;
  }

  /** Several failures of one attempt are one failure; an error among them makes it an error. */
  private static Optional<Fault> worse(Optional<Fault> known, Fault next) {
    if (known.isEmpty()) {
      return Optional.of(next);
    }
    Fault first = known.get();
    return Optional.of(
        next.outcome() == Outcome.ERRORED ? new Fault(Outcome.ERRORED, first.failure()) : first);
  }

  private static List<Fault> with(List<Fault> faults, Fault next) {
    List<Fault> longer = faults.isEmpty() ? new ArrayList<>() : faults;
    longer.add(next);
    return longer;
  }
}
