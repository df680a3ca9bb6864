package dev.mainstay.server.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.OpenDirectories;
import dev.mainstay.server.Waiting;
import dev.mainstay.server.platform.Database;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Two real servers of PostgreSQL, of which one follows the other: what is committed is on both. The
 * first can be killed or held, and the second made the first.
 */
public final class ReplicatedPostgres implements AutoCloseable {
  private static final String STANDBY = "standby";

  /** The files of a server that was stopped in order are all that a copy needs; made once. */
  private static final class Original {
    static final DataDirectory DATA = stopped();
    static final Path HOME = programs();
  }

  private final DataDirectory data;
  private final Path home;
  private final PostgresUser user;
  private final int primaryPort = freePort();
  private final int standbyPort = freePort();
  private final Process primary;
  private final Process standby;

  /** Both run, and follow each other, when this returns. */
  public ReplicatedPostgres() throws IOException, InterruptedException {
    data = DataDirectory.at(OpenDirectories.create());
    home = Original.HOME;
    String original = Original.DATA.cluster().toString();
    run(List.of("cp", "-a", original, data.cluster().toString()));
    user = PostgresUser.forFiles(data.cluster());
    Path copy = data.resolve(STANDBY);
    run(List.of("cp", "-a", original, copy.toString()));
    Files.createFile(copy.resolve("standby.signal"));
    user.give(copy.resolve("standby.signal"));
    primary = launch(data.cluster(), primaryPort, "synchronous_standby_names=*");
    String following =
        "primary_conninfo=host=127.0.0.1 port=%d user=mainstay password=%s"
            .formatted(primaryPort, password());
    standby = launch(copy, standbyPort, following);
    Waiting.until(() -> following(), yes -> yes);
  }

  private static DataDirectory stopped() {
    var made = DataDirectory.at(OpenDirectories.create());
    EmbeddedPostgres.tryStart(made, () -> {}).orElseThrow().close();
    return made;
  }

  private static Path programs() {
    try {
      return PostgresBinaries.unpackInto(Original.DATA);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Process launch(Path files, int port, String setting) throws IOException {
    var command = new ArrayList<>(List.of(home.resolve("bin/postgres").toString()));
    command.addAll(List.of("-D", files.toString()));
    for (String one :
        List.of(
            "port=" + port, "listen_addresses=127.0.0.1", "unix_socket_directories=", setting)) {
      command.addAll(List.of("-c", one));
    }
    return new ProcessBuilder(user.command(command))
        .directory(data.root().toFile())
        .redirectErrorStream(true)
        .redirectOutput(data.resolve(files.getFileName() + ".log").toFile())
        .start();
  }

  private boolean following() throws IOException {
    assertThat(primary.isAlive() && standby.isAlive()).as(logs()).isTrue();
    try (var database = Database.connect(at(primaryPort), 1)) {
      return database.query(
          handle ->
              handle
                      .select("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'")
                      .mapTo(Integer.class)
                      .one()
                  == 1);
    } catch (Database.Unavailable e) {
      return false;
    }
  }

  private String logs() throws IOException {
    return Files.readString(data.resolve("database.log"))
        + Files.readString(data.resolve(STANDBY + ".log"));
  }

  /** The address of whichever of the two takes changes. */
  public Database.Address address() throws IOException {
    return new Database.Address(
        "jdbc:postgresql://127.0.0.1:%d,127.0.0.1:%d/postgres".formatted(primaryPort, standbyPort),
        "mainstay",
        password());
  }

  private Database.Address at(int port) throws IOException {
    return new Database.Address(
        "jdbc:postgresql://127.0.0.1:%d/postgres".formatted(port), "mainstay", password());
  }

  private String password() throws IOException {
    return Files.readString(Original.DATA.passwordFile());
  }

  /** kill -9, for all processes of the first server. */
  public void killPrimary() {
    Stream.concat(Stream.of(primary.toHandle()), primary.descendants())
        .toList()
        .forEach(ProcessHandle::destroyForcibly);
    primary.onExit().join();
  }

  /** The first server falls silent: its connections stand, and nobody answers. */
  public void holdPrimary() throws IOException, InterruptedException {
    for (ProcessHandle one :
        Stream.concat(Stream.of(primary.toHandle()), primary.descendants()).toList()) {
      run(List.of("kill", "-STOP", "" + one.pid()));
    }
  }

  /** Makes the second server the first. */
  public void promote() throws IOException {
    try (var database = Database.connect(at(standbyPort), 1)) {
      assertThat(
              database.<Boolean>query(
                  handle -> handle.select("SELECT pg_promote()").mapTo(Boolean.class).one()))
          .isTrue();
    }
  }

  private static void run(List<String> command) throws IOException, InterruptedException {
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
  }

  private static int freePort() {
    try (var one = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return one.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Nothing of them is kept. */
  @Override
  public void close() {
    for (Process process : List.of(standby, primary)) {
      Stream.concat(Stream.of(process.toHandle()), process.descendants())
          .toList()
          .forEach(ProcessHandle::destroyForcibly);
      process.onExit().join();
    }
  }
}
