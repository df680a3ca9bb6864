package dev.mainstay.server.embedded;

import dev.mainstay.server.platform.StartFailure;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files of the embedded database, and PostgreSQL's own programs that make and stop it. */
record PostgresCluster(DataDirectory data, Path home, PostgresUser user) {
  private static final Logger log = LoggerFactory.getLogger("postgres");
  private static final int STOP_SECONDS = 60;

  /** No more than a part of the socket's name. */
  private static final int PORT = 5432;

  Path files() {
    return data.cluster();
  }

  String program(String name) {
    return home.resolve("bin").resolve(name).toString();
  }

  /** Made aside and renamed, so that it is there whole or not at all, whenever we are killed. */
  void createIfMissing() throws IOException, InterruptedException {
    if (Files.exists(files())) {
      return;
    }
    log.info("making a database in {}", files());
    Path draft = data.resolve("database.new");
    DataDirectory.deleteRecursively(draft);
    Files.createDirectory(
        draft, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    user.give(draft);
    user.give(data.passwordFile());
    var initdb =
        run(
            List.of(
                program("initdb"),
                "--pgdata=" + draft,
                "--username=mainstay",
                "--pwfile=" + data.passwordFile(),
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                "--locale-provider=builtin",
                "--builtin-locale=C.UTF-8",
                "--locale=C",
                "--text-search-config=simple"));
    if (initdb.exitCode() != 0) {
      throw new StartFailure(
          "PostgreSQL could not make its database in %s: %s".formatted(draft, initdb.lastLine()));
    }
    Files.move(draft, files(), StandardCopyOption.ATOMIC_MOVE);
  }

  /** A PostgreSQL that outlived the process that started it. */
  void stopSurvivor() throws IOException, InterruptedException {
    var postmaster = PostmasterPid.read(files());
    if (postmaster.isPresent() && postmaster.get().isAlive(files())) {
      log.info("stopping the PostgreSQL that an earlier process left running");
      stop();
    } else {
      // PostgreSQL would refuse to start if another process has the number in these by now.
      Files.deleteIfExists(PostmasterPid.file(files()));
      Files.deleteIfExists(files().resolve(UnixSocketFactory.fileName(PORT) + ".lock"));
    }
  }

  /**
   * Disconnects everybody and stops; if that takes too long, as in a crash, which loses nothing.
   */
  void stop() throws IOException, InterruptedException {
    if (stop("fast").exitCode() != 0) {
      stop("immediate");
    }
  }

  private Finished stop(String mode) throws IOException, InterruptedException {
    return run(
        List.of(
            program("pg_ctl"),
            "stop",
            "--pgdata=" + files(),
            "--mode=" + mode,
            "--wait",
            "--timeout=" + STOP_SECONDS));
  }

  private record Finished(int exitCode, String output) {
    String lastLine() {
      return output.lines().reduce("no output", (a, b) -> b);
    }
  }

  private Finished run(List<String> command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(user.command(command))
            .directory(data.root().toFile())
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(2 * STOP_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException(command.getFirst() + " does not end");
    }
    return new Finished(process.exitValue(), output);
  }

  /** Starts the server process; its first words go to a file, later ones to rotated logs. */
  Process launch() throws IOException {
    Path logs = data.resolve("postgres-logs");
    if (!Files.exists(logs)) {
      Files.createDirectory(logs);
      user.give(logs);
    }
    var settings = new ArrayList<>(listening());
    settings.addAll(
        List.of(
            "jit=off",
            "logging_collector=on",
            "log_directory=" + logs,
            "log_filename=postgres-%a.log",
            "log_truncate_on_rotation=on"));
    var command = new ArrayList<>(List.of(program("postgres"), "-D", files().toString()));
    settings.forEach(setting -> command.addAll(List.of("-c", setting)));
    return new ProcessBuilder(user.command(command))
        .directory(data.root().toFile())
        .redirectErrorStream(true)
        .redirectOutput(Redirect.to(startOutput().toFile()))
        .start();
  }

  /**
   * At a socket among its own files, which only its user and root enter, where one can be there.
   */
  private List<String> listening() throws IOException {
    if (UnixSocketFactory.canListenIn(files())) {
      return List.of(
          "port=" + PORT,
          "listen_addresses=",
          "unix_socket_directories=\"%s\"".formatted(files().toString().replace("\"", "\"\"")),
          "unix_socket_permissions=0700");
    }
    log.warn(
        "PostgreSQL listens on a port of 127.0.0.1, where test commands see it: no socket can be in {} (its name is too long, or its file system has none)",
        files());
    return List.of("port=" + freePort(), "listen_addresses=127.0.0.1", "unix_socket_directories=");
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  Path startOutput() {
    return data.resolve("postgres-start.log");
  }
}
