package dev.mainstay.server.health.ingest;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import tools.jackson.databind.annotation.JsonNaming;

/** The answer to an upload, in the words of the API. */
@JsonNaming(SnakeCaseStrategy.class)
record UploadAnswer(
    UUID uploadId,
    boolean duplicate,
    String repo,
    String branchClass,
    boolean setAside,
    Counts counts,
    List<Skip> skipped,
    int skippedTotal,
    List<Unread> ignored,
    List<Collision> collisions,
    int collisionsTotal,
    Verdict verdict) {

  @JsonNaming(SnakeCaseStrategy.class)
  record Counts(
      int files,
      int tests,
      int runs,
      int passed,
      int failed,
      int errored,
      int skipped,
      int retriedAndPassed,
      int newTests) {}

  record Skip(String file, int line, String reason) {}

  /** A file that gave no results, and why. */
  record Unread(String file, String reason) {}

  /** A report that announces more failures than it shows. */
  record Shortfall(String file, long announced, long found) {}

  /** A test that several cases of the upload share, so that each counts by itself. */
  @JsonNaming(SnakeCaseStrategy.class)
  record Collision(UUID testId, String name, String classname, String file) {}

  /** The verdict: which failures are quarantined, and whether the job may pass. */
  @JsonNaming(SnakeCaseStrategy.class)
  record Verdict(
      boolean mayPass,
      String reason,
      int failedTests,
      int quarantinedTests,
      List<Failed> failures,
      List<Unread> unreadable,
      List<Shortfall> missing) {}

  /** A test that failed to the end; what it said last is its message on one line. */
  @JsonNaming(SnakeCaseStrategy.class)
  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  record Failed(
      UUID testId,
      String name,
      String classname,
      String parent,
      String file,
      String message,
      String lastFailureMessage,
      Optional<String> ciUrl,
      List<String> codeowners,
      boolean quarantined) {}
}
