package dev.mainstay.cli.doctor;

import dev.mainstay.server.access.ApiKey;
import dev.mainstay.server.access.Organization;
import dev.mainstay.server.forge.Finding;
import dev.mainstay.server.platform.http.Scope;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Keys of the API: those that end soon, or have just ended. */
final class KeysLook {
  private static final Duration SOON = Duration.ofDays(14);

  private KeysLook() {}

  static List<Finding> findings(Scene scene) {
    Instant now = scene.now();
    var findings = new ArrayList<Finding>();
    int valid = 0;
    for (Organization organization : scene.organizations()) {
      List<ApiKey> keys = scene.access().keys(organization.id());
      valid += (int) keys.stream().filter(key -> key.isValidAt(now)).count();
      if (keys.stream().noneMatch(k -> k.isValidAt(now) && k.scopes().contains(Scope.ADMIN))) {
        findings.add(
            Finding.advice(
                "Organization %s has no valid key with the scope admin."
                    .formatted(organization.slug()),
                "`mainstay keys create --org %s --name admin --scopes admin` makes one."
                    .formatted(organization.slug())));
      }
      keys.stream()
          .filter(key -> key.revokedAt().isEmpty() && endsNear(key, now))
          .limit(Scene.MOST_NAMED)
          .forEach(key -> findings.add(ending(key, now)));
    }
    if (findings.isEmpty()) {
      findings.add(
          Finding.good("%d keys are valid; none of them ends within 14 days.".formatted(valid)));
    }
    return findings;
  }

  private static boolean endsNear(ApiKey key, Instant now) {
    return key.expiresAt()
        .filter(end -> end.isAfter(now.minus(SOON)) && end.isBefore(now.plus(SOON)))
        .isPresent();
  }

  private static Finding ending(ApiKey key, Instant now) {
    boolean over = !key.isValidAt(now);
    return Finding.advice(
        "The key %s of %s %s at %s."
            .formatted(
                key.name(),
                key.organization(),
                over ? "has expired" : "expires",
                key.expiresAt().map(Object::toString).orElse("")),
        over
            ? "Whoever still uses it is refused: `mainstay keys create --org %s` makes another."
                .formatted(key.organization())
            : "`mainstay keys rotate --org %s %s` makes its successor."
                .formatted(key.organization(), key.id()));
  }
}
