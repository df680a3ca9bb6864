package dev.mainstay.server.embedded;

import static dev.mainstay.server.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.StartFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class EmbeddedPostgresTest {
  private static Path directory;
  private static DataDirectory data;

  /** The remains of a killed first start are there from the beginning. */
  @BeforeAll
  static void makeDatabase() throws IOException {
    directory = TestDatabase.openDirectory();
    data = DataDirectory.at(directory.resolve("data"));
    Files.createDirectories(data.resolve("database.new/base"));
    Files.writeString(data.resolve("database.new/PG_VERSION"), "18");
    Files.createDirectories(data.resolve("postgres.new/bin"));
    try (var postgres = start()) {
      execute(postgres, "CREATE TABLE kept AS SELECT 42 AS answer");
    }
  }

  @AfterAll
  static void deleteDirectory() {
    TestDatabase.delete(directory);
  }

  @Test
  void what_a_killed_first_start_left_behind_is_gone() {
    assertThat(data.resolve("database.new")).doesNotExist();
    assertThat(data.resolve("postgres.new")).doesNotExist();
    assertThat(data.resolve("database-password.new")).doesNotExist();
  }

  @Test
  void what_was_written_is_there_after_a_restart_and_a_second_one_is_refused() {
    try (var postgres = start()) {
      assertThat(data.runningDatabase()).contains(postgres.address());
      assertThat(EmbeddedPostgres.tryStart(data, () -> {})).isEmpty();
    }
    assertThat(data.runningDatabase()).isEmpty();
    try (var postgres = start()) {
      assertThat(answer(postgres)).isEqualTo(42);
    }
  }

  @Test
  void a_postgres_that_outlived_its_node_is_stopped_and_its_data_kept() throws Exception {
    Path home = PostgresBinaries.unpackInto(data);
    var cluster = new PostgresCluster(data, home, PostgresUser.forFiles(data.cluster()));
    Process survivor = cluster.launch();
    until(
        () -> PostmasterPid.read(data.cluster()).map(PostmasterPid::ready).orElse(false),
        ready -> ready || !survivor.isAlive());
    assertThat(survivor.isAlive()).isTrue();
    try (var postgres = start()) {
      assertThat(survivor.waitFor()).isZero();
      assertThat(answer(postgres)).isEqualTo(42);
    }
  }

  @Test
  void a_process_that_has_the_number_of_a_dead_postgres_does_not_hinder() throws IOException {
    var user = PostgresUser.forFiles(data.cluster());
    Process namesake = new ProcessBuilder(user.command(List.of("sleep", "600"))).start();
    String left = "%s\n%s\n1\n5432\n%2$s\n\n\nready\n".formatted(namesake.pid(), data.cluster());
    Files.writeString(data.cluster().resolve("postmaster.pid"), left);
    Files.writeString(data.cluster().resolve(".s.PGSQL.5432.lock"), left);
    assertThat(data.runningDatabase()).isEmpty();
    try (var postgres = start()) {
      execute(postgres, "SELECT 1");
    } finally {
      namesake.destroy();
    }
  }

  @Test
  void nobody_else_comes_near_and_a_name_too_long_for_a_socket_gets_a_port() throws Exception {
    try (var postgres = start()) {
      assertThat(Files.getPosixFilePermissions(data.cluster()))
          .isEqualTo(PosixFilePermissions.fromString("rwx------"));
      assertThat(postgres.address().jdbcUrl()).contains("PGSQL");
      assertThat(listeningAt(data)).isBlank();
    }
    Path deep = directory.resolve("a-long-name".repeat(10));
    var copy = new ProcessBuilder("cp", "-a", "" + data.root(), "" + deep).inheritIO().start();
    assertThat(copy.waitFor()).isZero();
    var elsewhere = DataDirectory.at(deep);
    try (var postgres = EmbeddedPostgres.tryStart(elsewhere, () -> {}).orElseThrow()) {
      assertThat(answer(postgres)).isEqualTo(42);
      assertThat(listeningAt(elsewhere)).isEqualTo("127.0.0.1");
      assertThat(elsewhere.runningDatabase()).contains(postgres.address());
    }
  }

  private static String listeningAt(DataDirectory data) throws IOException {
    return Files.readAllLines(PostmasterPid.file(data.cluster())).get(5);
  }

  @Test
  void the_end_of_postgres_is_told() throws Exception {
    var crashed = new CompletableFuture<Boolean>();
    try (var postgres = start(() -> crashed.complete(true))) {
      long pid = PostmasterPid.read(data.cluster()).orElseThrow().pid();
      ProcessHandle.of(pid).orElseThrow().destroyForcibly();
      assertThat(crashed.get()).isTrue();
      assertThat(postgres.address()).isNotNull();
    }
  }

  @Test
  void a_database_of_another_postgres_is_refused_with_the_way_out() throws IOException {
    Path version = data.cluster().resolve("PG_VERSION");
    String ours = Files.readString(version);
    try {
      Files.writeString(version, "99\n");
      assertThatThrownBy(EmbeddedPostgresTest::start)
          .isInstanceOf(StartFailure.class)
          .hasMessageContaining("made by PostgreSQL 99")
          .hasMessageContaining("run the Mainstay that made it, or a later one");
      Files.writeString(version, "17\n");
      String place = data.root().toString();
      String way =
          "Take it over: `mainstay backup --data-dir %1$s %1$s.backup`%2$s, `mv %1$s %1$s.old`, `mainstay restore --data-dir %1$s %1$s.backup`; then start again.";
      String by =
          " (by the Mainstay that made it, since the programs of PostgreSQL 17 are not in %s)"
              .formatted(place);
      assertThatThrownBy(EmbeddedPostgresTest::start)
          .hasMessageContaining("made by PostgreSQL 17")
          .hasMessageContaining(way.formatted(place, by));
      assertThatThrownBy(() -> EmbeddedPostgres.tryStartAsItIs(data))
          .hasMessageContaining(way.formatted(place, by));
      Path programs = Files.createDirectory(data.resolve("postgres-17.10.0"));
      assertThatThrownBy(EmbeddedPostgresTest::start)
          .hasMessageContaining(way.formatted(place, ""));
      assertThat(PostgresBinaries.forDatabaseIn(data)).isEqualTo(programs);
      Files.delete(programs);
    } finally {
      Files.writeString(version, ours);
    }
    assertThat(PostgresBinaries.forDatabaseIn(data, "19"))
        .as("what a Mainstay with PostgreSQL 19 runs it by")
        .isEqualTo(PostgresBinaries.unpackInto(data));
    try (var postgres = EmbeddedPostgres.tryStartAsItIs(data).orElseThrow()) {
      assertThat(answer(postgres)).isEqualTo(42);
    }
  }

  @Test
  void a_directory_that_cannot_be_made_is_told_in_one_sentence() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    assertThatThrownBy(() -> DataDirectory.at(file.resolve("data")))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("cannot be written")
        .hasMessageContaining("--data-dir");
  }

  @Test
  void the_password_is_for_its_owner_only() throws IOException {
    assertThat(Files.getPosixFilePermissions(data.passwordFile()))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  private static EmbeddedPostgres start() {
    return start(() -> {});
  }

  private static EmbeddedPostgres start(Runnable onCrash) {
    return EmbeddedPostgres.tryStart(data, onCrash).orElseThrow();
  }

  private static void execute(EmbeddedPostgres postgres, String sql) {
    try (var database = Database.connect(postgres.address(), 1)) {
      database.query(handle -> handle.execute(sql));
    }
  }

  private static int answer(EmbeddedPostgres postgres) {
    try (var database = Database.connect(postgres.address(), 1)) {
      return database.query(
          handle -> handle.select("SELECT answer FROM kept").mapTo(Integer.class).one());
    }
  }
}
