package dev.mainstay.server.report.xml;

import dev.mainstay.core.health.Outcome;
import dev.mainstay.server.report.Ending;
import dev.mainstay.server.report.ReportTimes;
import dev.mainstay.server.report.ReportedCase;
import dev.mainstay.server.report.ReportedRun;
import dev.mainstay.server.report.RunTeller;
import javax.xml.stream.XMLStreamException;

/**
 * CTest's {@code Test.xml}. A test whose program is not there has failed, as CTest says too. Other
 * files of CTest have the same root.
 */
final class CTest implements XmlFormat {
  private final ReportTimes times = new ReportTimes();
  private boolean isReport;
  private long startedAt = ReportedRun.UNKNOWN_TIME;

  @Override
  public boolean isKnownByRoot() {
    return false;
  }

  @Override
  public void read(XmlCursor xml, RunTeller teller) throws XMLStreamException {
    xml.children(
        child -> {
          if (child.equals("Testing")) {
            isReport = true;
            teller.isReport();
            xml.children(part -> part(part, xml, teller));
          }
        });
    if (!isReport) {
      teller.ignored("a file of CTest without tests");
    }
  }

  private void part(String element, XmlCursor xml, RunTeller teller) throws XMLStreamException {
    switch (element) {
      case "StartTestTime" -> startedAt = times.millis(xml.text());
      case "Test" -> test(xml, teller);
      default -> {}
    }
  }

  private void test(XmlCursor xml, RunTeller teller) throws XMLStreamException {
    var test = new Case(xml.attribute("Status"));
    xml.children(
        child -> {
          switch (child) {
            case "Name" -> test.name = xml.text();
            case "Path" -> test.path = xml.text();
            case "Results" -> xml.children(part -> test.result(part, xml));
            default -> {}
          }
        });
    String folder = test.path.equals(".") ? "" : test.path;
    teller.tell(ReportedCase.once("", folder, folder, test.name, test.ending(startedAt)));
  }

  private static final class Case {
    private final String status;
    String name = "";
    String path = "";
    private String exitCode = "";
    private String exitValue = "";
    private String completion = "";
    private String output = "";
    private int duration = ReportedRun.UNKNOWN_DURATION;

    Case(String status) {
      this.status = status;
    }

    void result(String element, XmlCursor xml) throws XMLStreamException {
      if (element.equals("Measurement")) {
        xml.children(
            value -> {
              // What is compressed is not looked into.
              if (value.equals("Value") && xml.attribute("compression").isEmpty()) {
                output = xml.text();
              }
            });
      } else if (element.equals("NamedMeasurement")) {
        String measured = xml.attribute("name");
        xml.children(value -> measured(measured, xml.text()));
      }
    }

    private void measured(String what, String value) {
      switch (what) {
        case "Exit Code" -> exitCode = value;
        case "Exit Value" -> exitValue = value;
        case "Completion Status" -> completion = value;
        case "Execution Time" -> duration = ReportTimes.durationMillis(value);
        default -> {}
      }
    }

    Ending ending(long startedAt) {
      Outcome outcome =
          switch (status) {
            case "passed" -> Outcome.PASSED;
            case "failed" -> Outcome.FAILED;
            default ->
                completion.equals("Disabled") || completion.startsWith("SKIP_")
                    ? Outcome.SKIPPED
                    : Outcome.ERRORED;
          };
      String message =
          exitCode.isEmpty()
              ? completion
              : exitCode.equals("Failed") ? "Failed with exit code " + exitValue : exitCode;
      return Ending.of(outcome, startedAt, duration, "", message, output);
    }
  }
}
