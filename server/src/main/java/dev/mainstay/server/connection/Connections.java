package dev.mainstay.server.connection;

import dev.mainstay.core.code.RepoName;
import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.forge.ForgeKind;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.Sha256;
import dev.mainstay.server.platform.Vault;
import dev.mainstay.server.repository.Repository;
import dev.mainstay.server.repository.RepositoryStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** The connections of repositories to their forges: connect, disconnect, show, and the hooks. */
public final class Connections {
  /** An answer to {@link #connect}. */
  public sealed interface Connect {}

  /**
   * A connection that was made. Whoever has the token may tell that something moved; it is shown
   * this once. {@code warnings} name what will not work as it is set.
   */
  public record Connected(ConnectionView connection, String hookToken, List<String> warnings)
      implements Connect {
    public Connected {
      warnings = List.copyOf(warnings);
    }
  }

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

  /** The fault of an address as a user writes it, in one sentence. */
  public Optional<String> fault(String address) {
    return forges.usual().read(address) instanceof ForgeKind.Given.Fault(String sentence)
        ? Optional.of(sentence)
        : Optional.empty();
  }

  /** Connects a repository, or changes how it is connected; asks the address whether it answers. */
  public Connect connect(
      long organizationId,
      RepoName repo,
      String text,
      Optional<String> testCommand,
      Duration testTimeout) {
    ForgeKind kind = forges.usual();
    return switch (kind.read(text)) {
      case ForgeKind.Given.Fault(String sentence) -> new NotReachable(sentence);
      case ForgeKind.Given.Address address -> {
        Set<String> branches;
        try (Forge forge = kind.open(address.location(), address::credentials)) {
          branches = forge.heads().branches().keySet();
        } catch (ForgeUnavailable | CredentialsRefused e) {
          yield new NotReachable(String.valueOf(e.getMessage()));
        }
        yield save(organizationId, repo, kind, address, testCommand, testTimeout, branches);
      }
    };
  }

  private Connected save(
      long organizationId,
      RepoName repo,
      ForgeKind kind,
      ForgeKind.Given.Address address,
      Optional<String> testCommand,
      Duration testTimeout,
      Set<String> branches) {
    String token = Vault.token();
    Instant now = clock.instant();
    ConnectionStore.Row how =
        database.inTransaction(
            handle -> {
              Repository repository =
                  RepositoryStore.findOrCreate(handle, organizationId, repo, now);
              ConnectionStore.Row saved =
                  ConnectionStore.save(
                      handle,
                      repository.id(),
                      kind.name(),
                      address.location(),
                      address.host(),
                      address.credentials().map(c -> forges.locked(c, repository.id())),
                      testCommand,
                      testTimeout,
                      Sha256.of(token),
                      now);
              // After it: who gives work back meanwhile has either waited for this or is seen here.
              dependents.hurry(handle, repository.id(), now);
              return saved;
            });
    List<String> warnings =
        dependents.connected(how.repositoryId(), testCommand.isPresent(), branches);
    look();
    return new Connected(view(repo, how), token, warnings);
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

  /** A repository of an organization, and whether it is connected to a forge. */
  record Listed(RepoName repo, boolean connected) {}

  /** The repositories after this key, in the order of their keys. */
  List<Listed> repositories(long organizationId, String after, int most) {
    return database.query(
        handle -> {
          List<Repository> page = RepositoryStore.page(handle, organizationId, after, most);
          Set<Long> connected =
              ConnectionStore.connected(handle, page.stream().map(Repository::id).toList());
          return page.stream().map(r -> new Listed(r.name(), connected.contains(r.id()))).toList();
        });
  }

  private static ConnectionView view(RepoName repo, ConnectionStore.Row how) {
    return new ConnectionView(
        repo,
        how.address(),
        how.testCommand(),
        how.testTimeout(),
        how.connectedAt(),
        how.seenAt(),
        how.fault().or(how::refusal));
  }

  /** Takes a call of a hook of this kind; false where it proves to be of no connection. */
  public boolean hook(String kind, Map<String, String> parameters) {
    Optional<String> token = forges.kind(kind).flatMap(k -> k.hookToken(parameters));
    boolean known =
        token.isPresent()
            && database.inTransaction(
                handle ->
                    ConnectionStore.lookNow(handle, kind, Sha256.of(token.get())).isPresent());
    look();
    return known;
  }

  public boolean hook(long organizationId, RepoName repo) {
    boolean known =
        database.inTransaction(
            handle ->
                RepositoryStore.find(handle, organizationId, repo)
                    .filter(r -> ConnectionStore.lookNow(handle, r.id()))
                    .isPresent());
    look();
    return known;
  }

  public void look() {
    onLook.run();
  }
}
