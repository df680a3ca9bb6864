package dev.mainstay.server.connection;

import dev.mainstay.server.forge.ButtonPress;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** The work that depends on how a repository is connected. */
public interface Dependents {
  /** A repository is being connected: work that waits for its forge need not wait longer. */
  void hurry(Handle handle, long repositoryId, Instant now);

  /** True where a merge into the repository may be under way. */
  boolean isLanding(Handle handle, long repositoryId);

  /**
   * A repository was connected, or connected anew, and has these branches. Where {@code quietly},
   * no check is written on heads until somebody asks for it. Answers what will not work as it is
   * set, a sentence each.
   */
  List<String> connected(
      long repositoryId, boolean hasTestCommand, boolean quietly, Set<String> branches);

  /** The branches that pull requests of the repository are merged into. */
  Set<String> targetBranches(long repositoryId);

  /** A hook says that something happened in these repositories, perhaps among people. */
  void moved(Handle handle, List<Long> repositoryIds);

  /** Somebody pressed a button beside our check. */
  void pressed(Handle handle, List<Long> repositoryIds, ButtonPress press, Instant now);

  /** A repository was disconnected. */
  void disconnected(long repositoryId);
}
