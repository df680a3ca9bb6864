package dev.mainstay.server.web.settings;

import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import tools.jackson.databind.annotation.JsonNaming;

/** Answers of the API about settings, as far as pages show them. */
public final class Answers {
  private Answers() {}

  public record Connection(
      String kind,
      String address,
      Optional<String> testCommand,
      int testTimeoutMinutes,
      String connectedAt,
      Optional<String> lastSeenAt,
      Optional<String> fault) {}

  public record Finding(String level, String message, Optional<String> mend) {
    public String tone() {
      return switch (level) {
        case "GOOD" -> "ok";
        case "ADVICE" -> "warn";
        default -> "bad";
      };
    }
  }

  /** What connecting, checking and new secrets answer: each has some of it. */
  public record Connected(
      Optional<String> hookToken,
      Optional<String> hookSecret,
      Optional<List<Finding>> findings,
      Optional<List<String>> warnings) {}

  public record Queue(String branch, String state, String mode, int concurrency) {}

  public record Queues(List<Queue> queues) {}

  public record Monitors(List<JsonNode> monitors) {}

  public record Monitor(JsonNode all) {
    public String id() {
      return all.path("monitor_id").asString();
    }

    public String name() {
      return all.path("name").asString();
    }

    public String kind() {
      return all.path("kind").asString();
    }

    public boolean enabled() {
      return all.path("enabled").asBoolean();
    }
  }

  public record Settings(JsonNode settings) {}

  @JsonNaming(SnakeCaseStrategy.class)
  public record Example(String testId, String name, String status, String reason) {}

  public record Preview(
      int looked, boolean complete, int flaky, int broken, List<Example> examples) {}

  @JsonNaming(SnakeCaseStrategy.class)
  public record Repository(boolean publicPages) {}

  public record Repositories(List<Repository> repositories) {}

  public record Key(
      String id,
      String name,
      List<String> scopes,
      String createdAt,
      Optional<String> expiresAt,
      Optional<String> revokedAt,
      Optional<String> lastUsedAt) {}

  public record Keys(List<Key> keys) {}

  public record NewKey(Key key, String token) {}

  @JsonNaming(SnakeCaseStrategy.class)
  public record Person(
      String id,
      String name,
      Optional<String> email,
      String role,
      String lastSeenAt,
      int openSessions) {}

  @JsonNaming(SnakeCaseStrategy.class)
  public record KeyInUse(String keyId, String name, String lastSeenAt, int openSessions) {}

  public record People(List<Person> people, List<KeyInUse> keys, Optional<String> nextCursor) {}
}
