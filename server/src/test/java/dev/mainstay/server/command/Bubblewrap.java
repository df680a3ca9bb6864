package dev.mainstay.server.command;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Whether this machine has bubblewrap, and lets it work. */
public final class Bubblewrap {
  private Bubblewrap() {}

  /** Skips the test where not, with the reason. */
  public static void assumeItWorks() {
    Path place = Path.of("/var/tmp");
    Optional<String> fault = new Sandbox(place).fault(List.of("true"), place, false);
    assumeTrue(fault.isEmpty(), "no bubblewrap here: " + fault.orElse(""));
  }
}
