package dev.mainstay.core.health;

/** What kind of branch a run was on. */
public enum BranchClass {
  STABLE,
  MERGE_QUEUE,
  PULL_REQUEST,
  OTHER
}
