package dev.mainstay.server.access;

import java.time.Instant;
import java.util.List;

/** A team that shares nothing with others. Its slug never changes: ids of tests are made of it. */
public record Organization(long id, String slug, String name, Instant createdAt) {
  public static final String SLUG_FORM = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?";
  public static final int MAX_NAME_LENGTH = 100;

  /** How many days results may be kept; each class has partitions of its own. */
  public static final List<Integer> RETENTION_DAYS = List.of(30, 90, 365, 1095);

  /** Where an organization's tickets are; {@code {id}} stands for one of them. */
  public static final String TICKET_URL = "(?=.*\\{id\\})https?://[^\\s\\p{Cntrl}\"<>]{1,1900}";

  /** What is switched on for one organization and not for others. */
  public static final List<String> FEATURES = List.of("most-common-failures");
}
