package dev.mainstay.server.report;

import dev.mainstay.core.health.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Joins attempts of a case that are files of their own, as in results of Allure: they come in any
 * order, so they are told when all files are read. The one that began last decides; one that was
 * skipped decides nothing. Beyond a bound their texts are let go, and beyond one of names each is
 * told as a case of its own.
 */
public final class SeparateAttempts implements ReportSink {
  private final ReportSink sink;
  private final Map<Key, List<Ending>> waiting = new LinkedHashMap<>();
  private final Room names = new Room();
  private final Room text = new Room();

  public SeparateAttempts(ReportSink sink) {
    this.sink = sink;
  }

  private record Key(String series, String file, String className, String parent, String name) {}

  @Override
  public boolean attempt(String series, ReportedCase test) {
    if (!names.take(series.length() + test.nameLength())) {
      return ReportSink.super.attempt(series, test);
    }
    var key = new Key(series, test.file(), test.className(), test.parent(), test.name());
    List<Ending> attempts = waiting.computeIfAbsent(key, k -> new ArrayList<>(1));
    for (Ending attempt : test.attempts()) {
      attempts.add(text.take(attempt.textLength()) ? attempt : attempt.untold());
    }
    return true;
  }

  /** Tells what waits; to be called behind the last file. */
  public void tell() {
    for (Map.Entry<Key, List<Ending>> entry : waiting.entrySet()) {
      Key key = entry.getKey();
      List<Ending> attempts = entry.getValue();
      attempts.sort(
          Comparator.comparing((Ending ending) -> ending.outcome() != Outcome.SKIPPED)
              .thenComparingLong(Ending::startedAtMillis));
      var test = new ReportedCase(key.file(), key.className(), key.parent(), key.name(), attempts);
      for (int i = 0; i < attempts.size(); i++) {
        if (!sink.run(test.run(i))) {
          return;
        }
      }
    }
    waiting.clear();
  }

  @Override
  public boolean run(ReportedRun run) {
    return sink.run(run);
  }

  @Override
  public void skipped(Skipped skipped) {
    sink.skipped(skipped);
  }

  @Override
  public void isReport(String file) {
    sink.isReport(file);
  }

  @Override
  public void missing(Missing missing) {
    sink.missing(missing);
  }
}
