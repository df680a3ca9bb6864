package dev.mainstay.core.queue;

/** The way in which a pull request came onto the target branch. */
public enum LandedHow {
  /** The commit that was tested is the one that landed. */
  TESTED_COMMIT,
  /** Commits were made anew at the landing; each change's own diff is the one that was tested. */
  REBUILT,
  /** The forge merged it when we asked, and the tree is the one that was tested. */
  BY_FORGE,
  /** All of it was on the target branch already, and nothing landed. */
  ALREADY_THERE
}
