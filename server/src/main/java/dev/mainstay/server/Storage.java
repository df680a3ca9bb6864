package dev.mainstay.server;

import dev.mainstay.server.backup.Restore;
import dev.mainstay.server.embedded.DataDirectory;
import dev.mainstay.server.embedded.EmbeddedPostgres;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.Migrations;
import dev.mainstay.server.platform.StartFailure;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** The database as configured, with its tables up to date: the user's own, or the embedded one. */
public final class Storage implements AutoCloseable {
  private static final int COMMAND_CONNECTIONS = 2;

  private final Optional<EmbeddedPostgres> embedded;
  private final Database database;

  private Storage(Optional<EmbeddedPostgres> embedded, Database database) {
    this.embedded = embedded;
    this.database = database;
  }

  private static Storage of(Optional<EmbeddedPostgres> embedded, Supplier<Database> database) {
    try {
      return new Storage(embedded, database.get());
    } catch (RuntimeException e) {
      embedded.ifPresent(EmbeddedPostgres::close);
      throw e;
    }
  }

  /** For a node: the embedded database must be its own. It is made where there is none. */
  static Storage ofNode(Config config, Runnable onCrash) {
    int connections = config.databaseConnections();
    if (config.externalDatabase().isPresent()) {
      var address = config.externalDatabase().get();
      return of(Optional.empty(), () -> ofNode(address, connections));
    }
    var data = DataDirectory.at(config.dataDirectory());
    return EmbeddedPostgres.tryStart(data, onCrash)
        .map(postgres -> of(Optional.of(postgres), () -> ofNode(postgres.address(), connections)))
        .orElseThrow(
            () ->
                new StartFailure(
                    "The data directory %s is in use by another Mainstay: stop that one, or choose another with --data-dir."
                        .formatted(data)));
  }

  /**
   * For a command: joins the database of a running node, or starts it for as long as needed. It
   * makes none: one that is not there is most likely elsewhere.
   */
  public static Storage ofCommand(Config config) {
    return there(config, data -> EmbeddedPostgres.tryStart(data, () -> {}), Storage::upToDate);
  }

  /** The same, for a command that looks at what is there, of whatever version that is. */
  public static Storage asItIs(Config config) {
    return there(config, EmbeddedPostgres::tryStartAsItIs, database -> database);
  }

  private static Storage there(
      Config config,
      Function<DataDirectory, Optional<EmbeddedPostgres>> start,
      UnaryOperator<Database> prepared) {
    if (config.externalDatabase().isPresent()) {
      var address = config.externalDatabase().get();
      return of(Optional.empty(), () -> prepared.apply(known(address, "" + address)));
    }
    Path place = config.dataDirectory().toAbsolutePath().normalize();
    var data = DataDirectory.existing(place).orElseThrow(() -> nothingAt(place.toString()));
    var own = start.apply(data);
    return of(
        own,
        () ->
            prepared.apply(
                known(
                    own.map(EmbeddedPostgres::address)
                        .or(data::runningDatabase)
                        .orElseThrow(
                            () ->
                                new StartFailure(
                                    "The Mainstay in %s is just starting or stopping: try again in a moment."
                                        .formatted(data))),
                    place.toString())));
  }

  /**
   * For a restore: a database without tables. The embedded one is made where there is none; a data
   * directory in which there is anything else is refused.
   */
  public static Storage ofRestore(Config config) {
    if (config.externalDatabase().isPresent()) {
      var address = config.externalDatabase().get();
      return of(Optional.empty(), () -> empty(address, "" + address, "--database-url"));
    }
    Path place = config.dataDirectory().toAbsolutePath().normalize();
    if (!DataDirectory.isFree(place)) {
      throw notEmpty(place.toString(), "--data-dir");
    }
    var own =
        EmbeddedPostgres.tryStart(DataDirectory.at(place), () -> {})
            .orElseThrow(() -> notEmpty(place.toString(), "--data-dir"));
    return of(Optional.of(own), () -> empty(own.address(), place.toString(), "--data-dir"));
  }

  private static Database empty(Database.Address address, String place, String option) {
    Database database = connected(address, COMMAND_CONNECTIONS);
    if (!Restore.isEmpty(database)) {
      database.close();
      throw notEmpty(place, option);
    }
    return database;
  }

  private static StartFailure notEmpty(String place, String option) {
    return new StartFailure(
        "%s is not empty, and a backup is restored into an empty place only: name another with %s."
            .formatted(place, option));
  }

  private static Database known(Database.Address address, String place) {
    Database database = connected(address, COMMAND_CONNECTIONS);
    if (!database.hasTables()) {
      database.close();
      throw nothingAt(place);
    }
    return database;
  }

  private static StartFailure nothingAt(String place) {
    return new StartFailure(
        "There is no Mainstay at %s. If it is elsewhere, say where: --data-dir (MAINSTAY_DATA_DIR), or --database-url (MAINSTAY_DATABASE_URL) for a PostgreSQL of yours. If there is none yet, `mainstay serve` makes it."
            .formatted(place));
  }

  public Database database() {
    return database;
  }

  /** The database's time, for as long as a command takes. */
  public Clock clock() {
    return Clock.offset(Clock.systemUTC(), Duration.between(Instant.now(), database.time()));
  }

  @Override
  public void close() {
    database.close();
    embedded.ifPresent(EmbeddedPostgres::close);
  }

  /** Tables are brought up to date without a limit of time, which all else has. */
  private static Database ofNode(Database.Address address, int connections) {
    upToDate(connected(address, 1)).close();
    return reached(address, () -> Database.connectWithLimit(address, connections));
  }

  private static Database connected(Database.Address address, int connections) {
    return reached(address, () -> Database.connect(address, connections));
  }

  private static Database reached(Database.Address address, Supplier<Database> connect) {
    try {
      return connect.get();
    } catch (Database.Unavailable e) {
      throw new StartFailure(
          "The database at %s cannot be reached: %s".formatted(address, e.getMessage()), e);
    }
  }

  private static Database upToDate(Database database) {
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
