package dev.mainstay.server.health;

import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.Route;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import java.util.stream.Stream;

/** The room's own wiring: its routes and its worker. */
public final class TestHealth implements AutoCloseable {
  private final ResultsApi results;
  private final UploaderApi uploader;
  private final RetentionWorker retention;

  public TestHealth(Database database, Clock clock, URI publicUrl) {
    var partitions = new PartitionStore(database);
    retention = new RetentionWorker(database, clock, partitions);
    var ingestion = new Ingestion(database, clock, partitions);
    results = new ResultsApi(ingestion);
    uploader = new UploaderApi(database, clock, publicUrl, ingestion);
    retention.start();
  }

  public List<Route> routes() {
    return Stream.of(results.routes(), uploader.routes()).flatMap(List::stream).toList();
  }

  @Override
  public void close() {
    retention.close();
  }
}
