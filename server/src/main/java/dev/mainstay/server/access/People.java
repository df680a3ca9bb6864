package dev.mainstay.server.access;

import dev.mainstay.server.access.SessionStore.KeyInUse;
import dev.mainstay.server.platform.Database;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The people of an organization, and who of them and of its keys has sessions open. */
public final class People {
  private static final Instant LATEST = Instant.parse("9999-01-01T00:00:00Z");
  private static final UUID FIRST = new UUID(0, 0);

  private final Database database;
  private final Clock clock;
  private final Sessions sessions;

  public People(Database database, Clock clock, Sessions sessions) {
    this.database = database;
    this.clock = clock;
    this.sessions = sessions;
  }

  /** Somebody, and how many sessions they have open. */
  record Seen(Person person, int openSessions) {}

  /** The place of somebody in the list. */
  record Place(Instant lastSeenAt, UUID id) {}

  /** Those seen last come first. */
  List<Seen> page(long organizationId, Optional<Place> after, int most) {
    Place place = after.orElse(new Place(LATEST, FIRST));
    Instant now = clock.instant();
    return database.query(
        handle -> {
          List<Person> page =
              PersonStore.page(handle, organizationId, place.lastSeenAt(), place.id(), most);
          Map<UUID, Integer> open =
              SessionStore.countOpen(
                  handle,
                  organizationId,
                  page.stream().map(Person::id).toList(),
                  now,
                  now.minus(Sessions.IDLE));
          return page.stream()
              .map(person -> new Seen(person, open.getOrDefault(person.id(), 0)))
              .toList();
        });
  }

  /** The keys by which somebody is signed in. */
  List<KeyInUse> keys(long organizationId) {
    Instant now = clock.instant();
    return database.query(
        handle -> SessionStore.keysInUse(handle, organizationId, now, now.minus(Sessions.IDLE)));
  }

  /** Ends all sessions of a person; empty where the organization has none of this id. */
  Optional<Integer> signOutPerson(long organizationId, UUID id) {
    return sessions.endOfPerson(organizationId, id);
  }

  /** Ends all sessions of a key; empty where the organization has none of this id. */
  Optional<Integer> signOutKey(long organizationId, UUID id) {
    return sessions.endOfKey(organizationId, id);
  }
}
