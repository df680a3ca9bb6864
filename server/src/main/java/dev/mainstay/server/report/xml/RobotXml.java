package dev.mainstay.server.report.xml;

import dev.mainstay.core.health.Outcome;
import dev.mainstay.server.report.Ending;
import dev.mainstay.server.report.ReportTimes;
import dev.mainstay.server.report.ReportedCase;
import dev.mainstay.server.report.ReportedRun;
import dev.mainstay.server.report.RunTeller;
import dev.mainstay.server.report.SourcePaths;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.stream.XMLStreamException;

/** Robot Framework's {@code output.xml}, before version 7 and since. */
final class RobotXml implements XmlFormat {
  /** A time before version 7. */
  private static final Pattern COMPACT =
      Pattern.compile("(\\d{4})(\\d\\d)(\\d\\d) (\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,6})?)");

  private final ReportTimes times = new ReportTimes();

  @Override
  public void read(XmlCursor xml, RunTeller teller) throws XMLStreamException {
    xml.children(
        child -> {
          switch (child) {
            case "suite" -> suite(xml, "", "", "", teller);
            case "statistics" -> xml.children(part -> statistics(part, xml, teller));
            default -> {}
          }
        });
  }

  private static void statistics(String part, XmlCursor xml, RunTeller teller)
      throws XMLStreamException {
    if (part.equals("total")) {
      xml.children(
          stat -> {
            long failed = xml.count("fail");
            // Before version 4 critical tests were counted once more.
            teller.announce(xml.text().equals("Critical Tests") ? 0 : failed);
          });
    }
  }

  private void suite(XmlCursor xml, String parent, String outer, String file, RunTeller teller)
      throws XMLStreamException {
    String name = xml.attribute("name");
    String outermost = parent.isEmpty() ? name : parent;
    String longName = outer.isEmpty() ? name : outer + "." + name;
    String source = xml.attribute("source");
    String own = source.isEmpty() ? file : SourcePaths.of(source);
    xml.children(
        child -> {
          switch (child) {
            case "suite" -> suite(xml, outermost, longName, own, teller);
            case "test" -> test(xml, new Place(own, longName, outermost), teller);
            default -> {}
          }
        });
  }

  /** The suite of a test. */
  private record Place(String file, String className, String parent) {}

  private void test(XmlCursor xml, Place place, RunTeller teller) throws XMLStreamException {
    String name = xml.attribute("name");
    String at = SourcePaths.at(place.file(), (int) xml.count("line"));
    Ending[] ending = {Ending.of(Outcome.ERRORED, "It has no status.", at)};
    xml.children(
        child -> {
          if (child.equals("status")) {
            ending[0] = status(xml, at);
          }
        });
    teller.tell(
        ReportedCase.once(place.file(), place.className(), place.parent(), name, ending[0]));
  }

  private Ending status(XmlCursor xml, String at) throws XMLStreamException {
    Outcome outcome =
        switch (xml.attribute("status")) {
          case "PASS" -> Outcome.PASSED;
          case "FAIL" -> Outcome.FAILED;
          default -> Outcome.SKIPPED;
        };
    String elapsed = xml.attribute("elapsed");
    long startedAt = moment(xml.attribute("start"));
    int duration = ReportTimes.durationMillis(elapsed);
    if (elapsed.isEmpty()) {
      startedAt = moment(xml.attribute("starttime"));
      long endedAt = moment(xml.attribute("endtime"));
      boolean known = startedAt != ReportedRun.UNKNOWN_TIME && endedAt != ReportedRun.UNKNOWN_TIME;
      duration = known ? ReportTimes.duration((double) (endedAt - startedAt), 1) : duration;
    }
    String message = xml.text();
    return Ending.of(outcome, startedAt, duration, "", message, message + "\n" + at);
  }

  private long moment(String text) {
    Matcher compact = COMPACT.matcher(text);
    return times.millis(
        compact.matches()
            ? "%s-%s-%sT%s"
                .formatted(compact.group(1), compact.group(2), compact.group(3), compact.group(4))
            : text);
  }
}
