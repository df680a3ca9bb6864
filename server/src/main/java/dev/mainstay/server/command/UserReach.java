package dev.mainstay.server.command;

import dev.mainstay.server.platform.StartFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What a test user can reach, found out by looking as that user. */
final class UserReach {
  private UserReach() {}

  /** Refuses a directory that test users cannot enter. */
  static void check(Path directory) throws IOException {
    if (!failing("-x", List.of(directory)).isEmpty()) {
      throw new StartFailure(
          "Test commands run as users of their own, who cannot reach %s; choose a directory everybody may enter with --data-dir, such as /var/lib/mainstay."
              .formatted(directory));
    }
  }

  static boolean canRead(Path file) throws IOException {
    return unreadable(List.of(file)).isEmpty();
  }

  /** Those of these files that test users cannot read. */
  static Set<Path> unreadable(List<Path> files) throws IOException {
    return failing("-r", files);
  }

  private static Set<Path> failing(String how, List<Path> files) throws IOException {
    var command = new ArrayList<>(TestUser.words(TestUser.SCOUT));
    String script = "for file; do test " + how + " \"$file\" || printf '%s\\n' \"$file\"; done";
    command.addAll(List.of("--", "sh", "-c", script, "sh"));
    files.forEach(file -> command.add(file.toString()));
    try {
      Process look = new ProcessBuilder(command).redirectErrorStream(true).start();
      List<String> said = look.inputReader().lines().toList();
      if (look.waitFor() != 0) {
        throw new IOException(String.join(" ", said));
      }
      return said.stream().map(Path::of).collect(Collectors.toSet());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
