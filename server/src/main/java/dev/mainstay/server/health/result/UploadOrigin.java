package dev.mainstay.server.health.result;

import dev.mainstay.core.code.RepoName;
import java.util.Optional;

/** The origin of an upload, as it says itself. Values that are missing are empty. */
public record UploadOrigin(
    RepoName repo,
    String branch,
    String commit,
    Optional<Integer> pullRequest,
    String job,
    String variant,
    Optional<String> ciUrl,
    Optional<Integer> attempt) {

  public static final int MAX_BRANCH_LENGTH = 500;
  public static final int MAX_COMMIT_LENGTH = 64;
  public static final int MAX_JOB_LENGTH = 300;
  public static final int MAX_VARIANT_LENGTH = 200;
  public static final int MAX_URL_LENGTH = 2000;
  public static final int MAX_ATTEMPT = 10_000;
}
