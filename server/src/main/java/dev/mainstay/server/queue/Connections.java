package dev.mainstay.server.queue;

import dev.mainstay.core.code.RepoName;
import dev.mainstay.core.queue.Connection;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.GitAddress;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.repository.Repository;
import dev.mainstay.server.repository.RepositoryStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** How repositories are connected to their forges. */
public final class Connections {
  private final Database database;
  private final Clock clock;
  private final QueueRunner runner;
  private final Forges forges;
  private final Runnable onLook;

  /** {@code onLook} is told when a repository is to be looked at. */
  Connections(Database database, Clock clock, QueueRunner runner, Forges forges, Runnable onLook) {
    this.database = database;
    this.clock = clock;
    this.runner = runner;
    this.forges = forges;
    this.onLook = onLook;
  }

  /** Connects a repository, or changes how it is connected; asks the address whether it answers. */
  public Outcomes.Connect connect(
      long organizationId,
      RepoName repo,
      String text,
      Optional<String> testCommand,
      Duration testTimeout) {
    Optional<String> wrong = GitAddress.fault(text);
    if (wrong.isPresent()) {
      return new Outcomes.NotReachable(wrong.get());
    }
    GitAddress address = GitAddress.parse(text);
    try (Forge forge = forges.open(address)) {
      forge.heads();
    } catch (ForgeUnavailable e) {
      return new Outcomes.NotReachable(String.valueOf(e.getMessage()));
    }
    String token = Vault.token();
    Instant now = clock.instant();
    ConnectionStore.Row how =
        database.inTransaction(
            handle -> {
              Repository repository =
                  RepositoryStore.findOrCreate(handle, organizationId, repo, now);
              ActionStore.hurry(handle, repository.id(), now);
              return ConnectionStore.save(
                  handle,
                  repository.id(),
                  address.location(),
                  forges.locked(address, repository.id()),
                  testCommand,
                  testTimeout,
                  Vault.hash(token),
                  now);
            });
    tell(how.repositoryId(), new Connection(true, List.of(), testCommand.isPresent()));
    look();
    return new Outcomes.Connected(view(repo, how), token);
  }

  /** A merge that is under way is still brought to its end. */
  public boolean disconnect(long organizationId, RepoName repo) {
    Instant now = clock.instant();
    Optional<Long> repository =
        database.inTransaction(
            handle ->
                RepositoryStore.find(handle, organizationId, repo)
                    .map(Repository::id)
                    .filter(id -> ConnectionStore.disconnect(handle, id, now)));
    repository.ifPresent(id -> tell(id, Connection.NONE));
    return repository.isPresent();
  }

  /** Should this not come to all queues, the workers will notice. */
  private void tell(long repositoryId, Connection connection) {
    for (QueueStore.Row queue :
        database.query(handle -> QueueStore.ofRepository(handle, repositoryId))) {
      runner.accept(
          queue.id(),
          Request.of(
              state ->
                  List.of(
                      new QueueEvent.ConnectionChanged(
                          connection.connected()
                              ? new Connection(
                                  true,
                                  state.connection().protectionStatuses(),
                                  connection.hasTestCommand())
                              : connection))));
    }
  }

  public Optional<ConnectionView> find(long organizationId, RepoName repo) {
    return database.query(
        handle ->
            RepositoryStore.find(handle, organizationId, repo)
                .flatMap(
                    r -> ConnectionStore.find(handle, r.id()).map(how -> view(r.name(), how))));
  }

  private static ConnectionView view(RepoName repo, ConnectionStore.Row how) {
    return new ConnectionView(
        repo,
        how.address(),
        how.testCommand(),
        how.testTimeout(),
        how.connectedAt(),
        how.seenAt(),
        how.fault());
  }

  public boolean hook(String token) {
    Instant now = clock.instant();
    boolean known =
        database.inTransaction(
            handle -> ConnectionStore.lookNow(handle, Vault.hash(token), now).isPresent());
    look();
    return known;
  }

  public boolean hook(long organizationId, RepoName repo) {
    Instant now = clock.instant();
    boolean known =
        database.inTransaction(
            handle ->
                RepositoryStore.find(handle, organizationId, repo)
                    .filter(r -> ConnectionStore.lookNow(handle, r.id(), now))
                    .isPresent());
    look();
    return known;
  }

  void look() {
    onLook.run();
  }
}
