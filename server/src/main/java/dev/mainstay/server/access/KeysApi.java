package dev.mainstay.server.access;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.github.benmanes.caffeine.cache.Cache;
import dev.mainstay.server.access.Access.Outcome;
import dev.mainstay.server.platform.Caches;
import dev.mainstay.server.platform.http.ApiError;
import dev.mainstay.server.platform.http.Caller;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.platform.http.Scope;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** The keys of an organization, and the owner of the key that asks. */
public final class KeysApi {
  private static final int MOST_KNOWN = 1_000;

  private final Access access;
  private final Clock clock;

  /** Clients ask this to see whether all is well: its answer depends on the caller alone. */
  private final Cache<Caller, Reply> whoami = Caches.ofAtMost(MOST_KNOWN);

  public KeysApi(Access access, Clock clock) {
    this.access = access;
    this.clock = clock;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/v1/whoami", this::whoami),
        Route.post("/v1/keys/create", Scope.ADMIN, this::create),
        Route.post("/v1/keys/list", Scope.ADMIN, this::list),
        Route.post("/v1/keys/rotate", Scope.ADMIN, this::rotate),
        Route.post("/v1/keys/revoke", Scope.ADMIN, this::revoke));
  }

  record WireKey(
      UUID id,
      String name,
      List<String> scopes,
      String createdAt,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> expiresAt,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> revokedAt,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> lastUsedAt) {

    static WireKey of(ApiKey key) {
      return new WireKey(
          key.id(),
          key.name(),
          labels(key.scopes()),
          key.createdAt().toString(),
          key.expiresAt().map(Instant::toString),
          key.revokedAt().map(Instant::toString),
          key.lastUsedAt().map(Instant::toString));
    }
  }

  record WireNewKey(WireKey key, String token) {}

  record WireCaller(String organization, UUID keyId, List<String> scopes) {}

  private Reply whoami(Request request) {
    return whoami.get(request.caller(), KeysApi::whoami);
  }

  private static Reply whoami(Caller caller) {
    return Reply.writtenJson(
        new WireCaller(caller.organization(), caller.keyId(), labels(caller.scopes())));
  }

  private Reply create(Request request) {
    var in = request.fields();
    String name = in.text("name", ApiKey.MAX_NAME_LENGTH);
    var scopes =
        in.optionalList("scopes", Scope.values().length, Scope::of, "read, upload, queue or admin");
    var expiresAt = in.optionalTime("expiresAt");
    if (scopes.map(List::isEmpty).orElse(false)) {
      in.fault("scopes", "must name at least one scope");
    }
    if (expiresAt.map(clock.instant()::isAfter).orElse(false)) {
      in.fault("expiresAt", "must lie in the future");
    }
    in.check();
    var chosen = EnumSet.copyOf(scopes.orElse(List.of(Scope.READ)));
    Caller caller = request.caller();
    return answer(
        access.createKey(caller.organizationId(), caller.organization(), name, chosen, expiresAt));
  }

  private Reply list(Request request) {
    request.fields().check();
    var keys = access.keys(request.caller().organizationId()).stream().map(WireKey::of).toList();
    return Reply.json(Map.of("keys", keys));
  }

  private Reply rotate(Request request) {
    var in = request.fields();
    UUID id = in.uuid("id");
    var grace = in.optionalSeconds("graceSeconds", Access.MAX_GRACE);
    in.check();
    return answer(
        access.rotateKey(request.caller().organizationId(), id, grace.orElse(Duration.ZERO)));
  }

  private Reply revoke(Request request) {
    var in = request.fields();
    UUID id = in.uuid("id");
    in.check();
    if (!access.revokeKey(request.caller().organizationId(), id)) {
      throw noSuchKey();
    }
    return Reply.nothing();
  }

  private static Reply answer(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Made(var made) ->
          Reply.json(new WireNewKey(WireKey.of(made.key()), made.token().text()));
      case Outcome.NoSuchKey() -> throw noSuchKey();
      case Outcome.AlreadyEnded() ->
          throw ApiError.conflict(
              "key_ended", "This key has expired or been revoked: create a new one.");
      case Outcome.TooManyKeys(int limit) ->
          throw ApiError.conflict(
              "too_many_keys",
              "The organization has %d valid keys: revoke some first.".formatted(limit));
    };
  }

  private static ApiError noSuchKey() {
    return ApiError.notFound("key_not_found", "The organization has no key of this id.");
  }

  private static List<String> labels(Set<Scope> scopes) {
    var labels = new ArrayList<String>(scopes.size());
    for (Scope scope : Scope.values()) {
      if (scopes.contains(scope)) {
        labels.add(scope.label());
      }
    }
    return labels;
  }
}
