package dev.mainstay.server.health.ingest;

import dev.mainstay.core.health.BranchClass;
import dev.mainstay.core.health.Outcome;
import dev.mainstay.core.health.TestIdentity;
import dev.mainstay.core.health.TestIds;
import dev.mainstay.core.health.text.BoundedText;
import dev.mainstay.core.health.text.MessageShape;
import dev.mainstay.server.health.ingest.NumberedAttempts.Attempt;
import dev.mainstay.server.health.ingest.NumberedAttempts.Place;
import dev.mainstay.server.health.result.RunRows;
import dev.mainstay.server.health.result.UploadOrigin;
import dev.mainstay.server.health.test.TestRows;
import dev.mainstay.server.report.Limits;
import dev.mainstay.server.report.Missing;
import dev.mainstay.server.report.ReportSink;
import dev.mainstay.server.report.ReportedRun;
import dev.mainstay.server.report.ReportedRun.Failure;
import dev.mainstay.server.report.Skipped;
import dev.mainstay.server.repository.Repository;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;

/**
 * An upload on its way from its reports to the database: rows ready to be copied, and counts. It is
 * built before any transaction begins, so that nothing waits for a slow or hostile report.
 */
final class UploadBatch implements ReportSink, AutoCloseable {
  private static final int MOST_FAILURES_TOLD = 1000;
  private static final int MOST_COLLISIONS_TOLD = 100;
  private static final long FAILURE_TEXT = 256L * 1024 * 1024;
  private static final int SHORT_MESSAGE = 200;
  private static final int MOST_ATTEMPTS = Short.MAX_VALUE;

  private final Repository repository;
  final UploadOrigin about;
  private final long receivedAt;
  private final long keptSince;
  private final TestIds ids;
  final TestOwners owners;
  private final KnownTests.OfRepository knownTests;

  final RunRows rows;
  final TestRows tests = new TestRows();
  final Tally tally = new Tally();
  final SortedSet<Integer> days = new TreeSet<>();
  final Gaps gaps = new Gaps();
  final List<FailedTest> collisions = new ArrayList<>();
  private final NumberedAttempts attempts = new NumberedAttempts();
  private final Map<UUID, FailedTest> failedTests = new LinkedHashMap<>();
  private final Map<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);
  private long failureTextLeft = FAILURE_TEXT;
  private long earliest = Long.MAX_VALUE;
  private int read;
  private Optional<Place> numbered = Optional.empty();
  private int tooOld;
  private int collided;
  private int reports;

  /** A test as the answer tells it, with the message of its failure, and that on one line. */
  record FailedTest(
      UUID id,
      String name,
      String classname,
      String parent,
      String file,
      String message,
      String title) {}

  UploadBatch(
      String organization,
      Repository repository,
      long uploadId,
      UploadOrigin about,
      BranchClass branchClass,
      Instant receivedAt,
      TestOwners owners,
      KnownTests.OfRepository knownTests) {
    this.repository = repository;
    this.about = about;
    this.rows = new RunRows(repository, uploadId, about, branchClass);
    this.receivedAt = receivedAt.toEpochMilli();
    this.keptSince = this.receivedAt - repository.retentionDays() * 86_400_000L;
    this.ids = new TestIds(organization, repository.name().toString());
    this.owners = owners;
    this.knownTests = knownTests;
  }

  @Override
  public boolean run(ReportedRun run) {
    if (read == Limits.RUNS) {
      skipped(
          new Skipped(
              "upload",
              0,
              "more than %d results; the rest is not read".formatted(Limits.RUNS),
              Skipped.Kind.UNREADABLE));
      return false;
    }
    read++;
    outcomes.merge(run.outcome(), 1, Integer::sum);
    UUID id =
        ids.of(
            new TestIdentity(
                run.file(), run.className(), run.parent(), run.name(), about.variant()));
    int test = tally.test(id);
    long ranAt = ranAt(run);
    boolean kept = ranAt >= keptSince && keep(id, test, run, ranAt);
    tooOld += ranAt < keptSince ? 1 : 0;
    decide(id, test, run, kept ? ranAt : Tally.NEVER);
    return true;
  }

  /** A file begins whose results may be numbered attempts of a test, by its path. */
  void begins(String path) {
    numbered = Place.of(path);
    attempts.nextFile();
  }

  /**
   * Counts how a case ended, whenever it ran: the verdict asks for nothing else. Which of several
   * numbered attempts decides is known when all have come.
   */
  private void decide(UUID id, int test, ReportedRun run, long keptAt) {
    boolean failed = run.outcome().isFailure();
    if (failed && failedTests.size() < MOST_FAILURES_TOLD) {
      failedTests.put(id, failedTest(id, run));
    }
    Place place = numbered.orElse(new Place("", run.attempt()));
    var attempt = new Attempt(id, place, run.outcome(), keptAt, run.durationMillis());
    if (run.decides() && numbered.isPresent()) {
      attempts.add(attempt).ifPresent(superseded -> addRun(superseded, false));
      return;
    }
    addRun(attempt, run.decides());
    if (run.decides() && tally.decide(test, failed) == 2) {
      collided++;
      if (collisions.size() < MOST_COLLISIONS_TOLD) {
        collisions.add(failedTest(id, run));
      }
    }
  }

  private void addRun(Attempt attempt, boolean decides) {
    if (attempt.ranAt() != Tally.NEVER) {
      rows.addRun(
          attempt.test(),
          attempt.ranAt(),
          attempt.outcome(),
          bounded(attempt.place().number()),
          decides,
          attempt.durationMillis());
    }
  }

  @Override
  public void skipped(Skipped skip) {
    gaps.add(skip);
  }

  @Override
  public void isReport(String file) {
    reports++;
  }

  @Override
  public void missing(Missing more) {
    gaps.add(more);
  }

  /** Ends the batch, once, after the last run. */
  void finish() {
    attempts.forEachLast(
        last -> {
          addRun(last, true);
          tally.decide(tally.test(last.test()), last.outcome().isFailure());
        });
    owners.fault().ifPresent(fault -> skipped(Skipped.ignored("CODEOWNERS", fault)));
    if (tooOld > 0) {
      skipped(
          new Skipped(
              "upload",
              0,
              "%d results ran more than %d days ago, longer than they are kept"
                  .formatted(tooOld, repository.retentionDays()),
              Skipped.Kind.NOT_KEPT));
    }
  }

  /** The time in the report, unless it has none or lies in the future. */
  private long ranAt(ReportedRun run) {
    return run.startedAtMillis() == ReportedRun.UNKNOWN_TIME || run.startedAtMillis() > receivedAt
        ? receivedAt
        : run.startedAtMillis();
  }

  /** Keeps what is known of an attempt beside its run; false where it is one too many. */
  private boolean keep(UUID id, int test, ReportedRun run, long ranAt) {
    boolean known = tally.isKept(test) || knownTests.contains(id);
    if (!tally.add(test, ranAt, run.outcome())) {
      skipped(
          new Skipped(
              "upload",
              0,
              "a test with runs in too many different hours",
              Skipped.Kind.UNREADABLE));
      return false;
    }
    if (!known) {
      addTest(id, run);
    }
    days.add(Math.toIntExact(Math.floorDiv(ranAt, 86_400_000L)));
    earliest = Math.min(earliest, ranAt);
    int attempt = numbered.map(Place::number).orElse(run.attempt());
    run.failure().ifPresent(failure -> addFailure(id, run, failure, ranAt, bounded(attempt)));
    return true;
  }

  private void addTest(UUID id, ReportedRun run) {
    tests.add(
        id,
        bounded(run.name()),
        about.variant(),
        bounded(run.parent()),
        bounded(run.file()),
        bounded(run.className()),
        owners.of(run.file()));
  }

  private void addFailure(UUID id, ReportedRun run, Failure failure, long ranAt, int attempt) {
    boolean roomy = failureTextLeft > 0;
    String message = roomy ? failure.message() : BoundedText.head(failure.message(), SHORT_MESSAGE);
    String stack = roomy ? failure.stack() : "";
    failureTextLeft -= message.length() + stack.length();
    rows.addFailure(id, ranAt, run.outcome(), attempt, failure.type(), message, stack);
    var shape = MessageShape.of(failure.type(), failure.message());
    rows.addRecentFailure(id, ranAt, ContentKey.number(shape.key()), shape.title());
  }

  private static FailedTest failedTest(UUID id, ReportedRun run) {
    return new FailedTest(
        id,
        bounded(run.name()),
        bounded(run.className()),
        bounded(run.parent()),
        bounded(run.file()),
        run.failure().map(Failure::message).orElse(""),
        run.failure().map(f -> MessageShape.title(f.type(), f.message())).orElse(""));
  }

  Optional<FailedTest> failedTest(UUID id) {
    return Optional.ofNullable(failedTests.get(id));
  }

  Optional<Instant> earliest() {
    return earliest == Long.MAX_VALUE
        ? Optional.empty()
        : Optional.of(Instant.ofEpochMilli(earliest));
  }

  int count(Outcome outcome) {
    return outcomes.getOrDefault(outcome, 0);
  }

  int read() {
    return read;
  }

  /** The number of files that are test reports. */
  int reports() {
    return reports;
  }

  /** The number of tests that several cases of the upload share. */
  int collided() {
    return collided;
  }

  @Override
  public void close() {
    rows.close();
    tests.close();
  }

  private static int bounded(int attempt) {
    return Math.min(attempt, MOST_ATTEMPTS);
  }

  private static String bounded(String name) {
    return BoundedText.name(name, Limits.NAME_LENGTH);
  }
}
