package dev.mainstay.server.queue.work;

import dev.mainstay.server.command.TestCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The output of a running command on its way into the database. The longer it is, the less often it
 * is written, so that a command that prints without end costs no more than others.
 */
final class LiveOutput {
  private static final int CHARACTERS_PER_SECOND = 16 << 10;

  private final TestCommand.Running command;
  private String written = "";
  private Instant next = Instant.MIN;

  LiveOutput(TestCommand.Running command) {
    this.command = command;
  }

  /** The output, where it has changed and it is time to write it. */
  synchronized Optional<String> news(Instant now) {
    return now.isBefore(next)
        ? Optional.empty()
        : Optional.of(command.output()).filter(output -> !output.equals(written));
  }

  /** Hears that it was written. */
  synchronized void wrote(String output, Instant now) {
    written = output;
    next = now.plus(Duration.ofSeconds(output.length() / CHARACTERS_PER_SECOND));
  }
}
