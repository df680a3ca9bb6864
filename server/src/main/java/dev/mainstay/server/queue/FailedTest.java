package dev.mainstay.server.queue;

import java.util.List;
import java.util.Optional;

/** A test that failed in results of a run, with its status now where the test is known. */
public record FailedTest(
    String id,
    String name,
    String classname,
    String file,
    String message,
    boolean quarantined,
    Optional<String> status) {

  /** Finds the tests that failed in results of a branch at a commit. */
  public interface Finder {
    List<FailedTest> find(long repositoryId, String branch, String commit);
  }
}
