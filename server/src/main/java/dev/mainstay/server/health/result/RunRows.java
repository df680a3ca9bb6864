package dev.mainstay.server.health.result;

import dev.mainstay.core.health.BranchClass;
import dev.mainstay.core.health.Outcome;
import dev.mainstay.server.platform.CopyRows;
import dev.mainstay.server.repository.Repository;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The rows of an upload's runs and failures, ready to be copied. */
public final class RunRows implements AutoCloseable {
  /** So many runs wait for each other, to go on in the order of their tests. */
  private static final int MOST_WAITING = 65_536;

  private final List<Run> waiting = new ArrayList<>();
  private final CopyRows runs = new CopyRows(9);
  final CopyRows failures = new CopyRows(13);
  final CopyRows recentFailures = new CopyRows(7);
  private final Repository repository;
  private final long uploadId;
  private final UploadOrigin about;
  private final BranchClass branchClass;

  public RunRows(
      Repository repository, long uploadId, UploadOrigin about, BranchClass branchClass) {
    this.repository = repository;
    this.uploadId = uploadId;
    this.about = about;
    this.branchClass = branchClass;
  }

  private record Run(
      UUID test, long ranAt, Outcome outcome, int attempt, boolean decides, int durationMillis) {}

  /** A duration below zero is unknown; {@code decides} says that its case ended by this attempt. */
  public void addRun(
      UUID test, long ranAt, Outcome outcome, int attempt, boolean decides, int durationMillis) {
    waiting.add(new Run(test, ranAt, outcome, attempt, decides, durationMillis));
    if (waiting.size() == MOST_WAITING) {
      release();
    }
  }

  private void release() {
    long[] high = waiting.stream().mapToLong(run -> run.test().getMostSignificantBits()).toArray();
    IdOrder.forEach(high, high.length, i -> write(waiting.get(i)));
    waiting.clear();
  }

  private void write(Run run) {
    runs.row().number(repository.id()).uuid(run.test()).time(run.ranAt()).number(uploadId);
    (run.durationMillis() < 0 ? runs.nothing() : runs.integer(run.durationMillis()))
        .small(repository.retentionDays())
        .small(run.outcome().code())
        .small(run.attempt())
        .flag(run.decides());
  }

  /** All runs that came. */
  CopyRows runs() {
    release();
    return runs;
  }

  public void addFailure(
      UUID test,
      long ranAt,
      Outcome outcome,
      int attempt,
      String type,
      String message,
      String stack) {
    failures.row().number(repository.id()).uuid(test).time(ranAt).number(uploadId);
    failures.small(repository.retentionDays()).small(outcome.code()).small(attempt);
    failures.small(branchClass.code());
    about.pullRequest().ifPresentOrElse(failures::integer, failures::nothing);
    failures.text(about.commit()).text(type).text(message).text(stack);
  }

  /** The same failure once more, as one of a shape. */
  public void addRecentFailure(UUID test, long ranAt, long shape, String title) {
    recentFailures.row().number(repository.id()).uuid(test).time(ranAt).number(uploadId);
    recentFailures.number(shape);
    about.pullRequest().ifPresentOrElse(recentFailures::integer, recentFailures::nothing);
    recentFailures.text(title);
  }

  int retentionDays() {
    return repository.retentionDays();
  }

  @Override
  public void close() {
    runs.close();
    failures.close();
    recentFailures.close();
  }
}
