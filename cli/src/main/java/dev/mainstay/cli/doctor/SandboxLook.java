package dev.mainstay.cli.doctor;

import dev.mainstay.server.Config;
import dev.mainstay.server.command.Confinement;
import dev.mainstay.server.forge.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** How far test commands are kept away from the service, found out by trying. */
final class SandboxLook {
  private SandboxLook() {}

  static List<Finding> findings(Config config) {
    Path data = config.dataDirectory().toAbsolutePath().normalize();
    if (!Files.isWritable(data)) {
      return List.of(
          Finding.advice(
              "What test commands can reach was not looked at: it is tried in the data directory, which is not there or not writable.",
              "Look again as the user that runs `mainstay serve`, after its first start."));
    }
    try {
      Path real = data.toRealPath();
      Confinement.Found found =
          Confinement.find(config.testSandbox(), real, real.resolve("work/tests"));
      String sentence = found.sentence();
      sentence = sentence.substring(0, 1).toUpperCase(Locale.ROOT) + sentence.substring(1) + ".";
      return List.of(
          found.isClose()
              ? Finding.good(sentence)
              : Finding.advice(
                  sentence,
                  "They can read all that the service can: install bubblewrap, or run the service as root, or connect only repositories whose authors you trust with that."));
    } catch (IOException e) {
      return List.of(
          Finding.missing(
              "What test commands can reach was not looked at (%s).".formatted(e.getMessage()),
              "Look again as the user that runs `mainstay serve`."));
    }
  }
}
