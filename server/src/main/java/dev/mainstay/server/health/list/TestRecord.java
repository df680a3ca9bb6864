package dev.mainstay.server.health.list;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * A test in the words of the API. The rates and failures are absent where a list has none.
 *
 * @param lastFailureMessage of its last failure within a month, on one line
 * @param ciUrl where the job of that failure is shown
 */
@JsonNaming(SnakeCaseStrategy.class)
@JsonInclude(JsonInclude.Include.NON_ABSENT)
record TestRecord(
    UUID id,
    Link repository,
    String htmlUrl,
    String name,
    String variant,
    Status status,
    Optional<List<CommonFailure>> mostCommonFailures,
    @JsonProperty("failure_rate_last_7d") Optional<Double> failureRateOfWeek,
    @JsonProperty("failure_rate_last_24h") Optional<Double> failureRateOfDay,
    Optional<String> filePath,
    Optional<String> parent,
    Optional<String> classname,
    List<String> codeowners,
    @JsonProperty("pull_requests_impacted_last_7d") int pullRequestsImpacted,
    boolean quarantined,
    Optional<Link> ticket,
    Optional<String> lastFailureMessage,
    Optional<String> ciUrl) {

  @JsonNaming(SnakeCaseStrategy.class)
  record Link(String htmlUrl) {}

  record Status(String value, String reason, String timestamp) {}

  @JsonNaming(SnakeCaseStrategy.class)
  record CommonFailure(String summary, int occurrenceCount, String lastOccurrence) {}

  /** A text of a report; left out where it is empty. */
  static Optional<String> said(String text) {
    return Optional.of(text).filter(t -> !t.isEmpty());
  }
}
