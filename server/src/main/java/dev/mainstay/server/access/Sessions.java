package dev.mainstay.server.access;

import com.github.benmanes.caffeine.cache.Cache;
import dev.mainstay.server.access.Person.Identity;
import dev.mainstay.server.access.SessionStore.Open;
import dev.mainstay.server.access.SessionStore.Owner;
import dev.mainstay.server.platform.Caches;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.Loop;
import dev.mainstay.server.platform.RandomSecret;
import dev.mainstay.server.platform.http.Caller;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sessions of those who look at pages. What was asked for in the last minute is answered from
 * memory, as {@link KeyRing} does it: a worker asks a few times a second which sessions have ended
 * or changed, and a memory older than {@link #MAX_AGE} is not believed. A session of a key is good
 * for as long as the key is.
 */
public final class Sessions implements AutoCloseable {
  public static final Duration LONGEST = Duration.ofDays(30);
  public static final Duration IDLE = Duration.ofDays(7);
  public static final int MOST_OF_ONE = 50;

  private static final Logger log = LoggerFactory.getLogger("sessions");
  private static final Duration MAX_AGE = Duration.ofMillis(900);
  private static final Duration REFRESH_EVERY = Duration.ofMillis(250);
  private static final Duration LOOK_AGAIN_AFTER = Duration.ofMinutes(1);
  private static final Duration RECORD_USE_EVERY = Duration.ofSeconds(5);
  private static final Duration SWEEP_EVERY = Duration.ofMinutes(10);
  private static final Duration KEEP_ENDED = Duration.ofHours(1);
  private static final int MOST_IN_MEMORY = 20_000;
  private static final int MAX_SECRET_LENGTH = 100;

  private final Database database;
  private final Clock clock;
  private final KeyRing keys;
  private final Cache<Token.Hash, Known> known = Caches.ofAtMost(MOST_IN_MEMORY);
  private final Map<UUID, Use> uses = new ConcurrentHashMap<>();
  private final Loop refreshing = new Loop("sessions", REFRESH_EVERY, loop -> refresh());
  private final Loop recording = new Loop("session-uses", RECORD_USE_EVERY, loop -> recordUses());
  private final Loop sweeping = new Loop("session-sweep", SWEEP_EVERY, loop -> sweep());
  private volatile long version;
  private volatile long freshAsOf;

  /** A session as it was read, with its person where it is one's. */
  private record Known(Open session, Optional<Person> person, Instant readAt) {}

  private record Use(Owner owner, Instant at) {}

  /** A new session and its secret, which is kept by nobody but the browser. */
  public record Opened(String secret, Visitor visitor) {
    @Override
    public String toString() {
      return "Opened[" + visitor.sessionId() + "]";
    }
  }

  public Sessions(Database database, Clock clock, KeyRing keys) {
    this.database = database;
    this.clock = clock;
    this.keys = keys;
    this.version = database.query(SessionStore::version);
    this.freshAsOf = System.nanoTime();
    refreshing.start();
    recording.start();
    sweeping.start();
  }

  /** Opens a session for whoever has this key; empty where it opens nothing. */
  public Optional<Opened> withKey(String token) {
    return keys.authenticate(token)
        .flatMap(
            caller -> {
              var owner = new Owner(caller.organizationId(), caller.keyId(), false);
              return opened(
                  database.inTransaction(handle -> open(handle, owner, Optional.empty())));
            });
  }

  /**
   * Opens a session for somebody whom an identity provider has signed in. The role is theirs from
   * now on, in the sessions that they have open too.
   */
  public Opened withPerson(long organizationId, Identity identity, Role role) {
    var made =
        database.inTransaction(
            handle -> {
              Person person = PersonStore.save(handle, organizationId, identity, role, now());
              var owner = new Owner(organizationId, person.id(), true);
              SessionStore.touchAll(handle, owner, SessionStore.nextVersion(handle));
              return open(handle, owner, Optional.of(person));
            });
    refresh();
    return opened(made).orElseThrow();
  }

  /** Ends the sessions of somebody who is known here and has no role any more. */
  public void withoutRole(long organizationId, Identity identity) {
    database
        .query(
            handle ->
                PersonStore.find(handle, organizationId, identity.issuer(), identity.subject()))
        .ifPresent(id -> endAll(new Owner(organizationId, id, true)));
  }

  /** Whoever has this secret, if its session is open now. */
  public Optional<Visitor> find(String secret) {
    if (secret.length() > MAX_SECRET_LENGTH) {
      return Optional.empty();
    }
    Instant now = now();
    if (System.nanoTime() - freshAsOf > MAX_AGE.toNanos()) {
      refresh();
    }
    var hash = new Token(secret).hash();
    return Optional.ofNullable(known.getIfPresent(hash))
        .filter(k -> now.isBefore(k.readAt().plus(LOOK_AGAIN_AFTER)))
        .or(() -> read(hash, now))
        .filter(k -> now.isBefore(k.session().expiresAt()))
        .flatMap(this::visitor);
  }

  public void end(String secret) {
    database.useTransaction(handle -> SessionStore.end(handle, new Token(secret).hash(), now()));
    refresh();
  }

  /** Ends all sessions of the key or the person whose session this is. */
  public void endEverywhere(String secret) {
    if (find(secret).isPresent()) {
      database
          .query(handle -> SessionStore.find(handle, new Token(secret).hash()))
          .ifPresent(session -> endAll(session.owner()));
    }
  }

  /** Ends all sessions of a person of an organization; empty where there is no such person. */
  Optional<Integer> endOfPerson(long organizationId, UUID id) {
    return database
        .query(handle -> PersonStore.find(handle, organizationId, id))
        .map(person -> endAll(new Owner(organizationId, person.id(), true)));
  }

  /** Ends all sessions of a key of an organization; empty where there is no such key. */
  Optional<Integer> endOfKey(long organizationId, UUID id) {
    return database
        .query(handle -> KeyStore.find(handle, organizationId, id))
        .map(key -> endAll(new Owner(organizationId, key.id(), false)));
  }

  private int endAll(Owner owner) {
    int ended =
        database.inTransaction(
            handle ->
                SessionStore.endAllBut(handle, owner, 0, now(), SessionStore.nextVersion(handle)));
    refresh();
    return ended;
  }

  private record Made(String secret, Known known) {}

  private Made open(Handle handle, Owner owner, Optional<Person> person) {
    Instant now = now();
    String secret = RandomSecret.text();
    var session = new Open(UUID.randomUUID(), owner, now, now.plus(LONGEST));
    long next = SessionStore.nextVersion(handle);
    SessionStore.insert(handle, new Token(secret).hash(), session, next);
    SessionStore.endAllBut(handle, owner, MOST_OF_ONE, now, next);
    return new Made(secret, new Known(session, person, now));
  }

  private Optional<Opened> opened(Made made) {
    return visitor(made.known()).map(visitor -> new Opened(made.secret(), visitor));
  }

  private Optional<Visitor> visitor(Known one) {
    Open session = one.session();
    return session.owner().isPerson()
        ? one.person().map(person -> visitor(session, person))
        : keys.valid(session.owner().id()).map(key -> visitor(session, key));
  }

  private static Visitor visitor(Open session, Person person) {
    Caller caller =
        new Caller(
            person.organizationId(), person.organization(), person.id(), person.role().scopes());
    return new Visitor(
        session.id(), caller, person.role(), person.identity().name(), true, session.expiresAt());
  }

  private static Visitor visitor(Open session, ApiKey key) {
    Instant until =
        key.expiresAt().filter(session.expiresAt()::isAfter).orElse(session.expiresAt());
    return new Visitor(session.id(), key.caller(), Role.of(key.scopes()), key.name(), false, until);
  }

  /**
   * Reads a session, and remembers it unless others have changed meanwhile: what is remembered is
   * never older than the version that the next refresh asks from.
   */
  private Optional<Known> read(Token.Hash hash, Instant now) {
    long before = version;
    var read =
        database.query(
            handle ->
                SessionStore.find(handle, hash)
                    .filter(session -> session.lastSeenAt().plus(IDLE).isAfter(now))
                    .filter(session -> session.expiresAt().isAfter(now))
                    .map(session -> new Known(session, person(handle, session.owner()), now)));
    synchronized (this) {
      if (read.isPresent() && before == version) {
        known.put(hash, read.get());
      } else {
        known.invalidate(hash);
      }
    }
    read.ifPresent(k -> uses.put(k.session().id(), new Use(k.session().owner(), now)));
    return read;
  }

  private static Optional<Person> person(Handle handle, Owner owner) {
    return owner.isPerson()
        ? PersonStore.find(handle, owner.organizationId(), owner.id())
        : Optional.empty();
  }

  /** Forgets what has changed, unless another thread did so after this call began. */
  private void refresh() {
    long asked = System.nanoTime();
    synchronized (this) {
      if (freshAsOf - asked > 0) {
        return;
      }
      long started = System.nanoTime();
      for (var change : database.query(handle -> SessionStore.changedSince(handle, version))) {
        known.invalidate(change.hash());
        version = change.version();
      }
      freshAsOf = started;
    }
  }

  void recordUses() {
    var taken = Map.copyOf(uses);
    if (!taken.isEmpty()) {
      database.useTransaction(
          handle -> {
            SessionStore.recordUse(handle, times(taken, use -> true, (id, use) -> id));
            PersonStore.recordUse(
                handle, times(taken, use -> use.owner().isPerson(), (id, use) -> use.owner().id()));
          });
      taken.forEach(uses::remove);
    }
  }

  private static Map<UUID, Instant> times(
      Map<UUID, Use> uses, Predicate<Use> which, BiFunction<UUID, Use, UUID> key) {
    var times = new TreeMap<UUID, Instant>();
    uses.forEach(
        (id, use) -> {
          if (which.test(use)) {
            times.merge(key.apply(id, use), use.at(), (a, b) -> a.isAfter(b) ? a : b);
          }
        });
    return times;
  }

  void sweep() {
    Instant now = now();
    database.useTransaction(
        handle -> SessionStore.sweep(handle, now.minus(KEEP_ENDED), now, now.minus(IDLE)));
  }

  /** The time, to the precision the database keeps. */
  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  @Override
  public void close() {
    refreshing.close();
    recording.close();
    sweeping.close();
    try {
      recordUses();
    } catch (RuntimeException e) {
      log.warn("the last use of sessions could not be recorded: {}", e.getMessage());
    }
  }
}
