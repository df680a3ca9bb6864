package dev.mainstay.cli.doctor;

import dev.mainstay.cli.shell.LocalGit;
import dev.mainstay.cli.shell.Shell;
import dev.mainstay.server.forge.Finding;
import dev.mainstay.server.forge.git.GitVersion;
import dev.mainstay.server.platform.Leash;
import java.util.ArrayList;
import java.util.List;

/** The programs that the service needs beside itself. */
final class ProgramsLook {
  private static final int JDK = 25;

  private ProgramsLook() {}

  static List<Finding> findings(Shell shell) {
    var findings = new ArrayList<Finding>();
    findings.add(java());
    findings.add(
        GitVersion.fault()
            .map(fault -> Finding.missing(fault, "Every repository needs it."))
            .orElseGet(() -> Finding.good(git(shell))));
    if (!Leash.isThere()) {
      findings.add(
          Finding.advice(
              "This is %s, where PostgreSQL and test commands outlive a service that is killed, until its next start."
                  .formatted(System.getProperty("os.name")),
              "Run the service on Linux where others depend on it."));
    }
    return findings;
  }

  private static Finding java() {
    String sentence =
        "Java %s of %s runs this.".formatted(Runtime.version(), System.getProperty("java.vendor"));
    return Runtime.version().feature() >= JDK
        ? Finding.good(sentence)
        : Finding.missing(sentence, "Mainstay needs %d or newer.".formatted(JDK));
  }

  private static String git(Shell shell) {
    return "It is %s."
        .formatted(LocalGit.ask(shell, shell.directory(), "--version").orElse("a git"));
  }
}
