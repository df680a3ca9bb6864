package dev.mainstay.server.report.file;

import dev.mainstay.core.health.Outcome;
import dev.mainstay.server.report.Limits;
import dev.mainstay.server.report.Missing;
import dev.mainstay.server.report.ReportSink;
import dev.mainstay.server.report.ReportedRun;
import dev.mainstay.server.report.Skipped;
import dev.mainstay.server.report.Texts;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The runs and skipped parts that a file was read as. */
final class Reading implements ReportSink {
  final List<ReportedRun> runs = new ArrayList<>();
  final List<Skipped> skips = new ArrayList<>();
  final List<Missing> missing = new ArrayList<>();
  int reports;

  static Reading of(String text) throws IOException {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  static Reading of(byte[] bytes) throws IOException {
    return of(bytes, Limits.UNPACKED_BYTES);
  }

  static Reading of(byte[] bytes, long maxBytes) throws IOException {
    var reading = new Reading();
    new Unpacker((name, in) -> Reports.read(in, name, reading), reading, maxBytes)
        .unpack("upload", new ByteArrayInputStream(bytes));
    return reading;
  }

  /** Each run on a line: its outcome, its names, and which attempt it is where there are more. */
  List<String> lines() {
    return runs.stream().map(Reading::line).toList();
  }

  /** All that was read, for people. */
  String story() {
    return lines().stream().map(line -> line + "\n").collect(Collectors.joining())
        + skips.stream().map(skip -> skip + "\n").collect(Collectors.joining())
        + missing.stream().map(more -> more + "\n").collect(Collectors.joining());
  }

  /** The number of cases that ended so. */
  int ended(Outcome outcome) {
    return (int) runs.stream().filter(run -> run.decides() && run.outcome() == outcome).count();
  }

  private static String line(ReportedRun run) {
    String attempt = run.attempt() == 1 && run.decides() ? "" : " #" + run.attempt();
    return Stream.of(run.file(), run.parent(), run.className(), run.name())
            .collect(Collectors.joining(" | ", run.outcome() + attempt + " ", ""))
        + (run.decides() ? "" : " ...")
        + (run.durationMillis() < 0 ? "" : " " + run.durationMillis() + "ms")
        + (run.startedAtMillis() == ReportedRun.UNKNOWN_TIME
            ? ""
            : " " + Instant.ofEpochMilli(run.startedAtMillis()))
        + run.failure().map(f -> " : " + Texts.firstLine(f.message())).orElse("");
  }

  @Override
  public boolean run(ReportedRun run) {
    runs.add(run);
    return true;
  }

  @Override
  public void skipped(Skipped skipped) {
    skips.add(skipped);
  }

  @Override
  public void isReport(String file) {
    reports++;
  }

  @Override
  public void missing(Missing more) {
    missing.add(more);
  }

  ReportedRun only() {
    if (runs.size() != 1) {
      throw new AssertionError("not one run but " + runs + " " + skips);
    }
    return runs.getFirst();
  }

  List<Outcome> outcomes() {
    return runs.stream().map(ReportedRun::outcome).toList();
  }

  List<String> names() {
    return runs.stream().map(ReportedRun::name).toList();
  }
}
