package dev.mainstay.server.web.queue;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.mainstay.server.web.page.Repo;
import dev.mainstay.server.web.page.Visit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import tools.jackson.databind.annotation.JsonNaming;

/** Repositories in numbers, as the API sums them up. */
public final class Summaries {
  private static final int MOST = 100;

  private Summaries() {}

  @JsonNaming(SnakeCaseStrategy.class)
  public record Counts(
      int total,
      int healthy,
      int flaky,
      int broken,
      int quarantined,
      @JsonProperty("failed_24h") int failed24h) {}

  public record Day(String day, int runs, int failures) {}

  public record Summary(Repo repo, boolean connected, Counts tests, List<Day> days) {
    public int runs() {
      return days.stream().mapToInt(Day::runs).sum();
    }
  }

  @JsonNaming(SnakeCaseStrategy.class)
  public record Page(List<Summary> repositories, Optional<String> nextCursor) {}

  static Page page(Visit visit, Optional<String> cursor) {
    Map<String, Object> asked =
        cursor
            .<Map<String, Object>>map(c -> Map.of("cursor", c, "take", MOST))
            .orElse(Map.of("take", MOST));
    return visit.ask("/v1/repositories/summary", asked, Page.class);
  }

  static Summary of(Visit visit, Repo repo) {
    return visit
        .ask("/v1/repositories/summary", Map.of("repo", repo.asked()), Page.class)
        .repositories()
        .stream()
        .findFirst()
        .orElseThrow(Visit::nothingHere);
  }
}
