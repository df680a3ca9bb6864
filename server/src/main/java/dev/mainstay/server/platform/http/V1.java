package dev.mainstay.server.platform.http;

import dev.mainstay.server.platform.Json;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import java.util.Optional;
import java.util.function.Function;

/**
 * The surface of the API: a key in a header of its own or as a bearer token, and errors as problem
 * documents.
 */
public final class V1 {
  private static final HeaderName API_TOKEN = HeaderNames.create("x-api-token");
  private static final int MAX_TOKEN_LENGTH = 256;
  private static final String BEARER = "Bearer ";

  /** SPEC 4.1: this endpoint alone answers 401 with a sentence. */
  private static final String PLAIN_TEXT_401_PATH = "/v1/flaky-tests/list-failing-tests";

  private V1() {}

  /** {@code owner} finds the owner of a key. */
  public static Surface surface(Function<String, Optional<Caller>> owner) {
    return new Surface("/v1", byKey(owner), Surface.FOR_PROGRAMS, V1::error, Json::write);
  }

  /** Whoever sends a good key is its owner; {@code owner} finds that one. */
  public static Surface.Authentication byKey(Function<String, Optional<Caller>> owner) {
    return arrival -> Optional.of(authenticated(arrival, owner));
  }

  private static Caller authenticated(Arrival arrival, Function<String, Optional<Caller>> owner) {
    return key(arrival)
        .filter(token -> token.length() <= MAX_TOKEN_LENGTH)
        .flatMap(owner)
        .orElseThrow(ApiError::unauthorized);
  }

  /** The key that is sent, good or not. */
  static Optional<String> key(Arrival arrival) {
    return arrival.header(API_TOKEN).or(() -> bearer(arrival)).filter(token -> !token.isEmpty());
  }

  private static Optional<String> bearer(Arrival arrival) {
    return arrival
        .header(HeaderNames.AUTHORIZATION)
        .filter(header -> header.regionMatches(true, 0, BEARER, 0, BEARER.length()))
        .map(header -> header.substring(BEARER.length()).strip());
  }

  private static Reply error(ApiError error, Arrival arrival, String requestId) {
    return error.status() == 401 && arrival.path().equals(PLAIN_TEXT_401_PATH)
        ? Reply.text(401, error.detail()).with(error.headers())
        : Problem.reply(error, arrival, requestId);
  }
}
