package dev.mainstay.server.platform.http;

import java.util.LinkedHashMap;
import java.util.Map;

/** Errors as RFC 9457 problem documents. */
public final class Problem {
  private static final String CONTENT_TYPE = "application/problem+json";

  private static final Map<Integer, String> TITLES =
      Map.ofEntries(
          Map.entry(400, "Bad request"),
          Map.entry(401, "Unauthorized"),
          Map.entry(403, "Forbidden"),
          Map.entry(404, "Not found"),
          Map.entry(405, "Method not allowed"),
          Map.entry(409, "Conflict"),
          Map.entry(413, "Body too large"),
          Map.entry(414, "URI too long"),
          Map.entry(415, "Unsupported media type"),
          Map.entry(431, "Headers too large"),
          Map.entry(500, "Internal error"),
          Map.entry(503, "Unavailable"),
          Map.entry(505, "HTTP version not supported"));

  private Problem() {}

  public static Reply reply(ApiError error, Arrival arrival, String requestId) {
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
    return new Reply(error.status(), new Reply.Value(CONTENT_TYPE, document), error.headers());
  }
}
