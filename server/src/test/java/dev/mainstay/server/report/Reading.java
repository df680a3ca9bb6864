package dev.mainstay.server.report;

import dev.mainstay.core.health.Outcome;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The runs and skipped parts that a file was read as. */
final class Reading implements ReportSink {
  final List<ReportedRun> runs = new ArrayList<>();
  final List<Skipped> skips = new ArrayList<>();

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

  @Override
  public boolean run(ReportedRun run) {
    runs.add(run);
    return true;
  }

  @Override
  public void skipped(Skipped skipped) {
    skips.add(skipped);
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
