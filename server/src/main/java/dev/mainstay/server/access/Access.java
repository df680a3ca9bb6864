package dev.mainstay.server.access;

import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.StartFailure;
import dev.mainstay.server.platform.http.Scope;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jdbi.v3.core.Handle;

/** Makes, lists, rotates and revokes keys and organizations, for the API and the command line. */
public final class Access {
  static final int MAX_VALID_KEYS = 1000;
  public static final Duration MAX_GRACE = Duration.ofDays(90);

  private final Database database;
  private final Clock clock;

  public Access(Database database, Clock clock) {
    this.database = database;
    this.clock = clock;
  }

  /** A new key and its token, which is shown once and kept by nobody. */
  public record NewKey(ApiKey key, Token token) {}

  /** An answer to a request for a new key. */
  public sealed interface Outcome {
    record Made(NewKey made) implements Outcome {}

    record NoSuchKey() implements Outcome {}

    record AlreadyEnded() implements Outcome {}

    record TooManyKeys(int limit) implements Outcome {}
  }

  /**
   * Makes the first organization and its key, unless there is one. The token is shown before
   * anything is saved: a kill in between shows another one at the next start, and never leaves a
   * key that nobody has seen. Several nodes may do this at once.
   */
  public void firstStart(String slug, Optional<Token> chosen, Consumer<NewKey> show) {
    database.useTransaction(
        handle -> {
          OrganizationStore.lock(handle);
          if (OrganizationStore.isEmpty(handle)) {
            ReservedSlugs.fault(slug)
                .ifPresent(
                    fault -> {
                      throw new StartFailure(fault);
                    });
            var organization = OrganizationStore.insert(handle, slug, slug, now()).orElseThrow();
            var key =
                draft(organization, "first key", EnumSet.allOf(Scope.class), Optional.empty());
            var made = new NewKey(key, chosen.orElseGet(Token::generate));
            show.accept(made);
            KeyStore.insert(handle, key, made.token().hash());
          }
        });
  }

  /** Empty where the slug is taken; whoever asks has seen to it that it is not reserved. */
  public Optional<Organization> createOrganization(String slug, String name) {
    return database.inTransaction(handle -> OrganizationStore.insert(handle, slug, name, now()));
  }

  public List<Organization> organizations() {
    return database.query(OrganizationStore::all);
  }

  public Optional<Organization> organization(String slug) {
    return database.query(handle -> OrganizationStore.find(handle, slug));
  }

  OrganizationSettings settings(long organizationId) {
    return database.query(handle -> OrganizationStore.settings(handle, organizationId));
  }

  /** Changes the settings that are given, and answers all. */
  OrganizationSettings change(
      long organizationId,
      Optional<String> name,
      Optional<String> ticketUrl,
      Optional<Integer> retentionDays) {
    return database.inTransaction(
        handle -> {
          OrganizationStore.change(handle, organizationId, name, ticketUrl, retentionDays);
          return OrganizationStore.settings(handle, organizationId);
        });
  }

  public boolean renameOrganization(String slug, String name) {
    return database.inTransaction(handle -> OrganizationStore.rename(handle, slug, name));
  }

  /** Applies to results that come from now on; those that are there keep their time. */
  public boolean setRetention(String slug, int days) {
    return database.inTransaction(handle -> OrganizationStore.setRetention(handle, slug, days));
  }

  /** Without an address, tickets are shown on a page of Mainstay's own. */
  public boolean setTicketUrl(String slug, String template) {
    return database.inTransaction(h -> OrganizationStore.setTicketUrl(h, slug, template));
  }

  public boolean setFeature(String slug, String feature, boolean on) {
    return database.inTransaction(h -> OrganizationStore.setFeature(h, slug, feature, on));
  }

  public List<ApiKey> keys(long organizationId) {
    return database.query(handle -> KeyStore.list(handle, organizationId));
  }

  public Outcome createKey(
      long organizationId,
      String organization,
      String name,
      Set<Scope> scopes,
      Optional<Instant> expiresAt) {
    var owner = new Organization(organizationId, organization, organization, now());
    return database.inTransaction(handle -> insert(handle, draft(owner, name, scopes, expiresAt)));
  }

  /** Replaces a key by one that may do the same; the old one works until the grace period ends. */
  public Outcome rotateKey(long organizationId, UUID id, Duration grace) {
    return database.inTransaction(
        handle -> {
          var found = KeyStore.find(handle, organizationId, id);
          if (found.isEmpty()) {
            return new Outcome.NoSuchKey();
          }
          ApiKey old = found.get();
          if (!old.isValidAt(now())) {
            return new Outcome.AlreadyEnded();
          }
          KeyStore.expire(handle, id, now().plus(grace));
          var owner =
              new Organization(
                  organizationId, old.organization(), old.organization(), old.createdAt());
          return insert(handle, draft(owner, old.name(), old.scopes(), old.expiresAt()));
        });
  }

  /** Ends a key at once; false when there is none of this id. */
  public boolean revokeKey(long organizationId, UUID id) {
    return database.inTransaction(
        handle -> {
          var found = KeyStore.find(handle, organizationId, id);
          found.ifPresent(key -> KeyStore.revoke(handle, key.id(), now()));
          return found.isPresent();
        });
  }

  private Outcome insert(Handle handle, ApiKey key) {
    if (KeyStore.countValid(handle, key.organizationId(), now()) >= MAX_VALID_KEYS) {
      return new Outcome.TooManyKeys(MAX_VALID_KEYS);
    }
    var token = Token.generate();
    KeyStore.insert(handle, key, token.hash());
    return new Outcome.Made(new NewKey(key, token));
  }

  private ApiKey draft(
      Organization owner, String name, Set<Scope> scopes, Optional<Instant> expiresAt) {
    return new ApiKey(
        UUID.randomUUID(),
        owner.id(),
        owner.slug(),
        name,
        scopes,
        now(),
        expiresAt,
        Optional.empty(),
        Optional.empty());
  }

  /** The time, to the precision the database keeps. */
  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }
}
