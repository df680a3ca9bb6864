package dev.mainstay.server.access;

import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.Loop;
import dev.mainstay.server.platform.http.Caller;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All valid keys, in memory, kept current by a worker that asks for changes a few times a second,
 * so that a request costs no round trip. A ring older than {@link #MAX_AGE} is not believed, and an
 * unknown token is looked up once more: revocation is seen within a second, a new key at once.
 */
public final class KeyRing implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger("keys");
  private static final Duration MAX_AGE = Duration.ofMillis(900);
  private static final Duration REFRESH_EVERY = Duration.ofMillis(250);
  private static final Duration RECORD_USE_EVERY = Duration.ofSeconds(5);

  private final Database database;
  private final Clock clock;
  private final Map<Token.Hash, Known> keys = new ConcurrentHashMap<>();
  private final Map<UUID, ApiKey> byId = new ConcurrentHashMap<>();
  private final Map<UUID, Instant> uses = new ConcurrentHashMap<>();

  /** Each connection has a thread of its own, and mostly one token in all of its requests. */
  private final ThreadLocal<Hashed> last = ThreadLocal.withInitial(() -> Hashed.NONE);

  private final Loop refreshing = new Loop("keys", REFRESH_EVERY, loop -> refresh());
  private final Loop recording = new Loop("key-uses", RECORD_USE_EVERY, loop -> recordUses());
  private long version;
  private volatile long freshAsOf;

  private record Known(ApiKey key, Optional<Caller> caller) {}

  private record Hashed(Token token, Token.Hash hash) {
    static final Hashed NONE = of(new Token(""));

    static Hashed of(Token token) {
      return new Hashed(token, token.hash());
    }
  }

  public KeyRing(Database database, Clock clock) {
    this.database = database;
    this.clock = clock;
    refresh();
    refreshing.start();
    recording.start();
  }

  /** The owner of a token, if it is valid now. */
  public Optional<Caller> authenticate(String text) {
    Instant now = clock.instant();
    refreshIfOld();
    Token.Hash hash = hash(new Token(text));
    Known known = keys.get(hash);
    if (known == null) {
      refresh();
      known = keys.get(hash);
    }
    if (known == null || !known.key().isValidAt(now)) {
      return Optional.empty();
    }
    recordUse(known.key().id(), now);
    return known.caller();
  }

  private Token.Hash hash(Token token) {
    Hashed known = last.get();
    if (!known.token().equals(token)) {
      known = Hashed.of(token);
      last.set(known);
    }
    return known.hash();
  }

  /** A key, if it is valid now. */
  Optional<ApiKey> valid(UUID id) {
    refreshIfOld();
    if (!byId.containsKey(id)) {
      refresh();
    }
    Instant now = clock.instant();
    return Optional.ofNullable(byId.get(id)).filter(key -> key.isValidAt(now));
  }

  private void refreshIfOld() {
    if (System.nanoTime() - freshAsOf > MAX_AGE.toNanos()) {
      refresh();
    }
  }

  /**
   * Records the use of a key, to the second: a busy key would otherwise have all its requests write
   * to one place.
   */
  private void recordUse(UUID key, Instant now) {
    Instant known = uses.get(key);
    if (known == null || known.getEpochSecond() != now.getEpochSecond()) {
      uses.put(key, now);
    }
  }

  /** Learns what has changed, unless another thread did so after this call began. */
  private void refresh() {
    long asked = System.nanoTime();
    synchronized (this) {
      if (version > 0 && freshAsOf - asked > 0) {
        return;
      }
      long started = System.nanoTime();
      for (var entry : database.query(handle -> KeyStore.changedSince(handle, version))) {
        if (entry.key().isValidAt(clock.instant())) {
          keys.put(entry.hash(), new Known(entry.key(), Optional.of(entry.key().caller())));
          byId.put(entry.key().id(), entry.key());
        } else {
          keys.remove(entry.hash());
          byId.remove(entry.key().id());
        }
        version = entry.version();
      }
      freshAsOf = started;
    }
  }

  private void recordUses() {
    var taken = new HashMap<UUID, Instant>();
    uses.forEach((id, at) -> taken.put(id, at));
    if (!taken.isEmpty()) {
      database.useTransaction(handle -> KeyStore.recordUse(handle, taken));
      taken.forEach(uses::remove);
    }
  }

  @Override
  public void close() {
    refreshing.close();
    recording.close();
    try {
      recordUses();
    } catch (RuntimeException e) {
      log.warn("the last use of keys could not be recorded: {}", e.getMessage());
    }
  }
}
