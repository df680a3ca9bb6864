package dev.mainstay.cli.doctor;

import dev.mainstay.server.Config;
import dev.mainstay.server.access.oidc.OidcSettings;
import dev.mainstay.server.embedded.KeptFiles;
import dev.mainstay.server.forge.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Files that hold secrets: they are there, and for nobody but who needs them. */
final class SecretsLook {
  private SecretsLook() {}

  static List<Finding> findings(Config config) {
    var findings = new ArrayList<Finding>();
    if (config.externalDatabase().isEmpty()) {
      KeptFiles.secret(config.dataDirectory()).stream()
          .filter(Files::exists)
          .forEach(file -> findings.add(closed(file)));
    }
    config.oidc().map(OidcSettings::clientSecretFile).ifPresent(f -> findings.add(readable(f)));
    if (findings.isEmpty()) {
      findings.add(Finding.good("No file on this machine holds a secret of the service."));
    }
    return findings;
  }

  private static Finding readable(Path file) {
    return Files.isReadable(file)
        ? closed(file)
        : Finding.missing(
            "%s (MAINSTAY_OIDC_CLIENT_SECRET_FILE) cannot be read.".formatted(file),
            "Nobody can sign in by the identity provider until the service can read it.");
  }

  private static Finding closed(Path file) {
    try {
      Set<PosixFilePermission> allowed = Files.getPosixFilePermissions(file);
      boolean others =
          allowed.contains(PosixFilePermission.OTHERS_READ)
              || allowed.contains(PosixFilePermission.OTHERS_WRITE)
              || allowed.contains(PosixFilePermission.GROUP_READ)
              || allowed.contains(PosixFilePermission.GROUP_WRITE);
      return others
          ? Finding.missing(
              "%s holds secrets and is open to others (%s)."
                  .formatted(file, PosixFilePermissions.toString(allowed)),
              "`chmod go= %s`, and think of who has read it.".formatted(file))
          : Finding.good("%s is closed to others.".formatted(file));
    } catch (IOException e) {
      return Finding.advice(
          "Who may read %s was not looked at (%s).".formatted(file, e.getMessage()),
          "Look again as the user that runs `mainstay serve`.");
    }
  }
}
