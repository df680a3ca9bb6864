package dev.mainstay.server.health;

import dev.mainstay.server.health.ingest.Ingestion;
import dev.mainstay.server.health.ingest.ResultsApi;
import dev.mainstay.server.health.ingest.SideFiles;
import dev.mainstay.server.health.ingest.UploaderApi;
import dev.mainstay.server.health.judge.HealthWorker;
import dev.mainstay.server.health.judge.Judging;
import dev.mainstay.server.health.judge.MonitorsApi;
import dev.mainstay.server.health.list.TestListsApi;
import dev.mainstay.server.health.list.TestsApi;
import dev.mainstay.server.health.result.PartitionStore;
import dev.mainstay.server.health.test.Links;
import dev.mainstay.server.health.test.TestSettingsApi;
import dev.mainstay.server.health.test.TestSettingsStore;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.http.Route;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The wiring of test health: its routes and its workers. */
public final class TestHealth implements AutoCloseable {
  private final Database database;
  private final ResultsApi results;
  private final UploaderApi uploader;
  private final TestListsApi lists;
  private final TestsApi tests;
  private final MonitorsApi monitors;
  private final TestSettingsApi settings;
  private final HealthWorker health;
  private final RetentionWorker retention;

  public TestHealth(Database database, Clock clock, URI publicUrl) {
    this.database = database;
    var partitions = new PartitionStore(database);
    retention = new RetentionWorker(database, clock, partitions);
    health = new HealthWorker(new Judging(database, clock));
    var ingestion = new Ingestion(database, clock, partitions, health::wake);
    results = new ResultsApi(ingestion);
    uploader = new UploaderApi(database, clock, publicUrl, ingestion);
    var links = new Links(publicUrl);
    lists = new TestListsApi(database, clock, links);
    tests = new TestsApi(database, clock, links);
    monitors = new MonitorsApi(database, clock, health::wake);
    settings = new TestSettingsApi(database, clock);
    retention.start();
    health.start();
  }

  /** Takes the CODEOWNERS file that a connected repository has now, or that it has none. */
  public void ownersOfRepository(long repositoryId, Optional<byte[]> file) {
    Optional<String> text = file.flatMap(SideFiles::codeOwners);
    database.useTransaction(
        handle -> TestSettingsStore.keepOwnersOfRepository(handle, repositoryId, text));
  }

  public List<Route> routes() {
    return Stream.of(
            results.routes(),
            uploader.routes(),
            lists.routes(),
            tests.routes(),
            monitors.routes(),
            settings.routes())
        .flatMap(List::stream)
        .toList();
  }

  @Override
  public void close() {
    health.close();
    retention.close();
  }
}
