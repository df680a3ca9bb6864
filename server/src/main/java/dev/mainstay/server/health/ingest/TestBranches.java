package dev.mainstay.server.health.ingest;

import java.util.List;

/** Knows the test branches of merge queues. */
public interface TestBranches {
  /** The pull requests that a test branch holds; none where it is not known. */
  List<Integer> pullRequestsOn(long repositoryId, String branch);
}
