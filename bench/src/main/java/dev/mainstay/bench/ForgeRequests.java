package dev.mainstay.bench;

import java.util.Map;
import java.util.function.Predicate;

/** The requests that the fake GitHub counted, by their kind. */
final class ForgeRequests {
  /** The answers that changed nothing, which GitHub does not count. */
  static final String UNCHANGED = "unchanged";

  private ForgeRequests() {}

  /** All requests to the API: those of git are not. */
  static int ofApi(Map<String, Integer> counts) {
    return sum(counts, kind -> !kind.startsWith("git ") && !kind.equals(UNCHANGED));
  }

  /** The requests that make or change something. */
  static int writes(Map<String, Integer> counts) {
    return sum(
        counts,
        kind ->
            kind.startsWith("PATCH ")
                || kind.startsWith("PUT ")
                || (kind.startsWith("POST ") && !kind.equals("POST graphql")));
  }

  private static int sum(Map<String, Integer> counts, Predicate<String> kind) {
    return counts.entrySet().stream()
        .filter(e -> kind.test(e.getKey()))
        .mapToInt(Map.Entry::getValue)
        .sum();
  }
}
