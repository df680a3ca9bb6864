package dev.mainstay.server.queue.talk;

import dev.mainstay.server.queue.FailedTest;
import dev.mainstay.server.queue.PullRequestView;
import dev.mainstay.server.queue.TestRunView;
import java.util.List;
import java.util.Optional;

/**
 * How a pull request stands in the queue of a branch, with all that is told of it: when it may be
 * merged, the run and the tests that failed where that is why, and its page.
 */
record Standing(
    PullRequestView pullRequest,
    String targetBranch,
    Optional<PullRequestView.Expected> expected,
    Optional<TestRunView> run,
    List<FailedTest> failed,
    String page) {
  Standing {
    failed = List.copyOf(failed);
  }
}
