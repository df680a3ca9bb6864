package dev.mainstay.server.health.ingest;

import dev.mainstay.server.health.result.CommitFailureStore;
import dev.mainstay.server.health.result.CommitOutcome;
import dev.mainstay.server.health.result.UploadStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import org.jdbi.v3.core.Handle;

/** What is remembered of an upload for others of its job and commit: which tests failed there. */
final class CommitMemory {
  private static final int AT_ONCE = 10_000;
  private static final int MOST_KNOWN = 100_000;

  private final Handle handle;
  private final long repositoryId;
  private final Upload upload;
  private final boolean anyKnown;
  private final UploadStore.Earlier earlier;
  private final List<CommitOutcome> some = new ArrayList<>();
  private int passedNow;

  private CommitMemory(Handle handle, long repositoryId, Upload upload, boolean anyKnown) {
    this.handle = handle;
    this.repositoryId = repositoryId;
    this.upload = upload;
    this.anyKnown = anyKnown;
    earlier =
        UploadStore.ofCommit(
            handle, repositoryId, upload.about().commit(), upload.about().job(), upload.id());
  }

  /** Returns how many tests passed that had failed in an earlier upload of the job and commit. */
  static int remember(Handle handle, long repositoryId, Upload upload, Tally tally) {
    String commit = upload.about().commit();
    if (commit.isEmpty()) {
      return 0;
    }
    CommitFailureStore.lockCommit(handle, repositoryId, commit);
    List<UUID> known =
        CommitFailureStore.failed(handle, repositoryId, commit, upload.about().job(), MOST_KNOWN);
    // Where there are more, whoever passed may be one of them.
    Predicate<UUID> wanted =
        known.size() == MOST_KNOWN ? test -> true : new HashSet<>(known)::contains;
    var memory = new CommitMemory(handle, repositoryId, upload, !known.isEmpty());
    tally.forEachOfCommit(wanted, memory::add);
    memory.keep();
    return memory.passedNow;
  }

  private void add(CommitOutcome outcome) {
    some.add(outcome);
    if (some.size() == AT_ONCE) {
      keep();
    }
  }

  private void keep() {
    if (some.isEmpty()) {
      return;
    }
    String commit = upload.about().commit();
    String job = upload.about().job();
    if (anyKnown) {
      passedNow += CommitFailureStore.addToKnownFailures(handle, repositoryId, commit, job, some);
    }
    CommitFailureStore.addNewFailures(
        handle, repositoryId, commit, job, upload.about().branch(), some, earlier);
    some.clear();
  }
}
