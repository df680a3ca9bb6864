package dev.mainstay.core.simulation.check.play;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.queue.PullRequestSnapshot.Status;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** A pull request at the forge, with the commit each of its versions was made on. */
public final class FakePullRequest {
  public final int number;
  private final Map<Integer, CommitSha> madeOn = new HashMap<>();
  private int version = 1;
  public Status status = Status.OPEN;
  public boolean onOurBranch = true;

  FakePullRequest(int number, CommitSha madeOn) {
    this.number = number;
    this.madeOn.put(1, madeOn);
  }

  public Patch patch() {
    return new Patch(number, version);
  }

  void push(CommitSha onto) {
    version++;
    madeOn.put(version, onto);
  }

  CommitSha madeOn(int someVersion) {
    return Objects.requireNonNull(madeOn.get(someVersion));
  }

  boolean mayMerge() {
    return status == Status.OPEN && onOurBranch;
  }
}
