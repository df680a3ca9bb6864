package dev.mainstay.server.report.xml;

import dev.mainstay.core.health.Outcome;
import dev.mainstay.server.report.Ending;
import dev.mainstay.server.report.ReportTimes;
import dev.mainstay.server.report.ReportedCase;
import dev.mainstay.server.report.RunTeller;
import dev.mainstay.server.report.SourcePaths;
import javax.xml.stream.XMLStreamException;

/** The XML of xUnit.net, versions 2 and 3. An error outside of tests is a failed test. */
final class XUnitNet implements XmlFormat {
  private final ReportTimes times = new ReportTimes();

  @Override
  public void read(XmlCursor xml, RunTeller teller) throws XMLStreamException {
    if (xml.attribute("name").isEmpty()) {
      xml.children(
          child -> {
            if (child.equals("assembly")) {
              assembly(xml, teller);
            }
          });
    } else {
      assembly(xml, teller);
    }
  }

  private void assembly(XmlCursor xml, RunTeller teller) throws XMLStreamException {
    teller.announce(xml.count("failed"));
    teller.announce(xml.count("errors"));
    String name = NetNames.file(xml.attribute("name"));
    long startedAt = times.millis(xml.attribute("run-date") + "T" + xml.attribute("run-time"));
    xml.children(
        child -> {
          switch (child) {
            case "errors" -> xml.children(error -> error(xml, name, teller));
            case "collection" ->
                xml.children(
                    test -> {
                      if (test.equals("test")) {
                        test(xml, name, startedAt, teller);
                      }
                    });
            default -> {}
          }
        });
  }

  private static void error(XmlCursor xml, String assembly, RunTeller teller)
      throws XMLStreamException {
    String name = xml.attribute("name");
    xml.children(
        child -> {
          if (child.equals("failure")) {
            String[] words = NetNames.failure(xml);
            teller.tellFault("", name.isEmpty() ? assembly : name, words[0], words[1]);
          }
        });
  }

  private static void test(XmlCursor xml, String assembly, long startedAt, RunTeller teller)
      throws XMLStreamException {
    String type = xml.attribute("type");
    String name = NetNames.withoutClass(xml.attribute("name"), type);
    String file = SourcePaths.of(xml.attribute("source-file"));
    int duration = ReportTimes.durationMillis(xml.attribute("time"));
    Outcome outcome =
        switch (xml.attribute("result")) {
          case "Pass" -> Outcome.PASSED;
          case "Fail" -> Outcome.FAILED;
          default -> Outcome.SKIPPED;
        };
    String[] words = {"", "", ""};
    xml.children(
        child -> {
          if (child.equals("failure")) {
            words[2] = xml.attribute("exception-type");
            System.arraycopy(NetNames.failure(xml), 0, words, 0, 2);
          }
        });
    teller.tell(
        ReportedCase.once(
            file,
            type,
            assembly,
            name,
            Ending.of(outcome, startedAt, duration, words[2], words[0], words[1])));
  }
}
