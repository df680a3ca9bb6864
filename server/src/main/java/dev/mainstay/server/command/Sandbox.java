package dev.mainstay.server.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * What bubblewrap shows to a test command: the machine's files, not to be written but for the usual
 * places; in place of the closed directory an empty one with the command's own files in it; and no
 * process but its own, all of which end with the sandbox. The network stays as it is, since the
 * node's API is reached by it.
 */
record Sandbox(Path closed) {
  private static final int SECONDS_TO_TRY = 20;
  private static final List<Path> WRITABLE = List.of(Path.of("/tmp"), Path.of("/var/tmp"));
  private static final Path SESSIONS = Path.of("/run/user");

  /** The command line that runs another one in the sandbox. */
  List<String> around(List<String> command, Path own, List<Path> readable, boolean changesUser) {
    var whole = new ArrayList<String>(List.of("bwrap", "--die-with-parent", "--unshare-pid"));
    whole.addAll(List.of("--unshare-ipc", "--ro-bind", "/", "/", "--dev", "/dev"));
    whole.addAll(List.of("--proc", "/proc"));
    for (Path place : WRITABLE) {
      if (Files.isDirectory(place)) {
        whole.addAll(List.of("--bind", place.toString(), place.toString()));
      }
    }
    if (Files.isDirectory(SESSIONS)) {
      // Services of the user's own session would run whatever they are asked to.
      whole.addAll(List.of("--tmpfs", SESSIONS.toString()));
    }
    whole.addAll(List.of("--tmpfs", closed.toString()));
    for (int depth = closed.getNameCount() + 1; depth < own.getNameCount(); depth++) {
      // The way to the command's own files, which would else be as closed as these are.
      whole.addAll(List.of("--dir", own.getRoot().resolve(own.subpath(0, depth)).toString()));
    }
    whole.addAll(List.of("--bind", own.toString(), own.toString()));
    var shown = new ArrayList<>(readable);
    shown.add(OpenProgram.place(closed));
    for (Path place : shown) {
      whole.addAll(List.of("--ro-bind-try", place.toString(), place.toString()));
    }
    whole.addAll(List.of("--remount-ro", closed.toString()));
    if (changesUser) {
      whole.addAll(List.of("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"));
    }
    whole.add("--");
    whole.addAll(command);
    return whole;
  }

  /** Why it does not work here, found out by trying; empty where it does. */
  Optional<String> fault(List<String> command, Path own, boolean changesUser) {
    try {
      Process tried =
          new ProcessBuilder(around(command, own, List.of(), changesUser))
              .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
              .redirectErrorStream(true)
              .start();
      if (!tried.waitFor(SECONDS_TO_TRY, TimeUnit.SECONDS)) {
        tried.destroyForcibly();
        return Optional.of("it did not end within %d seconds".formatted(SECONDS_TO_TRY));
      }
      String words = new String(tried.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return tried.exitValue() == 0
          ? Optional.empty()
          : Optional.of(words.lines().reduce("it ended with " + tried.exitValue(), (a, b) -> b));
    } catch (IOException e) {
      return Optional.of("bwrap is not installed, or does not start");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.of("interrupted");
    }
  }
}
