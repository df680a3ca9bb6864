package dev.mainstay.server.connection;

import dev.mainstay.core.code.RepoName;
import dev.mainstay.server.forge.Credentials;
import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.Finding;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.forge.ForgeKind;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.HostCredentials;
import dev.mainstay.server.forge.Reach;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.Sha256;
import dev.mainstay.server.platform.Vault;
import dev.mainstay.server.repository.Repository;
import dev.mainstay.server.repository.RepositoryStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** The connections of repositories to their forges: connect, disconnect, show, and the hooks. */
public final class Connections {
  /** An answer to {@link #connect}. */
  public sealed interface Connect {}

  /**
   * A connection that was made. Whoever has the token of plain git, or signs with the secret of a
   * host's hook, may tell that something moved; they are shown this once. {@code warnings} name
   * what of the queues will not work as it is set, {@code findings} what was looked at.
   */
  public record Connected(
      ConnectionView connection,
      Optional<String> hookToken,
      Optional<String> hookSecret,
      List<String> warnings,
      List<Finding> findings)
      implements Connect {
    public Connected {
      warnings = List.copyOf(warnings);
      findings = List.copyOf(findings);
    }
  }

  /** The fault of the address, in one sentence. */
  public record NotReachable(String sentence) implements Connect {}

  private final Database database;
  private final Clock clock;
  private final Dependents dependents;
  private final Forges forges;
  private final Reach reach;
  private final Runnable onLook;
  private final Hooks hooks;
  private final Checkup checkup;

  /** {@code onLook} is told when a repository is to be looked at. */
  public Connections(
      Database database,
      Clock clock,
      Dependents dependents,
      Forges forges,
      Reach reach,
      Runnable onLook) {
    this.reach = reach;
    this.database = database;
    this.clock = clock;
    this.dependents = dependents;
    this.forges = forges;
    this.onLook = onLook;
    this.hooks = new Hooks(database, clock, forges, dependents, onLook);
    this.checkup = new Checkup(database, dependents, forges, reach);
  }

  public Hooks hooks() {
    return hooks;
  }

  /** The kinds of forges there are. */
  public List<String> kinds() {
    return forges.kinds().stream().map(ForgeKind::name).toList();
  }

  /** The fault of an address as a user writes it, in one sentence. */
  public Optional<String> fault(String address) {
    return forges.usual().read(address) instanceof ForgeKind.Given.Fault(String sentence)
        ? Optional.of(sentence)
        : Optional.empty();
  }

  /** The fault of an address for whoever is not this machine's operator, in one sentence. */
  Optional<String> outOfReach(String address) {
    return forges.usual().read(address) instanceof ForgeKind.Given.Address given
        ? reach.fault(given.location())
        : Optional.empty();
  }

  /** Connects a repository of plain git. */
  public Connect connect(
      long organizationId,
      RepoName repo,
      String address,
      Optional<String> testCommand,
      Duration testTimeout) {
    return connect(organizationId, repo, Wish.plain(address, testCommand, testTimeout));
  }

  /** Connects a repository, or changes how it is connected; asks the address whether it answers. */
  public Connect connect(long organizationId, RepoName repo, Wish wish) {
    Optional<ForgeKind> kind = kind(wish);
    if (kind.isEmpty()) {
      return new NotReachable(
          "What answers at this address is none of the forges that are known here (%s): name its kind."
              .formatted(String.join(", ", kinds())));
    }
    return switch (kind.get().read(wish.address())) {
      case ForgeKind.Given.Fault(String sentence) -> new NotReachable(sentence);
      case ForgeKind.Given.Address address ->
          tried(organizationId, repo, kind.get(), address, wish);
    };
  }

  private Optional<ForgeKind> kind(Wish wish) {
    if (wish.kind().isPresent()) {
      return forges.kind(wish.kind().get());
    }
    return wish.credentials().isEmpty()
        ? Optional.of(forges.usual())
        : forges.kinds().stream().filter(k -> k.answersAt(wish.address())).findFirst();
  }

  private Connect tried(
      long organizationId,
      RepoName repo,
      ForgeKind kind,
      ForgeKind.Given.Address address,
      Wish wish) {
    Optional<Credentials> credentials =
        wish.credentials().map(HostCredentials::stored).or(address::credentials);
    Set<String> wanted = targetBranches(organizationId, repo);
    Forge forge = kind.open(address.location(), () -> credentials);
    try {
      Set<String> branches = forge.heads().branches().keySet();
      List<Finding> findings = forge.findings(wanted);
      boolean hosted = forge.host().isPresent();
      return save(
          organizationId,
          repo,
          new Reached(kind, address, credentials, hosted, branches, findings),
          wish);
    } catch (ForgeUnavailable | CredentialsRefused e) {
      return new NotReachable(String.valueOf(e.getMessage()));
    } finally {
      forge.retire();
    }
  }

  private Set<String> targetBranches(long organizationId, RepoName repo) {
    return database
        .query(handle -> RepositoryStore.find(handle, organizationId, repo))
        .map(repository -> dependents.targetBranches(repository.id()))
        .orElse(Set.of());
  }

  /** A forge that answered. */
  private record Reached(
      ForgeKind kind,
      ForgeKind.Given.Address address,
      Optional<Credentials> credentials,
      boolean hosted,
      Set<String> branches,
      List<Finding> findings) {
    /** The repository at its host, as hooks name it. */
    String path() {
      return address
          .location()
          .replaceFirst("^[a-z]+://[^/]*/+", "")
          .replaceFirst("/+$", "")
          .replaceFirst("\\.git$", "")
          .toLowerCase(Locale.ROOT);
    }
  }

  private Connected save(long organizationId, RepoName repo, Reached forge, Wish wish) {
    String token = Vault.token();
    Instant now = clock.instant();
    Optional<String> app =
        wish.credentials()
            .filter(HostCredentials.App.class::isInstance)
            .map(c -> ((HostCredentials.App) c).id());
    Optional<String> secret =
        forge.hosted()
            ? Optional.of(
                hooks.secret(
                    organizationId,
                    forge.kind().name(),
                    forge.address().host(),
                    app,
                    wish.hookSecret()))
            : Optional.empty();
    boolean quietly =
        forge.kind().checksInterfere()
            && find(organizationId, repo)
                .filter(before -> before.kind().equals(forge.kind().name()))
                .isEmpty();
    ConnectionStore.Row how =
        database.inTransaction(
            handle -> {
              long id = RepositoryStore.findOrCreate(handle, organizationId, repo, now).id();
              var made =
                  new ConnectionStore.Made(
                      forge.kind().name(),
                      forge.address().location(),
                      forge.address().host(),
                      forge.path(),
                      app,
                      forge.credentials().map(c -> forges.locked(c.text(), id)),
                      secret.map(s -> forges.locked(s, id)),
                      wish.testCommand(),
                      wish.testTimeout());
              ConnectionStore.Row saved =
                  ConnectionStore.save(handle, id, made, Sha256.of(token), now);
              // After it: who gives work back meanwhile has either waited for this or is seen here.
              dependents.hurry(handle, id, now);
              return saved;
            });
    List<String> warnings =
        dependents.connected(
            how.repositoryId(), wish.testCommand().isPresent(), quietly, forge.branches());
    look();
    return new Connected(
        ConnectionView.of(repo, how),
        forge.hosted() ? Optional.empty() : Optional.of(token),
        secret,
        warnings,
        forge.findings());
  }

  /** Looks whether everything is set up; empty where the repository is not connected. */
  public Optional<List<Finding>> check(long organizationId, RepoName repo) {
    return checkup.of(organizationId, repo).map(Checkup.Checked::findings);
  }

  public Checkup checkup() {
    return checkup;
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

  /** True where checks on heads are written only for whoever asks for them. */
  public boolean checksInterfere(long organizationId, RepoName repo) {
    return find(organizationId, repo)
        .flatMap(how -> forges.kind(how.kind()))
        .filter(ForgeKind::checksInterfere)
        .isPresent();
  }

  public Optional<ConnectionView> find(long organizationId, RepoName repo) {
    return database.query(
        handle ->
            RepositoryStore.find(handle, organizationId, repo)
                .flatMap(
                    r ->
                        ConnectionStore.find(handle, r.id())
                            .map(how -> ConnectionView.of(r.name(), how))));
  }

  /** A repository, whether it is connected to a forge, and whether everybody sees its pages. */
  record Listed(RepoName repo, boolean connected, boolean publicPages) {}

  /** The repositories after this key, in the order of their keys. */
  List<Listed> repositories(long organizationId, String after, int most) {
    return database.query(
        handle -> {
          List<Repository> page = RepositoryStore.page(handle, organizationId, after, most);
          return listed(handle, page);
        });
  }

  /** One repository by its name. */
  Optional<Listed> repository(long organizationId, RepoName repo) {
    return database.query(
        handle ->
            RepositoryStore.find(handle, organizationId, repo)
                .map(repository -> listed(handle, List.of(repository)).getFirst()));
  }

  /** Opens the pages of a repository to everybody, or closes them; empty where there is none. */
  Optional<Listed> setPublicPages(long organizationId, RepoName repo, boolean on) {
    return database.inTransaction(
        handle ->
            RepositoryStore.find(handle, organizationId, repo)
                .map(
                    repository -> {
                      RepositoryStore.setPublicPages(handle, repository.id(), on);
                      return listed(handle, List.of(repository)).getFirst();
                    }));
  }

  private static List<Listed> listed(Handle handle, List<Repository> repositories) {
    List<Long> ids = repositories.stream().map(Repository::id).toList();
    Set<Long> connected = ConnectionStore.connected(handle, ids);
    Set<Long> open = RepositoryStore.withPublicPages(handle, ids);
    return repositories.stream()
        .map(r -> new Listed(r.name(), connected.contains(r.id()), open.contains(r.id())))
        .toList();
  }

  public boolean hook(long organizationId, RepoName repo) {
    boolean known =
        database.inTransaction(
            handle ->
                RepositoryStore.find(handle, organizationId, repo)
                    .filter(r -> HookStore.lookNow(handle, r.id()))
                    .isPresent());
    look();
    return known;
  }

  public void look() {
    onLook.run();
  }
}
