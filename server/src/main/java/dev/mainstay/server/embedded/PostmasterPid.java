package dev.mainstay.server.embedded;

import dev.mainstay.server.platform.Leash;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The {@code postmaster.pid} of a running PostgreSQL: its process, its port, the directory of its
 * socket where it listens at one, and that it is ready.
 */
record PostmasterPid(long pid, int port, Optional<Path> socketDirectory, boolean ready) {
  private static final int PID_LINE = 0;
  private static final int PORT_LINE = 3;
  private static final int SOCKET_LINE = 4;
  private static final int STATUS_LINE = 7;

  static Path file(Path cluster) {
    return cluster.resolve("postmaster.pid");
  }

  /** Empty when there is no such file or it is being written. */
  static Optional<PostmasterPid> read(Path cluster) throws IOException {
    try {
      List<String> lines = Files.readAllLines(file(cluster));
      if (lines.size() <= SOCKET_LINE) {
        return Optional.empty();
      }
      boolean ready = lines.size() > STATUS_LINE && lines.get(STATUS_LINE).strip().equals("ready");
      return Optional.of(
          new PostmasterPid(
              Long.parseLong(lines.get(PID_LINE).strip()),
              Integer.parseInt(lines.get(PORT_LINE).strip()),
              Optional.of(lines.get(SOCKET_LINE)).filter(l -> !l.isBlank()).map(Path::of),
              ready));
    } catch (NoSuchFileException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  /**
   * True where the process is alive and really the PostgreSQL of these files, not a later namesake.
   */
  boolean isAlive(Path cluster) {
    if (!Leash.isThere()) {
      return ProcessHandle.of(pid)
          .flatMap(process -> process.info().arguments())
          .filter(words -> List.of(words).contains(cluster.toString()))
          .isPresent();
    }
    try {
      String commandLine = Files.readString(Path.of("/proc/" + pid + "/cmdline"));
      return List.of(commandLine.split("\0")).contains(cluster.toString());
    } catch (IOException e) {
      return false;
    }
  }
}
