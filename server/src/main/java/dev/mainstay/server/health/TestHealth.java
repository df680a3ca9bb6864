package dev.mainstay.server.health;

import dev.mainstay.server.health.ingest.Ingestion;
import dev.mainstay.server.health.ingest.ResultsApi;
import dev.mainstay.server.health.ingest.SideFiles;
import dev.mainstay.server.health.ingest.TestBranches;
import dev.mainstay.server.health.ingest.UploaderApi;
import dev.mainstay.server.health.judge.Judging;
import dev.mainstay.server.health.judge.MonitorsApi;
import dev.mainstay.server.health.list.FailingTests;
import dev.mainstay.server.health.list.LinkedTestsApi;
import dev.mainstay.server.health.list.QuarantineReportApi;
import dev.mainstay.server.health.list.RunsApi;
import dev.mainstay.server.health.list.SummaryApi;
import dev.mainstay.server.health.list.TestListsApi;
import dev.mainstay.server.health.list.TestMetricsApi;
import dev.mainstay.server.health.list.TestSearchApi;
import dev.mainstay.server.health.list.TestsApi;
import dev.mainstay.server.health.list.UploadsApi;
import dev.mainstay.server.health.result.NumbersStore;
import dev.mainstay.server.health.result.PartitionStore;
import dev.mainstay.server.health.result.Rates;
import dev.mainstay.server.health.result.ReportedFailure;
import dev.mainstay.server.health.result.UploadStore;
import dev.mainstay.server.health.test.Links;
import dev.mainstay.server.health.test.RepoView;
import dev.mainstay.server.health.test.RepoViewStore;
import dev.mainstay.server.health.test.TestRow;
import dev.mainstay.server.health.test.TestSettingsApi;
import dev.mainstay.server.health.test.TestSettingsStore;
import dev.mainstay.server.health.test.TestStore;
import dev.mainstay.server.health.test.TicketsApi;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.Loop;
import dev.mainstay.server.platform.http.Route;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;

/** The wiring of test health: its routes and its workers. */
public final class TestHealth implements AutoCloseable {
  private static final Duration RETENTION_EVERY = Duration.ofHours(1);
  private static final Duration JUDGING_EVERY = Duration.ofSeconds(1);
  private static final Duration RECENT = Duration.ofDays(7);
  private static final int MOST_RECENT = 1000;

  private final Database database;
  private final Clock clock;
  private final Links links;
  private final ResultsApi results;
  private final UploaderApi uploader;
  private final TestListsApi lists;
  private final TestsApi tests;
  private final TestSearchApi search;
  private final RunsApi runs;
  private final SummaryApi summary;
  private final TestMetricsApi metrics;
  private final UploadsApi uploads;
  private final LinkedTestsApi linked;
  private final MonitorsApi monitors;
  private final TestSettingsApi settings;
  private final TicketsApi tickets;
  private final QuarantineReportApi quarantine;
  private final Loop health;
  private final Loop retention;

  /** {@code chosenUrl} is there where somebody set the public address. */
  public TestHealth(
      Database database,
      Clock clock,
      URI publicUrl,
      Optional<URI> chosenUrl,
      TestBranches testBranches) {
    this.database = database;
    this.clock = clock;
    var partitions = new PartitionStore(database);
    var tidying = new RetentionWorker(database, clock, partitions);
    var judging = new Judging(database, clock);
    retention = new Loop("retention", RETENTION_EVERY, loop -> tidying.round(loop::isClosing));
    health = new Loop("health", JUDGING_EVERY, loop -> judging.round(loop::isClosing));
    var ingestion = new Ingestion(database, clock, partitions, testBranches, health::tell);
    results = new ResultsApi(ingestion);
    uploader = new UploaderApi(database, clock, chosenUrl, ingestion);
    links = new Links(publicUrl);
    var failing = new FailingTests(database, clock);
    lists = new TestListsApi(database, clock, links, failing);
    search = new TestSearchApi(database, clock, links, failing);
    tests = new TestsApi(database, clock, links);
    runs = new RunsApi(database, clock);
    summary = new SummaryApi(database, clock);
    metrics = new TestMetricsApi(database, clock);
    uploads = new UploadsApi(database, clock, links);
    linked = new LinkedTestsApi(database, clock, links);
    monitors = new MonitorsApi(database, clock, health::tell);
    settings = new TestSettingsApi(database, clock);
    tickets = new TicketsApi(database, clock, links, health::tell);
    quarantine = new QuarantineReportApi(database, clock, links);
    retention.start();
    health.start();
  }

  /** Takes the CODEOWNERS file that a connected repository has now, or that it has none. */
  public void ownersOfRepository(long repositoryId, Optional<byte[]> file) {
    Optional<String> text = file.flatMap(SideFiles::codeOwners);
    database.useTransaction(
        handle -> TestSettingsStore.keepOwnersOfRepository(handle, repositoryId, text));
  }

  /** The tests that failed in uploads of a commit on a branch. */
  public List<ReportedFailure> failuresOn(long repositoryId, String branch, String commit) {
    return ReportedFailure.on(database, repositoryId, branch, commit);
  }

  /** Results of a commit on a branch have come. */
  public boolean hasResults(long repositoryId, String branch, String commit) {
    return database.query(h -> UploadStore.exists(h, repositoryId, branch, commit));
  }

  /** Some of the newest results are of branches whose names begin like this. */
  public boolean hasRecentResults(long repositoryId, String prefix) {
    Instant since = clock.instant().minus(RECENT);
    return database.query(h -> UploadStore.isRecent(h, repositoryId, prefix, since, MOST_RECENT));
  }

  /** Of these tests those that are known to be flaky, by their ids, each with the reason. */
  public Map<String, String> flaky(long repositoryId, List<String> testIds) {
    List<UUID> ids = testIds.stream().map(UUID::fromString).toList();
    return database.query(h -> TestStore.find(h, repositoryId, ids)).values().stream()
        .filter(TestRow::isFlaky)
        .collect(Collectors.toMap(row -> row.id().toString(), TestRow::reason));
  }

  /** A test by its id; empty where the repository has none of it. */
  public Optional<TestView> find(long repositoryId, UUID test) {
    Instant now = clock.instant();
    return database.query(
        h ->
            RepoViewStore.find(h, repositoryId)
                .flatMap(
                    view ->
                        TestStore.find(h, view.repositoryId(), test)
                            .map(row -> view(h, view, row, now))));
  }

  private TestView view(Handle handle, RepoView repository, TestRow row, Instant now) {
    Rates.Numbers numbers =
        NumbersStore.read(
                handle,
                repository.repositoryId(),
                List.of(row.id()),
                repository.unfoldedFrom(),
                now)
            .getOrDefault(row.id(), Rates.Numbers.NONE);
    return new TestView(
        row,
        row.isQuarantined(repository.switches(), now),
        numbers.week(),
        numbers.pullRequests(),
        row.ticket().map(ticket -> links.ticket(repository, ticket)));
  }

  /** The statuses of tests by their ids, of those that the repository has. */
  public Map<String, String> statuses(long repositoryId, List<String> testIds) {
    List<UUID> ids = testIds.stream().map(UUID::fromString).toList();
    return database.query(h -> TestStore.find(h, repositoryId, ids)).values().stream()
        .collect(
            Collectors.toMap(row -> row.id().toString(), row -> TestStore.label(row.status())));
  }

  public List<Route> routes() {
    return Stream.of(
            results.routes(),
            uploader.routes(),
            lists.routes(),
            tests.routes(),
            search.routes(),
            runs.routes(),
            summary.routes(),
            metrics.routes(),
            uploads.routes(),
            linked.routes(),
            monitors.routes(),
            settings.routes(),
            tickets.routes(),
            quarantine.routes())
        .flatMap(List::stream)
        .toList();
  }

  @Override
  public void close() {
    health.close();
    retention.close();
  }
}
