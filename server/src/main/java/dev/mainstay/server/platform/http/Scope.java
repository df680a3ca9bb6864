package dev.mainstay.server.platform.http;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a key may do. */
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
