package dev.mainstay.server.health.ingest;

import dev.mainstay.core.health.BranchClass;
import dev.mainstay.core.health.Branches;
import dev.mainstay.core.health.Glob;
import dev.mainstay.server.health.result.FeedStore;
import dev.mainstay.server.health.result.PartitionStore;
import dev.mainstay.server.health.result.RecentFailureStore;
import dev.mainstay.server.health.result.RunStore;
import dev.mainstay.server.health.result.TestDayStore;
import dev.mainstay.server.health.result.UploadOrigin;
import dev.mainstay.server.health.result.UploadStore;
import dev.mainstay.server.health.test.IncomingTestStore;
import dev.mainstay.server.health.test.QuarantineStore;
import dev.mainstay.server.health.test.TestSettings;
import dev.mainstay.server.health.test.TestSettingsStore;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.FactStore;
import dev.mainstay.server.report.Owners;
import dev.mainstay.server.report.UnpackedTooMuch;
import dev.mainstay.server.repository.Repository;
import dev.mainstay.server.repository.RepositoryStore;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import tools.jackson.databind.node.ObjectNode;

/**
 * Takes an upload in: reports are read into rows first, then one transaction stores everything and
 * decides the verdict, or nothing of it happened.
 */
public final class Ingestion {
  private static final int TRIES = 4;
  private static final int LEAST_TESTS_OF_INFRA_FAILURE = 10;
  private static final int IDS_PER_QUERY = 10_000;

  private final Database database;
  private final Clock clock;
  private final PartitionStore partitions;
  private final TestBranches testBranches;
  private final Runnable onArrival;
  private final KnownTests knownTests = new KnownTests();
  private final Turns turns = new Turns();

  /** {@code onArrival} runs after each upload that brought something. */
  public Ingestion(
      Database database,
      Clock clock,
      PartitionStore partitions,
      TestBranches testBranches,
      Runnable onArrival) {
    this.database = database;
    this.clock = clock;
    this.partitions = partitions;
    this.testBranches = testBranches;
    this.onArrival = onArrival;
  }

  /** An upload that came in: its repository, its origin and its files. */
  record Incoming(
      String organization,
      Repository repository,
      UploadOrigin about,
      List<UploadedFile> files,
      List<Glob> ignore) {}

  Repository repository(long organizationId, UploadOrigin about) {
    return database.inTransaction(
        handle ->
            RepositoryStore.findOrCreate(handle, organizationId, about.repo(), clock.instant()));
  }

  /** Stores an upload, or finds that it is stored already; the answer is the same. */
  Intake ingest(Incoming incoming) {
    byte[] key = ContentKey.of(incoming.about(), incoming.files(), incoming.ignore());
    return known(incoming.repository(), key)
        .<Intake>map(Intake.Stored::new)
        .orElseGet(() -> inTurn(incoming, key));
  }

  private Optional<ObjectNode> known(Repository repository, byte[] key) {
    return database
        .query(handle -> UploadStore.answer(handle, repository.id(), key))
        .map(answer -> answer.put("duplicate", true));
  }

  private Intake inTurn(Incoming incoming, byte[] key) {
    Optional<Turns.Turn> taken = turns.take();
    if (taken.isEmpty()) {
      return new Intake.Busy();
    }
    try (var turn = taken.get()) {
      return new Intake.Stored(readAndStore(incoming, key, turn));
    } catch (UnpackedTooMuch e) {
      return new Intake.UnpacksTooLarge(String.valueOf(e.getMessage()));
    }
  }

  private ObjectNode readAndStore(Incoming incoming, byte[] key, Turns.Turn turn)
      throws UnpackedTooMuch {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    Repository repository = incoming.repository();
    TestSettings settings =
        database.query(handle -> TestSettingsStore.find(handle, repository.id()));
    Optional<String> sentOwners = SideFiles.codeOwners(incoming.files());
    Optional<String> rules = sentOwners.or(settings::codeOwners);
    var owners = new TestOwners(rules.map(Owners::parse), turn::stepAside);
    var known = knownTests.of(repository.id(), rules.orElse(""));
    UploadOrigin about = incoming.about();
    BranchClass branchClass =
        Branches.classify(
            about.branch(), about.pullRequest().isPresent(), settings.stableBranches());
    long uploadId = database.query(UploadStore::nextNumber);
    try (var batch =
        new UploadBatch(
            incoming.organization(),
            repository,
            uploadId,
            about,
            branchClass,
            now,
            owners,
            known)) {
      int files = ReportFiles.read(incoming.files(), incoming.ignore(), batch);
      batch.finish();
      turn.stepBack();
      partitions.ensure(repository.retentionDays(), batch.days);
      var upload =
          new Upload(
              uploadId,
              UUID.randomUUID(),
              key,
              about,
              branchClass,
              queued(repository, about, branchClass),
              now,
              files,
              sentOwners);
      ObjectNode answer = stored(repository, settings, upload, batch);
      if (!answer.path("set_aside").asBoolean()) {
        knownTests.add(known, batch.tally);
        onArrival.run();
      }
      return answer;
    }
  }

  private List<Integer> queued(Repository repository, UploadOrigin about, BranchClass branchClass) {
    return branchClass == BranchClass.MERGE_QUEUE
        ? testBranches.pullRequestsOn(repository.id(), Branches.shortName(about.branch()))
        : List.of();
  }

  /** Uploads that lock each other out are rolled back by the database and tried again. */
  private ObjectNode stored(
      Repository repository, TestSettings settings, Upload upload, UploadBatch batch) {
    for (int tries = 1; ; tries++) {
      try {
        var answer =
            database.inTransaction(handle -> store(handle, repository, settings, upload, batch));
        return answer.or(() -> known(repository, upload.key())).orElseThrow();
      } catch (RuntimeException e) {
        if (tries == TRIES || !Database.isContention(e)) {
          throw e;
        }
      }
    }
  }

  private Optional<ObjectNode> store(
      Handle handle,
      Repository repository,
      TestSettings settings,
      Upload upload,
      UploadBatch batch) {
    long id = repository.id();
    if (!UploadStore.insert(
        handle,
        id,
        upload.id(),
        upload.publicId(),
        upload.key(),
        upload.about(),
        upload.branchClass(),
        upload.queued(),
        upload.receivedAt(),
        batch.earliest())) {
      return Optional.empty();
    }
    List<UUID> failed = new ArrayList<>();
    int[] retried = new int[1];
    batch.tally.forEachTest(
        (test, hasFailed, wasRetried) -> {
          if (hasFailed) {
            failed.add(test);
          }
          retried[0] += wasRetried ? 1 : 0;
        });
    boolean setAside = isInfraFailure(settings, batch.tally.tests(), failed.size());
    int newTests = 0;
    if (!setAside) {
      RunStore.copy(handle, batch.rows);
      RecentFailureStore.copy(handle, batch.rows);
      newTests =
          batch.owners.areNamed()
              ? IncomingTestStore.addWithOwners(handle, id, batch.tests, upload.receivedAt())
              : IncomingTestStore.add(handle, id, batch.tests, upload.receivedAt());
      upload.codeOwners().ifPresent(text -> TestSettingsStore.keepCodeOwners(handle, id, text));
      retried[0] += CommitMemory.remember(handle, id, upload, batch.tally);
    }
    Set<UUID> quarantined = quarantined(handle, id, settings, failed, upload.receivedAt());
    ObjectNode answer =
        Answers.of(
            repository,
            upload,
            batch,
            new Answers.Stored(setAside, retried[0], newTests, failed, quarantined));
    UploadStore.finish(
        handle, id, upload.id(), answer, setAside, batch.tally.tests(), failed.size());
    FactStore.insert(handle, id, UploadFacts.of(upload, failed.size(), answer));
    if (setAside) {
      FeedStore.arrived(handle, id, upload.id(), upload.receivedAt(), FeedStore.Gain.NONE);
    } else {
      arrive(handle, repository, upload, batch, newTests);
    }
    return Optional.of(answer);
  }

  /**
   * Runs are counted where they lie, but for those that are late: their hours are folded already.
   * Which hours are is known for sure when the upload has arrived; but then others wait.
   */
  private static void arrive(
      Handle handle, Repository repository, Upload upload, UploadBatch batch, int newTests) {
    long id = repository.id();
    Instant first =
        batch.earliest().map(time -> time.truncatedTo(ChronoUnit.HOURS)).orElse(Instant.MAX);
    Instant counted = FeedStore.foldedUntil(handle, id).filter(first::isBefore).orElse(first);
    countLate(handle, repository, batch, first, counted);
    var gain = new FeedStore.Gain(batch.earliest(), newTests, Hours.byDay(batch.tally));
    FeedStore.arrived(handle, id, upload.id(), upload.receivedAt(), gain);
    countLate(handle, repository, batch, counted, FeedStore.foldedUntil(handle, id).orElseThrow());
  }

  private static void countLate(
      Handle handle, Repository repository, UploadBatch batch, Instant from, Instant foldedUntil) {
    if (from.isBefore(foldedUntil)) {
      try (var late = Hours.rows(batch.tally, repository, from, foldedUntil)) {
        TestDayStore.copy(handle, late);
      }
    }
  }

  private static Set<UUID> quarantined(
      Handle handle, long repositoryId, TestSettings settings, List<UUID> failed, Instant now) {
    var quarantined = new HashSet<UUID>();
    if (settings.quarantine().enabled()) {
      for (int from = 0; from < failed.size(); from += IDS_PER_QUERY) {
        var some = failed.subList(from, Math.min(failed.size(), from + IDS_PER_QUERY));
        quarantined.addAll(
            QuarantineStore.among(
                handle, repositoryId, some, settings.quarantine().automatic(), now));
      }
    }
    return quarantined;
  }

  private static boolean isInfraFailure(TestSettings settings, int tests, int failed) {
    return settings.infraProtection()
        && tests >= LEAST_TESTS_OF_INFRA_FAILURE
        && failed > settings.infraThreshold() * tests;
  }
}
