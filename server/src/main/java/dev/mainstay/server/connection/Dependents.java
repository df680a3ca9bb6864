package dev.mainstay.server.connection;

import java.time.Instant;
import org.jdbi.v3.core.Handle;

/** The work that depends on how a repository is connected. */
public interface Dependents {
  /** A repository is being connected: work that waits for its forge need not wait longer. */
  void hurry(Handle handle, long repositoryId, Instant now);

  /** True where a merge into the repository may be under way. */
  boolean isLanding(Handle handle, long repositoryId);

  /** A repository was connected, or connected anew. */
  void connected(long repositoryId, boolean hasTestCommand);

  /** A repository was disconnected. */
  void disconnected(long repositoryId);
}
