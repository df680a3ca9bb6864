package dev.mainstay.server.connection;

import dev.mainstay.core.code.RepoName;
import dev.mainstay.server.forge.ButtonPress;
import dev.mainstay.server.forge.HookCall;
import dev.mainstay.server.forge.HookClaim;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.Sha256;
import dev.mainstay.server.platform.Vault;
import dev.mainstay.server.repository.RepositoryStore;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * The hooks by which forges tell that something moved. A call is believed when it proves which
 * connection it is of, and then says no more than that: the repository itself is asked.
 */
public final class Hooks {
  private final Database database;
  private final Clock clock;
  private final Forges forges;
  private final Dependents dependents;
  private final Runnable onLook;

  Hooks(Database database, Clock clock, Forges forges, Dependents dependents, Runnable onLook) {
    this.database = database;
    this.clock = clock;
    this.forges = forges;
    this.dependents = dependents;
    this.onLook = onLook;
  }

  /** The one that was given, or that of the App in this organization, or a new one. */
  String secret(
      long organizationId, String kind, String host, Optional<String> app, Optional<String> given) {
    return given
        .or(
            () ->
                app.flatMap(
                        id ->
                            database.query(
                                handle -> HookStore.ofApp(handle, organizationId, kind, host, id)))
                    .map(known -> forges.unlocked(known.locked, known.repositoryId)))
        .orElseGet(Vault::token);
  }

  /**
   * A new secret for the hooks of a repository, and of all of its App; empty where none is used.
   */
  public Optional<String> rotateSecret(long organizationId, RepoName repo) {
    String secret = Vault.token();
    boolean rotated =
        database.inTransaction(
            handle -> {
              List<Long> sharing =
                  RepositoryStore.find(handle, organizationId, repo)
                      .map(r -> HookStore.sharing(handle, organizationId, r.id()))
                      .orElse(List.of());
              sharing.forEach(id -> HookStore.secret(handle, id, forges.locked(secret, id)));
              return !sharing.isEmpty();
            });
    return rotated ? Optional.of(secret) : Optional.empty();
  }

  /**
   * Takes a signed call of a hook; false where no connection's secret proves it. An App's hook also
   * tells of repositories that are not connected, and of no repository: such a call is good, and
   * nobody looks.
   */
  public boolean signed(String kind, HookCall call) {
    Optional<HookClaim> claim = forges.kind(kind).flatMap(k -> k.claim(call));
    List<Long> proven =
        claim
            .map(c -> secrets(kind, c.path()).stream().filter(s -> isProven(c, s)).toList())
            .orElse(List.of())
            .stream()
            .map(secret -> secret.repositoryId)
            .toList();
    Optional<ButtonPress> press = forges.kind(kind).flatMap(k -> k.pressed(call));
    if (!proven.isEmpty() && database.inTransaction(h -> moved(h, proven, press))) {
      onLook.run();
    }
    return !proven.isEmpty() || claim.filter(c -> isOfApp(kind, c)).isPresent();
  }

  private boolean moved(Handle handle, List<Long> repositories, Optional<ButtonPress> press) {
    press.ifPresent(p -> dependents.pressed(handle, repositories, p, clock.instant()));
    dependents.moved(handle, repositories);
    return HookStore.lookNow(handle, repositories);
  }

  private boolean isOfApp(String kind, HookClaim claim) {
    return claim.app().stream()
        .flatMap(app -> database.query(h -> HookStore.ofApp(h, kind, app)).stream())
        .anyMatch(secret -> isProven(claim, secret));
  }

  private List<HookStore.Secret> secrets(String kind, String path) {
    return database.query(h -> HookStore.secrets(h, kind, path.toLowerCase(Locale.ROOT)));
  }

  private boolean isProven(HookClaim claim, HookStore.Secret secret) {
    return claim.provenBy().test(forges.unlocked(secret.locked, secret.repositoryId));
  }

  /** Takes a call of a hook of this kind; false where it proves to be of no connection. */
  public boolean byToken(String kind, Map<String, String> parameters) {
    Optional<String> token = forges.kind(kind).flatMap(k -> k.hookToken(parameters));
    boolean known =
        token.isPresent()
            && database.inTransaction(
                handle -> HookStore.lookNow(handle, kind, Sha256.of(token.get())).isPresent());
    onLook.run();
    return known;
  }
}
