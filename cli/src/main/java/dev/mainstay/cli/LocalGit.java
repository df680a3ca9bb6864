package dev.mainstay.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** What git says about a directory, in one line; nothing where there is no git or it fails. */
final class LocalGit {
  private LocalGit() {}

  static Optional<String> ask(Path directory, String... arguments) {
    var command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    try {
      var process =
          new ProcessBuilder(command)
              .directory(directory.toFile())
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
