package dev.mainstay.server.health.result;

import dev.mainstay.server.platform.Database;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** A test that failed in an upload, as the answer to that upload told it. */
public record ReportedFailure(
    String testId,
    String name,
    String classname,
    String file,
    String message,
    boolean quarantined) {
  private static final int MOST_UPLOADS = 50;
  private static final int MOST = 1000;
  private static final int MOST_TOLD = 100;
  private static final int LONGEST_MESSAGE = 1000;

  /** The tests that failed in uploads of a commit on a branch, each once, some at most. */
  public static List<ReportedFailure> on(
      Database database, long repositoryId, String branch, String commit) {
    Map<String, ReportedFailure> failures = new LinkedHashMap<>();
    database
        .query(h -> UploadStore.failures(h, repositoryId, branch, commit, MOST_UPLOADS, MOST))
        .forEach(told -> failures.putIfAbsent(told.path("test_id").asString(), of(told)));
    return failures.values().stream().limit(MOST_TOLD).toList();
  }

  private static ReportedFailure of(ObjectNode told) {
    String message = told.path("message").asString();
    return new ReportedFailure(
        told.path("test_id").asString(),
        told.path("name").asString(),
        told.path("classname").asString(),
        told.path("file").asString(),
        message.length() > LONGEST_MESSAGE ? message.substring(0, LONGEST_MESSAGE) : message,
        told.path("quarantined").asBoolean());
  }
}
