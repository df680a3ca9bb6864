package dev.mainstay.server.platform.http;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** A right of a key. */
public enum Scope {
  READ,
  UPLOAD,
  QUEUE,
  /** Everything, keys included. */
  ADMIN;

  /** The name in requests, answers and the database. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<Scope> of(String label) {
    return Arrays.stream(values()).filter(s -> s.label().equals(label)).findFirst();
  }
}
