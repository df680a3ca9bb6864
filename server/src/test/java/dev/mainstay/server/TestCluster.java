package dev.mainstay.server;

import dev.mainstay.server.cluster.Distribution;
import dev.mainstay.server.platform.Database;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The cluster that {@code MAINSTAY_TEST_DATABASE_URL} names by its coordinator: a database there
 * with the extension citus, which knows the workers. Tests get databases of their own on all of
 * them. Without workers it is any PostgreSQL.
 */
final class TestCluster {
  private static final int SHARDS = 4;
  private static final String PREFIX =
      "mainstay_%s_".formatted(Long.toString(ProcessHandle.current().pid(), 36));

  private final URI coordinator;
  private final List<URI> workers;

  private TestCluster(URI coordinator) {
    this.coordinator = coordinator;
    try (var database = connect(coordinator)) {
      workers =
          database.query(
              handle ->
                  handle
                      .select("SELECT 1 FROM pg_extension WHERE extname = 'citus'")
                      .mapTo(Integer.class)
                      .findOne()
                      .map(
                          yes ->
                              handle
                                  .select(
                                      "SELECT nodename, nodeport FROM pg_dist_node WHERE shouldhaveshards")
                                  .map((row, context) -> at(row.getString(1), row.getInt(2)))
                                  .list())
                      .orElse(List.of()));
    }
  }

  /** Empty where tests have a PostgreSQL of their own. */
  static Optional<TestCluster> named() {
    return Optional.ofNullable(System.getenv("MAINSTAY_TEST_DATABASE_URL"))
        .filter(url -> !url.isBlank())
        .map(url -> new TestCluster(URI.create(url)));
  }

  /** False where there is one server only. */
  boolean isSpread() {
    return !workers.isEmpty();
  }

  private URI at(String host, int port) {
    return URI.create(
        "postgresql://%s@%s:%d%s"
            .formatted(coordinator.getUserInfo(), host, port, coordinator.getPath()));
  }

  /** An empty database, on the coordinator alone. */
  Database.Address empty(String name) {
    execute(coordinator, "CREATE DATABASE " + PREFIX + name);
    return address(coordinator, PREFIX + name);
  }

  /** A database with all tables, spread over the workers. */
  Database.Address distributed(String name) {
    Database.Address address = together(name);
    try (var database = Database.connect(address, 1)) {
      database.migrate();
      if (!workers.isEmpty()) {
        Distribution.distribute(database, SHARDS, (table, number, tables) -> {});
      }
    }
    return address;
  }

  /** An empty database on all servers, where the coordinator's knows the others. */
  Database.Address together(String name) {
    servers().forEach(server -> execute(server, "CREATE DATABASE " + PREFIX + name));
    Database.Address address = address(coordinator, PREFIX + name);
    if (!workers.isEmpty()) {
      for (URI server : servers().toList()) {
        try (var database = Database.connect(address(server, PREFIX + name), 1)) {
          database.query(handle -> handle.execute("CREATE EXTENSION citus"));
        }
      }
    }
    try (var database = Database.connect(address, 1)) {
      if (!workers.isEmpty()) {
        database.query(
            handle ->
                handle.execute(
                    "SELECT citus_set_coordinator_host(?, ?)",
                    coordinator.getHost(),
                    coordinator.getPort()));
      }
      for (URI worker : workers) {
        database.query(
            handle ->
                handle.execute("SELECT citus_add_node(?, ?)", worker.getHost(), worker.getPort()));
      }
    }
    return address;
  }

  /** Keeps everybody, the extension's own workers too, out of a database that is copied. */
  void close(String name) {
    for (URI server : servers().toList()) {
      execute(server, "ALTER DATABASE %s%s ALLOW_CONNECTIONS false".formatted(PREFIX, name));
      execute(
          server,
          "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '%s%s'"
              .formatted(PREFIX, name));
    }
  }

  /** A copy of a database on all servers. */
  Database.Address copy(String template, String name) {
    servers()
        .forEach(
            server ->
                execute(
                    server,
                    "CREATE DATABASE %1$s%3$s TEMPLATE %1$s%2$s"
                        .formatted(PREFIX, template, name)));
    return address(coordinator, PREFIX + name);
  }

  private Stream<URI> servers() {
    return Stream.concat(Stream.of(coordinator), workers.stream());
  }

  /** Deletes every database that this process has made. */
  void clear() {
    servers().parallel().forEach(TestCluster::clear);
  }

  private static void clear(URI server) {
    try (var database = connect(server)) {
      List<String> made =
          database.query(
              handle ->
                  handle
                      .select(
                          "SELECT datname FROM pg_database WHERE starts_with(datname, ?)", PREFIX)
                      .mapTo(String.class)
                      .list());
      made.forEach(
          name -> database.query(h -> h.execute("DROP DATABASE " + name + " WITH (FORCE)")));
    }
  }

  private static void execute(URI server, String statement) {
    try (var database = connect(server)) {
      database.query(handle -> handle.execute(statement));
    }
  }

  private static Database connect(URI server) {
    return Database.connect(address(server, server.getPath().substring(1)), 1);
  }

  private static Database.Address address(URI server, String name) {
    String[] user = Objects.requireNonNull(server.getUserInfo()).split(":", 2);
    return new Database.Address(
        "jdbc:postgresql://%s:%d/%s?sslmode=prefer"
            .formatted(server.getHost(), server.getPort(), name),
        user[0],
        user.length > 1 ? user[1] : "");
  }
}
