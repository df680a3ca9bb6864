package dev.mainstay.server.report.xml;

import dev.mainstay.core.health.Outcome;
import dev.mainstay.server.report.Ending;
import dev.mainstay.server.report.ReportTimes;
import dev.mainstay.server.report.ReportedCase;
import dev.mainstay.server.report.ReportedRun;
import dev.mainstay.server.report.RunTeller;
import dev.mainstay.server.report.SourcePaths;
import javax.xml.stream.XMLStreamException;

/**
 * The XML of Boost.Test: its log, and its report of results, in which a case has no words. A log
 * that shows errors only does not name the cases; each error is then a failure of the module. The
 * file of a case is told only where it ran, so it is no part of its identity.
 */
final class BoostTest implements XmlFormat {
  private static final String NO_CASE = "Boost.Test";

  @Override
  public void read(XmlCursor xml, RunTeller teller) throws XMLStreamException {
    xml.children(child -> part(child, xml, "", "", teller));
  }

  private static void part(
      String element, XmlCursor xml, String module, String suites, RunTeller teller)
      throws XMLStreamException {
    switch (element) {
      case "TestSuite" -> {
        String name = xml.attribute("name");
        if (module.isEmpty()) {
          xml.children(child -> part(child, xml, name, "", teller));
        } else {
          String inner = suites.isEmpty() ? name : suites + "/" + name;
          xml.children(child -> part(child, xml, module, inner, teller));
        }
      }
      case "TestCase" -> {
        var test = new Case(xml);
        String name = xml.attribute("name");
        String inner = suites.isEmpty() ? name : suites + "/" + name;
        xml.children(
            child -> {
              // A case may run others by itself.
              if (child.equals("TestSuite") || child.equals("TestCase")) {
                part(child, xml, module.isEmpty() ? NO_CASE : module, inner, teller);
              } else {
                test.part(child, xml);
              }
            });
        teller.tell(ReportedCase.once("", suites, module, name, test.ending()));
      }
      case "Error", "FatalError", "Exception" -> {
        String place = place(xml);
        teller.tellFault("", module.isEmpty() ? NO_CASE : module, xml.ownText(), place);
      }
      default -> {}
    }
  }

  private static String place(XmlCursor xml) {
    String file = xml.attribute("file");
    return file.startsWith("unknown ")
        ? ""
        : SourcePaths.at(SourcePaths.of(file), (int) xml.count("line"));
  }

  private static final class Case {
    private Outcome outcome;
    private int duration = ReportedRun.UNKNOWN_DURATION;
    private String message = "";
    private String stack = "";

    Case(XmlCursor xml) {
      outcome =
          switch (xml.attribute("result")) {
            case "failed" -> Outcome.FAILED;
            case "aborted", "timed-out" -> Outcome.ERRORED;
            case "skipped" -> Outcome.SKIPPED;
            default -> xml.attribute("skipped").equals("yes") ? Outcome.SKIPPED : Outcome.PASSED;
          };
    }

    void part(String element, XmlCursor xml) throws XMLStreamException {
      switch (element) {
        case "Error", "FatalError" -> failed(Outcome.FAILED, xml);
        case "Exception" -> failed(Outcome.ERRORED, xml);
        // In microseconds.
        case "TestingTime" -> duration = ReportTimes.duration(ReportTimes.count(xml.text()), 0.001);
        default -> {}
      }
    }

    private void failed(Outcome how, XmlCursor xml) throws XMLStreamException {
      String place = place(xml);
      String words = xml.ownText();
      outcome = outcome == Outcome.ERRORED ? outcome : how;
      message = message.isEmpty() ? words : message;
      if (stack.length() < 4000) {
        stack += words + (place.isEmpty() ? "\n" : "\n  " + place + "\n");
      }
    }

    Ending ending() {
      return Ending.of(outcome, ReportedRun.UNKNOWN_TIME, duration, "", message, stack);
    }
  }
}
