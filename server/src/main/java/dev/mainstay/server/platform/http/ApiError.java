package dev.mainstay.server.platform.http;

import java.util.List;
import java.util.Map;

/**
 * The caller's fault, or ours told politely. Thrown by {@code *Api} classes and by the HTTP layer,
 * written as the surface says, at the door alone.
 */
public final class ApiError extends RuntimeException {

  /** One fault of a request: where, and what to do about it. */
  public record Fault(String field, String message) {}

  private static final Map<String, String> CHALLENGE =
      Map.of("WWW-Authenticate", "Bearer realm=\"mainstay\"");

  private final int status;
  private final String code;
  private final String detail;
  private final transient List<Fault> faults;
  private final transient Map<String, String> headers;

  private ApiError(
      int status, String code, String detail, List<Fault> faults, Map<String, String> headers) {
    super(detail, null, false, false);
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.faults = List.copyOf(faults);
    this.headers = Map.copyOf(headers);
  }

  public static ApiError of(int status, String code, String detail) {
    return new ApiError(status, code, detail, List.of(), Map.of());
  }

  /** 400 with every fault of the request. */
  public static ApiError invalid(List<Fault> faults) {
    String detail =
        faults.size() == 1
            ? faults.getFirst().field() + ": " + faults.getFirst().message()
            : "The request has %d faults; see errors.".formatted(faults.size());
    return new ApiError(400, "invalid_request", detail, faults, Map.of());
  }

  public static ApiError badJson(String detail) {
    return of(400, "invalid_json", detail);
  }

  public static ApiError notFound(String code, String detail) {
    return of(404, code, detail);
  }

  public static ApiError conflict(String code, String detail) {
    return of(409, code, detail);
  }

  public static ApiError unauthorized() {
    return new ApiError(
        401,
        "unauthorized",
        "Send a valid API key in the x-api-token header, or as Authorization: Bearer; this one is"
            + " missing, unknown, expired or revoked.",
        List.of(),
        CHALLENGE);
  }

  /** 401 for a call that is proven by a signature, and not by a key. */
  public static ApiError unsigned() {
    return new ApiError(
        401,
        "signature_unknown",
        "No connected repository's secret has signed this call.",
        List.of(),
        CHALLENGE);
  }

  /** 401 for a call without a key that names a run of CI in its place. */
  public static ApiError unproven() {
    return new ApiError(
        401,
        "run_unknown",
        "Without a key, x-forked-workflow-run-id must name a run that is in progress for this"
            + " commit of a fork's pull request, in a repository that is connected to GitHub.",
        List.of(),
        CHALLENGE);
  }

  /** 429 for what may be tried again in so many seconds. */
  public static ApiError tooMany(String code, String detail, int seconds) {
    return new ApiError(
        429, code, detail, List.of(), Map.of("Retry-After", Integer.toString(seconds)));
  }

  public static ApiError busy() {
    return later(
        "busy", "The server has no room for this request right now; send it again in a moment.");
  }

  /** 503 for what may well be done in a moment. */
  static ApiError later(String code, String detail) {
    return new ApiError(503, code, detail, List.of(), Map.of("Retry-After", "2"));
  }

  static ApiError internal() {
    return of(
        500, "internal_error", "Something broke on our side; the log has it under the request id.");
  }

  static ApiError methodNotAllowed(String method, String allowed) {
    return new ApiError(
        405,
        "method_not_allowed",
        "%s is not allowed here; use %s.".formatted(method, allowed),
        List.of(),
        Map.of("Allow", allowed));
  }

  static ApiError diskFull() {
    return new ApiError(
        503,
        "disk_full",
        "A disk of the server is full: nothing of this request was stored. Send it again when there"
            + " is room.",
        List.of(),
        Map.of("Retry-After", "30"));
  }

  static ApiError unavailable() {
    return later(
        "unavailable", "The database does not answer; send the request again in a moment.");
  }

  public int status() {
    return status;
  }

  public String code() {
    return code;
  }

  public String detail() {
    return detail;
  }

  public List<Fault> faults() {
    return faults;
  }

  public Map<String, String> headers() {
    return headers;
  }
}
