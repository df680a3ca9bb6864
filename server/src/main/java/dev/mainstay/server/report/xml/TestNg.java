package dev.mainstay.server.report.xml;

import dev.mainstay.core.health.Outcome;
import dev.mainstay.server.report.Ending;
import dev.mainstay.server.report.JoinedText;
import dev.mainstay.server.report.ReportTimes;
import dev.mainstay.server.report.ReportedCase;
import dev.mainstay.server.report.RunTeller;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.xml.stream.XMLStreamException;

/**
 * TestNG's {@code testng-results.xml}. What a data provider gave is part of the name. An attempt
 * that was retried calls itself skipped; it failed. Methods that prepare count where they failed.
 */
final class TestNg implements XmlFormat {
  private static final int MOST_WAITING = 1_000;
  private static final int MOST_ATTEMPTS = 100;

  /** The address of an object, which differs from run to run. */
  private static final Pattern ADDRESS = Pattern.compile("@[0-9a-f]{4,16}\\b");

  private final ReportTimes times = new ReportTimes();
  private final JoinedText parameters = new JoinedText(", ");
  private final Map<String, List<Ending>> retried = new LinkedHashMap<>();

  @Override
  public void read(XmlCursor xml, RunTeller teller) throws XMLStreamException {
    teller.announce(xml.count("failed"));
    xml.children(
        child -> {
          if (child.equals("suite")) {
            String suite = xml.attribute("name");
            xml.children(part -> part(part, xml, suite, teller));
          }
        });
  }

  private void part(String element, XmlCursor xml, String suite, RunTeller teller)
      throws XMLStreamException {
    switch (element) {
      case "test" -> xml.children(child -> part(child, xml, suite, teller));
      case "class" -> {
        String className = xml.attribute("name");
        try {
          xml.children(
              child -> {
                if (child.equals("test-method")) {
                  method(xml, suite, className, teller);
                }
              });
        } finally {
          // An attempt that nothing came after decides.
          retried.forEach(
              (name, attempts) ->
                  teller.tell(new ReportedCase("", className, suite, name, attempts)));
          retried.clear();
        }
      }
      default -> {}
    }
  }

  private void method(XmlCursor xml, String suite, String className, RunTeller teller)
      throws XMLStreamException {
    boolean again = xml.attribute("retried").equals("true");
    boolean prepares = xml.attribute("is-config").equals("true");
    String method = xml.attribute("name");
    Outcome outcome = again ? Outcome.FAILED : outcome(xml.attribute("status"));
    long startedAt = times.millis(xml.attribute("started-at"));
    int duration = ReportTimes.duration((double) xml.count("duration-ms"), 1);
    var about = new Words();
    xml.children(child -> about.child(child, xml));
    String given = parameters.take();
    if (prepares && !outcome.isFailure()) {
      return;
    }
    String name = given.isEmpty() ? method : method + "(" + given + ")";
    Ending ending = Ending.of(outcome, startedAt, duration, about.type, about.message, about.stack);
    if (!again && retried.isEmpty()) {
      teller.tell(ReportedCase.once("", className, suite, name, ending));
      return;
    }
    List<Ending> attempts = retried.computeIfAbsent(name, n -> new ArrayList<>());
    if (attempts.size() < MOST_ATTEMPTS) {
      attempts.add(ending);
    }
    if (!again || retried.size() > MOST_WAITING) {
      retried.remove(name);
      teller.tell(new ReportedCase("", className, suite, name, attempts));
    }
  }

  private final class Words {
    String type = "";
    String message = "";
    String stack = "";

    void child(String name, XmlCursor xml) throws XMLStreamException {
      switch (name) {
        case "params" ->
            xml.children(param -> parameters.add(ADDRESS.matcher(xml.text()).replaceAll("")));
        case "exception" -> {
          type = xml.attribute("class");
          xml.children(
              part -> {
                switch (part) {
                  case "message" -> message = xml.text();
                  case "full-stacktrace", "short-stacktrace" -> stack = xml.text();
                  default -> {}
                }
              });
        }
        default -> {}
      }
    }
  }

  private static Outcome outcome(String status) {
    return switch (status) {
      case "PASS" -> Outcome.PASSED;
      case "FAIL" -> Outcome.FAILED;
      default -> Outcome.SKIPPED;
    };
  }
}
