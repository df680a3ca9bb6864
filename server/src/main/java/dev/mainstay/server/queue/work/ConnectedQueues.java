package dev.mainstay.server.queue.work;

import dev.mainstay.core.queue.Connection;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.server.connection.Dependents;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.queue.run.Proposal;
import dev.mainstay.server.queue.run.QueueRunner;
import dev.mainstay.server.queue.store.ActionStore;
import dev.mainstay.server.queue.store.QueueStore;
import dev.mainstay.server.queue.store.TestCommandStore;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;

/**
 * Tells the queues of a repository how it is connected. Should one not hear it, the workers will
 * notice.
 */
public final class ConnectedQueues implements Dependents {
  private final Database database;
  private final QueueRunner runner;

  public ConnectedQueues(Database database, QueueRunner runner) {
    this.database = database;
    this.runner = runner;
  }

  @Override
  public void hurry(Handle handle, long repositoryId, Instant now) {
    ActionStore.hurry(handle, repositoryId, now);
    TestCommandStore.hurry(handle, repositoryId, now);
  }

  @Override
  public boolean isLanding(Handle handle, long repositoryId) {
    return ActionStore.isLanding(handle, repositoryId);
  }

  @Override
  public void connected(long repositoryId, boolean hasTestCommand) {
    tell(
        repositoryId,
        state -> new Connection(true, state.connection().protectionStatuses(), hasTestCommand));
  }

  @Override
  public void disconnected(long repositoryId) {
    tell(repositoryId, state -> Connection.NONE);
  }

  private void tell(long repositoryId, Function<QueueState, Connection> connection) {
    for (QueueStore.Row queue :
        database.query(handle -> QueueStore.ofRepository(handle, repositoryId))) {
      runner.accept(
          queue.id(),
          Proposal.of(state -> List.of(new QueueEvent.ConnectionChanged(connection.apply(state)))));
    }
  }
}
