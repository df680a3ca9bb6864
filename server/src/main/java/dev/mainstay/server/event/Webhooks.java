package dev.mainstay.server.event;

import dev.mainstay.server.platform.Convoy;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.FactStore;
import dev.mainstay.server.platform.Vault;
import dev.mainstay.server.platform.http.OutgoingHttp;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jdbi.v3.core.Handle;

/** The endpoints of organizations: make, list, change, try, delete, and deliver once more. */
final class Webhooks {
  static final int MOST_ENDPOINTS = 50;
  static final int MOST_REPLAYED = 10_000;

  private final Database database;
  private final Clock clock;
  private final Vault vault;
  private final OutgoingHttp http;
  private final Sender sender;
  private final Runnable onDeliveries;

  Webhooks(
      Database database,
      Clock clock,
      Vault vault,
      OutgoingHttp http,
      Sender sender,
      Runnable onDeliveries) {
    this.database = database;
    this.clock = clock;
    this.vault = vault;
    this.http = http;
    this.sender = sender;
    this.onDeliveries = onDeliveries;
  }

  /** What somebody wants an endpoint to be. */
  record Wish(
      String name, URI url, List<String> kinds, Optional<List<String>> repos, Format format) {}

  /** An endpoint, and its new secret. */
  record Made(Endpoint endpoint, String secret) {}

  /** Why an address is not sent to; empty where it is. */
  Optional<String> fault(URI url) {
    return http.fault(url);
  }

  /** Empty where the organization has as many as it may have. */
  Optional<Made> create(long organizationId, Wish wish) {
    String secret = Signature.newSecret();
    var endpoint =
        new Endpoint(
            UUID.randomUUID(),
            organizationId,
            wish.name(),
            wish.url(),
            wish.kinds(),
            wish.repos(),
            wish.format(),
            true,
            now(),
            new Endpoint.Secrets(secret, Optional.empty(), Optional.empty()),
            Endpoint.Health.GOOD);
    return database.inTransaction(h -> EndpointStore.insert(h, vault, endpoint, MOST_ENDPOINTS))
        ? Optional.of(new Made(endpoint, secret))
        : Optional.empty();
  }

  List<Endpoint> list(long organizationId) {
    return database.query(h -> EndpointStore.all(h, vault, organizationId));
  }

  Optional<Endpoint> change(long organizationId, UUID id, UnaryOperator<Endpoint> edit) {
    Optional<Endpoint> changed =
        database.inTransaction(
            h -> {
              Optional<Endpoint> endpoint = EndpointStore.lock(h, vault, organizationId, id);
              endpoint.ifPresent(e -> save(h, e, edit.apply(e)));
              return EndpointStore.lock(h, vault, organizationId, id);
            });
    onDeliveries.run();
    return changed;
  }

  /** One that is switched on, or is at another address, begins anew. */
  private void save(Handle handle, Endpoint before, Endpoint after) {
    boolean anew = (after.enabled() && !before.enabled()) || !after.url().equals(before.url());
    EndpointStore.update(handle, vault, after, anew);
  }

  boolean delete(long organizationId, UUID id) {
    return database.inTransaction(h -> EndpointStore.delete(h, organizationId, id));
  }

  Optional<Made> rotate(long organizationId, UUID id, Duration grace) {
    String secret = Signature.newSecret();
    return database.inTransaction(
        h -> {
          Optional<Endpoint> endpoint = EndpointStore.lock(h, vault, organizationId, id);
          endpoint.ifPresent(
              e -> EndpointStore.rotate(h, vault, e, secret, clock.instant().plus(grace)));
          return endpoint.map(e -> new Made(e, secret));
        });
  }

  /** Sends something at once and waits for the answer; it is tried once. */
  Optional<Attempt> test(long organizationId, String organization, UUID id) {
    Optional<Endpoint> endpoint = find(organizationId, id);
    return endpoint.map(
        e -> {
          Event event = trial(e, organization);
          Attempt attempt = sender.send(e, event, 1).attempt();
          var convoy = new Convoy();
          AttemptStore.insert(convoy, List.of(new AttemptStore.Made(id, attempt)));
          database.useTransaction(convoy::send);
          return attempt;
        });
  }

  private Event trial(Endpoint endpoint, String organization) {
    return database.inTransaction(
        h -> {
          long number = FactStore.nextNumber(h);
          Event event = endpoint.event(organization, number, EventKind.TEST, now());
          EventStore.insert(h, List.of(event), now());
          return event;
        });
  }

  Optional<Endpoint> find(long organizationId, UUID id) {
    return database
        .query(h -> EndpointStore.find(h, vault, id))
        .filter(e -> e.organizationId() == organizationId);
  }

  /** The attempts of an endpoint before one, the newest first. */
  List<AttemptStore.Listed> attempts(UUID id, long before, int most) {
    return database.query(h -> AttemptStore.page(h, id, before, most));
  }

  /** Delivers the event of an attempt once more; false where either is not kept any more. */
  boolean replay(Endpoint endpoint, UUID attemptId) {
    boolean found =
        database.inTransaction(
            h -> {
              Optional<Event> event =
                  AttemptStore.find(h, endpoint.id(), attemptId)
                      .flatMap(a -> EventStore.find(h, endpoint.organizationId(), a.eventNumber()));
              event.ifPresent(e -> DeliveryStore.again(h, endpoint.id(), e, clock.instant()));
              return event.isPresent();
            });
    onDeliveries.run();
    return found;
  }

  /** Delivers what happened since a time once more; returns how many events, the earliest first. */
  int replay(Endpoint endpoint, Instant since) {
    int replayed =
        database.inTransaction(
            h -> DeliveryStore.againSince(h, endpoint.id(), since, clock.instant(), MOST_REPLAYED));
    onDeliveries.run();
    return replayed;
  }

  Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }
}
