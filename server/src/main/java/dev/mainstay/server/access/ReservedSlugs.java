package dev.mainstay.server.access;

import java.util.List;
import java.util.Optional;

/**
 * The words that addresses of the service begin with, which no organization may be called. One that
 * was made earlier keeps its name in the API, and its pages are below {@link #PLACE}.
 */
public final class ReservedSlugs {
  /** The place of the pages of organizations whose slug is reserved; no slug looks like it. */
  public static final String PLACE = "-";

  private static final List<String> WORDS =
      List.of(
          "v1",
          "trunk",
          "hooks",
          "docs",
          "mcp",
          "bundles",
          "healthz",
          "readyz",
          "metrics",
          "assets",
          "sign-in",
          "sign-out",
          "flaky-tests",
          "openapi.json");

  private ReservedSlugs() {}

  public static boolean has(String slug) {
    return WORDS.contains(slug);
  }

  /** The path below which the pages of an organization are. */
  public static String path(String slug) {
    return has(slug) ? "/" + PLACE + "/" + slug : "/" + slug;
  }

  /** What is wrong with a slug for a new organization, in one sentence. */
  public static Optional<String> fault(String slug) {
    return has(slug)
        ? Optional.of(
            "%s is an address of the service itself; no organization may be called one of %s."
                .formatted(slug, String.join(", ", WORDS)))
        : Optional.empty();
  }
}
