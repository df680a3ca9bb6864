package dev.mainstay.server.access;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.mainstay.server.access.People.Place;
import dev.mainstay.server.access.People.Seen;
import dev.mainstay.server.access.SessionStore.KeyInUse;
import dev.mainstay.server.platform.http.ApiError;
import dev.mainstay.server.platform.http.ListPage;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.platform.http.Scope;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The people whom an identity provider has signed in, and the sessions that are open. */
public final class PeopleApi {
  private final People people;

  public PeopleApi(People people) {
    this.people = people;
  }

  public List<Route> routes() {
    return List.of(
        Route.post("/v1/people/list", Scope.ADMIN, this::list),
        Route.post("/v1/people/sign-out", Scope.ADMIN, this::signOut));
  }

  record WirePerson(
      UUID id,
      String name,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> email,
      String issuer,
      String subject,
      String role,
      @JsonProperty("first_seen_at") String firstSeenAt,
      @JsonProperty("last_seen_at") String lastSeenAt,
      @JsonProperty("open_sessions") int openSessions) {
    static WirePerson of(Seen seen) {
      Person person = seen.person();
      return new WirePerson(
          person.id(),
          person.identity().name(),
          person.identity().email(),
          person.identity().issuer(),
          person.identity().subject(),
          person.role().label(),
          person.firstSeenAt().toString(),
          person.lastSeenAt().toString(),
          seen.openSessions());
    }
  }

  record WireKeyInUse(
      @JsonProperty("key_id") UUID keyId,
      String name,
      @JsonProperty("last_seen_at") String lastSeenAt,
      @JsonProperty("open_sessions") int openSessions) {
    static WireKeyInUse of(KeyInUse key) {
      return new WireKeyInUse(
          key.id(), key.name(), key.lastSeenAt().toString(), key.openSessions());
    }
  }

  record WirePage(
      List<WirePerson> people,
      List<WireKeyInUse> keys,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> nextCursor) {}

  private Reply list(Request request) {
    var in = request.fields();
    ListPage page = ListPage.read(in, 2);
    Optional<Place> after = page.after().flatMap(PeopleApi::place);
    if (page.after().isPresent() && after.isEmpty()) {
      in.fault("cursor", "must be the nextCursor of an earlier answer");
    }
    in.check();
    long organization = request.caller().organizationId();
    List<Seen> found = people.page(organization, after, page.take() + 1);
    List<Seen> shown = found.subList(0, Math.min(page.take(), found.size()));
    List<KeyInUse> keys = after.isPresent() ? List.of() : people.keys(organization);
    return Reply.json(
        new WirePage(
            shown.stream().map(WirePerson::of).toList(),
            keys.stream().map(WireKeyInUse::of).toList(),
            found.size() > shown.size()
                ? Optional.of(cursor(shown.getLast().person()))
                : Optional.empty()));
  }

  private static String cursor(Person person) {
    return ListPage.cursor(
        Long.toString(person.lastSeenAt().toEpochMilli()), person.id().toString());
  }

  private static Optional<Place> place(List<String> key) {
    return key.getFirst().matches("[0-9]{1,14}")
            && key.getLast().matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
        ? Optional.of(
            new Place(
                Instant.ofEpochMilli(Long.parseLong(key.getFirst())),
                UUID.fromString(key.getLast())))
        : Optional.empty();
  }

  private Reply signOut(Request request) {
    var in = request.fields();
    Optional<UUID> person = in.optionalUuid("person_id");
    Optional<UUID> key = in.optionalUuid("key_id");
    if (in.has("person_id") == in.has("key_id")) {
      in.fault("person_id", "or key_id is required, one of them");
    }
    in.check();
    long organization = request.caller().organizationId();
    int ended =
        person
            .map(id -> people.signOutPerson(organization, id).orElseThrow(PeopleApi::noSuchPerson))
            .or(() -> key.map(id -> ended(organization, id)))
            .orElse(0);
    return Reply.json(Map.of("ended", ended));
  }

  private int ended(long organization, UUID key) {
    return people
        .signOutKey(organization, key)
        .orElseThrow(
            () -> ApiError.notFound("key_not_found", "The organization has no key of this id."));
  }

  private static ApiError noSuchPerson() {
    return ApiError.notFound("person_not_found", "The organization has no person of this id.");
  }
}
