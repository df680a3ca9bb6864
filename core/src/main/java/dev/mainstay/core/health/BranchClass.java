package dev.mainstay.core.health;

/** The class of the branch a run was on. The code is stored. */
public enum BranchClass {
  STABLE(0),
  MERGE_QUEUE(1),
  PULL_REQUEST(2),
  OTHER(3);

  private final int code;

  BranchClass(int code) {
    this.code = code;
  }

  public int code() {
    return code;
  }
}
