package dev.mainstay.server.platform.http;

import dev.mainstay.server.platform.Json;
import java.util.LinkedHashMap;
import java.util.Map;

/** The one place that turns an error into an answer: an RFC 9457 problem document. */
final class Problem {
  private static final String CONTENT_TYPE = "application/problem+json";

  /** SPEC 4.1: this endpoint alone answers 401 with a sentence. */
  private static final String PLAIN_TEXT_401_PATH = "/v1/flaky-tests/list-failing-tests";

  private static final Map<Integer, String> TITLES =
      Map.ofEntries(
          Map.entry(400, "Bad request"),
          Map.entry(401, "Unauthorized"),
          Map.entry(403, "Forbidden"),
          Map.entry(404, "Not found"),
          Map.entry(405, "Method not allowed"),
          Map.entry(409, "Conflict"),
          Map.entry(413, "Body too large"),
          Map.entry(415, "Unsupported media type"),
          Map.entry(431, "Headers too large"),
          Map.entry(500, "Internal error"),
          Map.entry(503, "Unavailable"));

  private Problem() {}

  static Reply of(ApiError error, String path, String requestId) {
    if (error.status() == 401 && path.equals(PLAIN_TEXT_401_PATH)) {
      return Reply.text(401, error.detail());
    }
    var document = new LinkedHashMap<String, Object>();
    document.put("type", "about:blank");
    document.put("title", TITLES.getOrDefault(error.status(), "Error"));
    document.put("status", error.status());
    document.put("detail", error.detail());
    document.put("code", error.code());
    document.put("requestId", requestId);
    if (error.status() == 400) {
      document.put("errors", error.faults());
    }
    return new Reply(error.status(), CONTENT_TYPE, Json.write(document), error.headers());
  }

  static ApiError internal() {
    return ApiError.of(
        500, "internal_error", "Something broke on our side; the log has it under the request id.");
  }
}
