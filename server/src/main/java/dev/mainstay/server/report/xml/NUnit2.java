package dev.mainstay.server.report.xml;

import dev.mainstay.core.health.Outcome;
import dev.mainstay.server.report.Ending;
import dev.mainstay.server.report.ReportTimes;
import dev.mainstay.server.report.ReportedCase;
import dev.mainstay.server.report.RunTeller;
import javax.xml.stream.XMLStreamException;

/** NUnit 2's XML. The name of a case begins with its class. */
final class NUnit2 implements XmlFormat {
  private final ReportTimes times = new ReportTimes();

  @Override
  public void read(XmlCursor xml, RunTeller teller) throws XMLStreamException {
    teller.announce(xml.count("failures"));
    teller.announce(xml.count("errors"));
    long startedAt = times.millis(xml.attribute("date") + "T" + xml.attribute("time"));
    xml.children(child -> part(child, xml, "", startedAt, teller));
  }

  private static void part(
      String element, XmlCursor xml, String parent, long startedAt, RunTeller teller)
      throws XMLStreamException {
    switch (element) {
      case "test-suite" -> {
        String outermost = parent.isEmpty() ? NetNames.file(xml.attribute("name")) : parent;
        xml.children(child -> part(child, xml, outermost, startedAt, teller));
      }
      case "results" -> xml.children(child -> part(child, xml, parent, startedAt, teller));
      case "test-case" -> testCase(xml, parent, startedAt, teller);
      default -> {}
    }
  }

  private static void testCase(XmlCursor xml, String parent, long startedAt, RunTeller teller)
      throws XMLStreamException {
    String test = xml.attribute("name");
    String className = NetNames.className(test);
    Outcome outcome =
        outcome(xml.attribute("result"), xml.attribute("success"), xml.attribute("executed"));
    int duration = ReportTimes.durationMillis(xml.attribute("time"));
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
            className,
            parent,
            NetNames.withoutClass(test, className),
            Ending.of(outcome, startedAt, duration, "", words[0], words[1])));
  }

  /** Before version 2.5 there was no result, only success. */
  private static Outcome outcome(String result, String success, String executed) {
    return switch (result) {
      case "Success" -> Outcome.PASSED;
      case "Failure" -> Outcome.FAILED;
      case "Error", "NotRunnable", "Cancelled" -> Outcome.ERRORED;
      case "" ->
          executed.equalsIgnoreCase("false")
              ? Outcome.SKIPPED
              : success.equalsIgnoreCase("false") ? Outcome.FAILED : Outcome.PASSED;
      default -> Outcome.SKIPPED;
    };
  }
}
