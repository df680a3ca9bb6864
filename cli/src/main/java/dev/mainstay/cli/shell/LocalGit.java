package dev.mainstay.cli.shell;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The git of the caller's machine, asked for one line about a directory. */
public final class LocalGit {
  private LocalGit() {}

  /** The first line of the answer; nothing where there is no git or it fails. */
  public static Optional<String> ask(Shell shell, Path directory, String... arguments) {
    var command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    try {
      var process =
          shell
              .program(command)
              .directory(directory.toAbsolutePath().toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      process.getOutputStream().close();
      String line = process.inputReader().readLine();
      boolean ended = process.waitFor(10, TimeUnit.SECONDS);
      return ended && process.exitValue() == 0 ? Optional.ofNullable(line) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}
