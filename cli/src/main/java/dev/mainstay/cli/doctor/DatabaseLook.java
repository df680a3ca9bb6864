package dev.mainstay.cli.doctor;

import dev.mainstay.server.Config;
import dev.mainstay.server.forge.Finding;
import dev.mainstay.server.platform.BuildInfo;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.Migrations;
import dev.mainstay.server.platform.ServerStore;
import java.util.ArrayList;
import java.util.List;

/** PostgreSQL: its version, its tables, the settings on which promises stand, and room for us. */
final class DatabaseLook {
  /** Commands, backups and a node's own session come on top of the pool. */
  private static final int BESIDE_POOL = 4;

  private DatabaseLook() {}

  static List<Finding> findings(Config config, Database database) {
    ServerStore.Server server = database.query(ServerStore::server);
    var findings = new ArrayList<Finding>();
    findings.add(version(database, server));
    findings.add(tables(database.schema()));
    settings(server, findings);
    findings.add(connections(config, server));
    return findings;
  }

  private static Finding version(Database database, ServerStore.Server server) {
    String sentence =
        "PostgreSQL %d.%d answers at %s."
            .formatted(server.major(), server.version() % 10_000, database.address());
    String tested = BuildInfo.postgresVersion().split("\\.", 2)[0];
    if (server.follows()) {
      return Finding.missing(
          sentence + " It only follows another server.",
          "Give --database-url the server that takes changes.");
    }
    return tested.equals("" + server.major())
        ? Finding.good(sentence)
        : Finding.advice(
            sentence,
            "Mainstay is tested on PostgreSQL %s; how an embedded one is taken over, `mainstay serve` says."
                .formatted(tested));
  }

  private static Finding tables(int schema) {
    int newest = Migrations.newest();
    String sentence = "Its tables are of version %d.".formatted(schema);
    if (schema > newest) {
      return Finding.missing(
          sentence,
          "This Mainstay knows %d and does not start on it: run the newer one.".formatted(newest));
    }
    return schema < newest
        ? Finding.advice(
            sentence,
            "The next start of this Mainstay's `serve` brings them to %d: make a backup first (`mainstay backup FILE`)."
                .formatted(newest))
        : Finding.good(sentence);
  }

  private static void settings(ServerStore.Server server, List<Finding> findings) {
    List<Finding> faults = new ArrayList<>();
    for (String setting : List.of("fsync", "full_page_writes")) {
      if (!server.isOn(setting)) {
        faults.add(
            Finding.missing(
                "%s is off: a crash of the machine may destroy the database.".formatted(setting),
                "`ALTER SYSTEM SET %s = on`, then `SELECT pg_reload_conf()`.".formatted(setting)));
      }
    }
    if (!server.isOn("synchronous_commit")) {
      faults.add(
          Finding.missing(
              "synchronous_commit is off: a crash loses what was answered last.",
              "`ALTER SYSTEM SET synchronous_commit = on`, then `SELECT pg_reload_conf()`."));
    }
    if (!server.isOn("data_checksums")) {
      faults.add(
          Finding.advice(
              "It has no checksums: a disk that returns something else than was written goes unnoticed.",
              "Stop it and run pg_checksums --enable, or restore a backup into one that has them."));
    }
    if (!server.settings().getOrDefault("server_encoding", "UTF8").equals("UTF8")) {
      faults.add(
          Finding.missing(
              "Its encoding is %s.".formatted(server.settings().get("server_encoding")),
              "Make a database with ENCODING 'UTF8' and restore a backup into it."));
    }
    findings.addAll(
        faults.isEmpty()
            ? List.of(
                Finding.good(
                    "It keeps what it has answered: fsync, full_page_writes, synchronous_commit and checksums are on."))
            : faults);
  }

  private static Finding connections(Config config, ServerStore.Server server) {
    String sentence = "%d more clients may connect to it.".formatted(Math.max(0, server.free()));
    return server.free() < BESIDE_POOL
        ? Finding.missing(
            sentence,
            "Raise max_connections, or lower --database-connections (%d a node), or close what else is connected."
                .formatted(config.databaseConnections()))
        : Finding.good(sentence);
  }
}
