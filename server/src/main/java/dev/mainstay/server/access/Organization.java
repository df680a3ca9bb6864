package dev.mainstay.server.access;

import java.time.Instant;

/** A team that shares nothing with others. Its slug never changes: ids of tests are made of it. */
public record Organization(long id, String slug, String name, Instant createdAt) {
  public static final String SLUG_FORM = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?";
  public static final int MAX_NAME_LENGTH = 100;
}
