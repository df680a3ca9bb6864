package dev.mainstay.server;

import dev.mainstay.server.embedded.DataDirectory;
import dev.mainstay.server.embedded.EmbeddedPostgres;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.Migrations;
import dev.mainstay.server.platform.StartFailure;
import java.util.Optional;

/** The database as configured, with its tables up to date: the user's own, or the embedded one. */
public final class Storage implements AutoCloseable {
  private static final int COMMAND_CONNECTIONS = 2;

  private final Optional<EmbeddedPostgres> embedded;
  private final Database database;

  private Storage(Optional<EmbeddedPostgres> embedded, Database.Address address, int connections) {
    this.embedded = embedded;
    try {
      this.database = connected(address, connections);
    } catch (RuntimeException e) {
      embedded.ifPresent(EmbeddedPostgres::close);
      throw e;
    }
  }

  /** For a node: the embedded database must be its own. */
  static Storage ofNode(Config config, Runnable onCrash) {
    int connections = config.databaseConnections();
    if (config.externalDatabase().isPresent()) {
      return new Storage(Optional.empty(), config.externalDatabase().get(), connections);
    }
    var data = DataDirectory.at(config.dataDirectory());
    return EmbeddedPostgres.tryStart(data, onCrash)
        .map(postgres -> new Storage(Optional.of(postgres), postgres.address(), connections))
        .orElseThrow(
            () ->
                new StartFailure(
                    "The data directory %s is in use by another Mainstay: stop that one, or choose another with --data-dir."
                        .formatted(data)));
  }

  /** For a command: joins the database of a running node, or starts it for as long as needed. */
  public static Storage ofCommand(Config config) {
    if (config.externalDatabase().isPresent()) {
      return new Storage(Optional.empty(), config.externalDatabase().get(), COMMAND_CONNECTIONS);
    }
    var data = DataDirectory.at(config.dataDirectory());
    var own = EmbeddedPostgres.tryStart(data, () -> {});
    return new Storage(
        own,
        own.map(EmbeddedPostgres::address)
            .or(data::runningDatabase)
            .orElseThrow(
                () ->
                    new StartFailure(
                        "The Mainstay in %s is just starting or stopping: try again in a moment."
                            .formatted(data))),
        COMMAND_CONNECTIONS);
  }

  public Database database() {
    return database;
  }

  @Override
  public void close() {
    database.close();
    embedded.ifPresent(EmbeddedPostgres::close);
  }

  private static Database connected(Database.Address address, int connections) {
    Database database;
    try {
      database = Database.connect(address, connections);
    } catch (Database.Unavailable e) {
      throw new StartFailure(
          "The database at %s cannot be reached: %s".formatted(address, e.getMessage()), e);
    }
    try {
      database.migrate();
      return database;
    } catch (Migrations.NewerSchema e) {
      database.close();
      throw new StartFailure(
          "A newer Mainstay has written this database (its version is %s): run that one or a later one."
              .formatted(e.getMessage()),
          e);
    } catch (RuntimeException e) {
      database.close();
      throw e;
    }
  }
}
