package dev.mainstay.server.queue.work;

import dev.mainstay.core.queue.Connection;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.rules.Warnings;
import dev.mainstay.server.connection.Dependents;
import dev.mainstay.server.forge.ButtonPress;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.queue.run.Proposal;
import dev.mainstay.server.queue.run.QueueRunner;
import dev.mainstay.server.queue.store.ActionStore;
import dev.mainstay.server.queue.store.AskedStore;
import dev.mainstay.server.queue.store.ConversationStore;
import dev.mainstay.server.queue.store.QueueStore;
import dev.mainstay.server.queue.store.TestCommandStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
  public List<String> connected(
      long repositoryId, boolean hasTestCommand, boolean quietly, Set<String> branches) {
    return tell(
            repositoryId,
            state -> {
              List<String> required = state.connection().protectionStatuses();
              var news = new ArrayList<QueueEvent>();
              news.add(
                  new QueueEvent.ConnectionChanged(new Connection(true, required, hasTestCommand)));
              if (quietly && state.settings().statusCheckEnabled()) {
                news.add(
                    new QueueEvent.SettingsChanged(
                        state.settings().edit().statusCheckEnabled(false).build()));
              }
              boolean there = branches.contains(state.target().branch());
              if (there == state.target().missing()) {
                news.add(new QueueEvent.TargetBranchSeen(there));
              }
              return news;
            })
        .stream()
        .flatMap(ConnectedQueues::warnings)
        .toList();
  }

  private static Stream<String> warnings(QueueState state) {
    return Warnings.of(state).stream()
        .map(sentence -> "The queue of %s: %s".formatted(state.target().branch(), sentence));
  }

  @Override
  public Set<String> targetBranches(long repositoryId) {
    return database.query(handle -> QueueStore.ofRepository(handle, repositoryId)).stream()
        .flatMap(row -> runner.current(row).stream())
        .map(queue -> queue.state().target().branch())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Override
  public void moved(Handle handle, List<Long> repositoryIds) {
    ConversationStore.askFor(handle, repositoryIds);
  }

  @Override
  public void pressed(Handle handle, List<Long> repositoryIds, ButtonPress press, Instant now) {
    CheckButtons.asked(press)
        .ifPresent(
            asked ->
                repositoryIds.forEach(id -> AskedStore.insert(handle, id, List.of(asked), now)));
  }

  @Override
  public void disconnected(long repositoryId) {
    tell(repositoryId, state -> List.of(new QueueEvent.ConnectionChanged(Connection.NONE)));
  }

  private List<QueueState> tell(long repositoryId, Function<QueueState, List<QueueEvent>> news) {
    return database.query(handle -> QueueStore.ofRepository(handle, repositoryId)).stream()
        .flatMap(queue -> runner.accept(queue.id(), Proposal.of(news)).stream())
        .map(accepted -> accepted.after().state())
        .toList();
  }
}
