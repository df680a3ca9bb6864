package dev.mainstay.server.access;

import java.time.Instant;
import java.util.List;

/** A team that shares nothing with others. Its slug never changes: ids of tests are made of it. */
public record Organization(long id, String slug, String name, Instant createdAt) {
  public static final String SLUG_FORM = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?";
  public static final int MAX_NAME_LENGTH = 100;

  /** The retention classes, in days; each has partitions of its own. */
  public static final List<Integer> RETENTION_DAYS = List.of(30, 90, 365, 1095);

  /** The form of an address of tickets; {@code {id}} stands for the id of one. */
  public static final String TICKET_URL = "(?=.*\\{id\\})https?://[^\\s\\p{Cntrl}\"<>]{1,1900}";

  /** The features that are switched on for each organization by itself. */
  public static final List<String> FEATURES = List.of("most-common-failures");
}
