package dev.mainstay.server.queue;

import java.util.List;

/** A test that failed in results of a run. */
public record FailedTest(
    String id, String name, String classname, String file, String message, boolean quarantined) {

  /** Finds the tests that failed in results of a branch at a commit. */
  public interface Finder {
    List<FailedTest> find(long repositoryId, String branch, String commit);
  }
}
