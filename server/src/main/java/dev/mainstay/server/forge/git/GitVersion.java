package dev.mainstay.server.forge.git;

import dev.mainstay.server.platform.Leash;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Looks for the programs that a connected repository needs. */
public final class GitVersion {
  private static final int MAJOR = 2;
  private static final int MINOR = 39;
  private static final Pattern VERSION = Pattern.compile("git version (\\d+)\\.(\\d+).*");

  private GitVersion() {}

  /** The program that is missing or too old, as a sentence for whoever runs this service. */
  public static Optional<String> fault() {
    for (String program : Leash.programs()) {
      if (output(List.of(program, "--version")).isEmpty()) {
        return Optional.of(
            "The program %s is not here; install %s."
                .formatted(program, program.startsWith("set") ? "util-linux" : "it"));
      }
    }
    return fault(output(List.of("git", "--version")));
  }

  static Optional<String> fault(Optional<String> answer) {
    Optional<Matcher> version =
        answer.map(a -> VERSION.matcher(a.strip())).filter(Matcher::matches);
    if (version.isEmpty()) {
      return Optional.of("git is not here; install git %d.%d or newer.".formatted(MAJOR, MINOR));
    }
    int major = Integer.parseInt(version.get().group(1));
    int minor = Integer.parseInt(version.get().group(2));
    return major > MAJOR || (major == MAJOR && minor >= MINOR)
        ? Optional.empty()
        : Optional.of(
            "git is too old: it is %d.%d and must be %d.%d or newer."
                .formatted(major, minor, MAJOR, MINOR));
  }

  private static Optional<String> output(List<String> command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String text = new String(process.getInputStream().readNBytes(4096), StandardCharsets.UTF_8);
      boolean ended = process.waitFor(20, TimeUnit.SECONDS);
      process.destroyForcibly();
      return ended && process.exitValue() == 0 ? Optional.of(text) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}
