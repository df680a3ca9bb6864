package dev.mainstay.server.report.xml;

import com.ctc.wstx.exc.WstxLazyException;
import dev.mainstay.core.health.Outcome;
import dev.mainstay.server.report.Ending;
import dev.mainstay.server.report.ReportTimes;
import dev.mainstay.server.report.ReportedCase;
import dev.mainstay.server.report.ReportedRun;
import dev.mainstay.server.report.RunTeller;
import dev.mainstay.server.report.SourcePaths;
import javax.xml.stream.XMLStreamException;

/** The XML of Catch2, versions 2 and 3. The first check that failed is the failure of a case. */
final class Catch2 implements XmlFormat {
  @Override
  public void read(XmlCursor xml, RunTeller teller) throws XMLStreamException {
    String program = xml.attribute("name");
    xml.children(child -> part(child, xml, program, true, teller));
  }

  private static void part(
      String element, XmlCursor xml, String program, boolean outermost, RunTeller teller)
      throws XMLStreamException {
    switch (element) {
      case "Group" -> xml.children(child -> part(child, xml, program, false, teller));
      case "TestCase" -> testCase(xml, program, teller);
      case "OverallResultsCases" -> {
        if (outermost) {
          teller.announce(xml.count("failures"));
        }
      }
      default -> {}
    }
  }

  private static void testCase(XmlCursor xml, String program, RunTeller teller)
      throws XMLStreamException {
    var test = new Case();
    String file = SourcePaths.of(xml.attribute("filename"));
    String name = xml.attribute("name");
    try {
      xml.children(child -> test.part(child, xml));
    } catch (XMLStreamException | WstxLazyException e) {
      // The program died in the middle of this case.
      if (!test.message.isEmpty()) {
        test.outcome = Outcome.ERRORED;
        teller.tell(ReportedCase.once(file, "", program, name, test.ending()));
      }
      throw e;
    }
    teller.tell(ReportedCase.once(file, "", program, name, test.ending()));
  }

  private static final class Case {
    Outcome outcome = Outcome.ERRORED;
    int duration = ReportedRun.UNKNOWN_DURATION;
    String message = "";
    String places = "";

    void part(String element, XmlCursor xml) throws XMLStreamException {
      switch (element) {
        case "Section" -> xml.children(child -> part(child, xml));
        case "Expression" -> expression(xml);
        case "Exception", "FatalErrorCondition", "Failure" -> {
          String place = place(xml);
          failed(xml.text(), place);
        }
        case "OverallResult" -> {
          boolean passed = xml.attribute("success").equals("true");
          outcome =
              !passed ? Outcome.FAILED : xml.count("skips") > 0 ? Outcome.SKIPPED : Outcome.PASSED;
          duration = ReportTimes.durationMillis(xml.attribute("durationInSeconds"));
        }
        default -> {}
      }
    }

    private void expression(XmlCursor xml) throws XMLStreamException {
      boolean passed = xml.attribute("success").equals("true");
      String type = xml.attribute("type");
      String place = place(xml);
      String[] words = {"", "", ""};
      xml.children(
          child -> {
            switch (child) {
              case "Original" -> words[0] = xml.text();
              case "Expanded" -> words[1] = xml.text();
              case "Exception", "FatalErrorCondition" -> words[2] = xml.text();
              default -> {}
            }
          });
      if (!passed) {
        String checked = type + "( " + words[0] + " )";
        String seen = words[2].isEmpty() ? words[1] : words[2];
        failed(seen.equals(words[0]) ? checked : checked + ": " + seen, place);
      }
    }

    private void failed(String what, String place) {
      message = message.isEmpty() ? what : message;
      if (places.length() < 4000) {
        places += what + "\n  " + place + "\n";
      }
    }

    private static String place(XmlCursor xml) {
      return SourcePaths.at(SourcePaths.of(xml.attribute("filename")), (int) xml.count("line"));
    }

    Ending ending() {
      return Ending.of(outcome, ReportedRun.UNKNOWN_TIME, duration, "", message, places);
    }
  }
}
