package dev.mainstay.server.connection;

import dev.mainstay.core.code.RepoName;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.git.GitAddress;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.Sha256;
import dev.mainstay.server.platform.Vault;
import dev.mainstay.server.repository.Repository;
import dev.mainstay.server.repository.RepositoryStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** The connections of repositories to their forges: connect, disconnect, show, and the hooks. */
public final class Connections {
  /** An answer to {@link #connect}. */
  public sealed interface Connect {}

  /**
   * A connection that was made. Whoever has the token may tell that something moved; it is shown
   * this once.
   */
  public record Connected(ConnectionView connection, String hookToken) implements Connect {}

  /** The fault of the address, in one sentence. */
  public record NotReachable(String sentence) implements Connect {}

  private final Database database;
  private final Clock clock;
  private final Dependents dependents;
  private final Forges forges;
  private final Runnable onLook;

  /** {@code onLook} is told when a repository is to be looked at. */
  public Connections(
      Database database, Clock clock, Dependents dependents, Forges forges, Runnable onLook) {
    this.database = database;
    this.clock = clock;
    this.dependents = dependents;
    this.forges = forges;
    this.onLook = onLook;
  }

  /** Connects a repository, or changes how it is connected; asks the address whether it answers. */
  public Connect connect(
      long organizationId,
      RepoName repo,
      String text,
      Optional<String> testCommand,
      Duration testTimeout) {
    Optional<String> wrong = GitAddress.fault(text);
    if (wrong.isPresent()) {
      return new NotReachable(wrong.get());
    }
    GitAddress address = GitAddress.parse(text);
    try (Forge forge = forges.open(address)) {
      forge.heads();
    } catch (ForgeUnavailable e) {
      return new NotReachable(String.valueOf(e.getMessage()));
    }
    String token = Vault.token();
    Instant now = clock.instant();
    ConnectionStore.Row how =
        database.inTransaction(
            handle -> {
              Repository repository =
                  RepositoryStore.findOrCreate(handle, organizationId, repo, now);
              dependents.hurry(handle, repository.id(), now);
              return ConnectionStore.save(
                  handle,
                  repository.id(),
                  address.location(),
                  forges.locked(address, repository.id()),
                  testCommand,
                  testTimeout,
                  Sha256.of(token),
                  now);
            });
    dependents.connected(how.repositoryId(), testCommand.isPresent());
    look();
    return new Connected(view(repo, how), token);
  }

  /**
   * Disconnects a repository; false where it is not connected. A merge that is under way is still
   * brought to its end.
   */
  public boolean disconnect(long organizationId, RepoName repo) {
    Instant now = clock.instant();
    Optional<Long> repository =
        database.inTransaction(
            handle ->
                RepositoryStore.find(handle, organizationId, repo)
                    .map(Repository::id)
                    .filter(id -> disconnect(handle, id, now)));
    repository.ifPresent(dependents::disconnected);
    return repository.isPresent();
  }

  private boolean disconnect(Handle handle, long repositoryId, Instant now) {
    boolean connected = ConnectionStore.disconnect(handle, repositoryId, now);
    if (!dependents.isLanding(handle, repositoryId)) {
      ConnectionStore.forget(handle, repositoryId);
    }
    return connected;
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
            handle -> ConnectionStore.lookNow(handle, Sha256.of(token), now).isPresent());
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

  public void look() {
    onLook.run();
  }
}
