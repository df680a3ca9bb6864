package dev.mainstay.cli.shell;

import java.io.Console;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The shell that a command is called from: its variables, its working directory, its standard
 * streams, and whether it is a terminal. Commands know these from here alone.
 */
public record Shell(
    Map<String, String> environment,
    Path directory,
    InputStream in,
    PrintWriter out,
    PrintWriter err,
    boolean isTerminal) {
  private static final Path HERE = Path.of("");

  /** The shell that started this process. */
  public static Shell ofProcess() {
    return new Shell(
        System.getenv(),
        HERE,
        System.in,
        writer(System.out),
        writer(System.err),
        Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent());
  }

  public Optional<String> variable(String name) {
    return Optional.ofNullable(environment.get(name));
  }

  /** How many columns there are; any number where nobody looks at a terminal. */
  public OptionalInt width() {
    return isTerminal ? OptionalInt.of(TerminalWidth.of(variable("COLUMNS"))) : OptionalInt.empty();
  }

  /** A path as the caller means it. */
  public Path resolve(Path path) {
    return directory.resolve(path);
  }

  /** A program to be started here: in this directory, with these variables. */
  public ProcessBuilder program(List<String> command) {
    var program = new ProcessBuilder(command);
    if (!directory.equals(HERE)) {
      program.directory(directory.toFile());
    }
    // The process's own variables are inherited byte for byte, also where they are no text.
    if (!environment.equals(System.getenv())) {
      program.environment().clear();
      program.environment().putAll(environment);
    }
    return program;
  }

  private static PrintWriter writer(OutputStream out) {
    return new PrintWriter(new OutputStreamWriter(out, Charset.defaultCharset()), true);
  }
}
