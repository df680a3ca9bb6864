package dev.mainstay.server.report.xml;

import dev.mainstay.core.health.Outcome;
import dev.mainstay.server.report.Ending;
import dev.mainstay.server.report.ReportTimes;
import dev.mainstay.server.report.ReportedCase;
import dev.mainstay.server.report.RunTeller;
import javax.xml.stream.XMLStreamException;

/**
 * NUnit 3's XML. The outermost suite is the assembly. A suite whose own set-up or tear-down failed
 * is kept as a failed test of its name.
 */
final class NUnit3 implements XmlFormat {
  private final ReportTimes times = new ReportTimes();

  @Override
  public void read(XmlCursor xml, RunTeller teller) throws XMLStreamException {
    teller.announce(xml.count("failed"));
    xml.children(child -> part(child, xml, "", "", teller));
  }

  private void part(String element, XmlCursor xml, String parent, String suite, RunTeller teller)
      throws XMLStreamException {
    switch (element) {
      case "test-suite" -> {
        String name = xml.attribute("name");
        String outermost = parent.isEmpty() ? NetNames.file(name) : parent;
        String fullName = xml.attribute("fullname");
        String site = xml.attribute("site");
        xml.children(
            child -> {
              if (child.equals("failure") && (site.equals("SetUp") || site.equals("TearDown"))) {
                String[] words = NetNames.failure(xml);
                teller.tellFault("", NetNames.file(fullName), words[0], words[1]);
              } else {
                part(child, xml, outermost, fullName, teller);
              }
            });
      }
      case "test-case" -> testCase(xml, parent, suite, teller);
      default -> {}
    }
  }

  private void testCase(XmlCursor xml, String parent, String suite, RunTeller teller)
      throws XMLStreamException {
    Outcome outcome = outcome(xml.attribute("result"), xml.attribute("label"));
    long startedAt = times.millis(xml.attribute("start-time"));
    int duration = ReportTimes.durationMillis(xml.attribute("duration"));
    String name = xml.attribute("name");
    String className = xml.attribute("classname");
    String[] words = {"", ""};
    xml.children(
        child -> {
          if (child.equals("failure")) {
            System.arraycopy(NetNames.failure(xml), 0, words, 0, 2);
          }
        });
    teller.tell(
        ReportedCase.once(
            "",
            className.isEmpty() ? suite : className,
            parent,
            name,
            Ending.of(outcome, startedAt, duration, "", words[0], words[1])));
  }

  private static Outcome outcome(String result, String label) {
    return switch (result) {
      case "Passed", "Warning" -> Outcome.PASSED;
      case "Failed" ->
          label.equals("Error") || label.equals("Cancelled") || label.equals("Invalid")
              ? Outcome.ERRORED
              : Outcome.FAILED;
      default -> Outcome.SKIPPED;
    };
  }
}
