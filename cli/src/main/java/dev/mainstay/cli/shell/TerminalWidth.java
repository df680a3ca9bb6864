package dev.mainstay.cli.shell;

import java.io.File;
import java.io.IOException;
import java.util.Optional;

/** How many columns a terminal has: as its user says ({@code COLUMNS}), or as it says itself. */
final class TerminalWidth {
  private static final int USUAL = 80;

  private TerminalWidth() {}

  static int of(Optional<String> columns) {
    return columns
        .filter(text -> text.matches("[1-9]\\d{0,3}"))
        .map(Integer::parseInt)
        .orElseGet(TerminalWidth::asked);
  }

  private static int asked() {
    try {
      var process =
          new ProcessBuilder("stty", "size")
              .redirectInput(new File("/dev/tty"))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String line = process.inputReader().readLine();
      return line != null && line.matches("\\d+ [1-9]\\d{0,3}")
          ? Integer.parseInt(line.replaceFirst(".* ", ""))
          : USUAL;
    } catch (IOException e) {
      return USUAL;
    }
  }
}
