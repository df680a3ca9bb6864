package dev.mainstay.server.access;

import dev.mainstay.server.platform.http.Scope;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The rights of somebody who looks at pages, in one word; the later, the more. */
public enum Role {
  VIEWER,
  MEMBER,
  ADMIN;

  public Set<Scope> scopes() {
    return switch (this) {
      case VIEWER -> EnumSet.of(Scope.READ);
      case MEMBER -> EnumSet.of(Scope.READ, Scope.QUEUE);
      case ADMIN -> EnumSet.allOf(Scope.class);
    };
  }

  /** The name in settings, answers and the database. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<Role> of(String label) {
    return Arrays.stream(values()).filter(r -> r.label().equals(label)).findFirst();
  }

  /** The role that comes closest to what a key may do. */
  static Role of(Set<Scope> scopes) {
    if (scopes.contains(Scope.ADMIN)) {
      return ADMIN;
    }
    return scopes.contains(Scope.QUEUE) ? MEMBER : VIEWER;
  }
}
