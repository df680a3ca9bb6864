package dev.mainstay.server.web.page;

import dev.mainstay.server.platform.Json;
import dev.mainstay.server.platform.http.ApiError;
import dev.mainstay.server.platform.http.Arrival;
import dev.mainstay.server.platform.http.Problem;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Surface;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The surface of pages: HTML with strict headers, and errors as pages. */
public final class Html {
  /** The one style that Turbo brings along, that of its progress bar, by its hash. */
  private static final String TURBO_STYLE = "'sha256-WAyOw4V+FqDc35lQPyRADLBWbuNK8ahvYEaQIYF1+Ps='";

  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'none'; script-src 'self'; style-src 'self' "
              + TURBO_STYLE
              + "; img-src 'self';"
              + " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
          "X-Content-Type-Options",
          "nosniff",
          "Referrer-Policy",
          "same-origin",
          "Cross-Origin-Opener-Policy",
          "same-origin",
          "Cross-Origin-Resource-Policy",
          "same-origin",
          "Permissions-Policy",
          "camera=(), geolocation=(), microphone=()",
          "Cache-Control",
          "private, no-cache");

  private Html() {}

  /** An error as its page shows it. */
  public record ErrorModel(
      int status, String title, String sentence, List<ApiError.Fault> faults, String requestId) {}

  public static Surface surface(Kit kit) {
    return new Surface(
        "",
        arrival -> Optional.empty(),
        HEADERS,
        (error, arrival, requestId) -> error(kit, error, arrival, requestId),
        Json::write);
  }

  /** A page for people, and a problem document for programs that came to a wrong address. */
  private static Reply error(Kit kit, ApiError error, Arrival arrival, String requestId) {
    if (!arrival.header("accept").orElse("").contains("text/html")) {
      return Problem.reply(error, arrival, requestId);
    }
    var model =
        new ErrorModel(error.status(), title(error), error.detail(), error.faults(), requestId);
    Frame frame = Frame.bare(title(error), kit.assets());
    return kit.templates()
        .packed("error", frame, model)
        .plain()
        .with(error.status())
        .with(error.headers());
  }

  private static String title(ApiError error) {
    return switch (error.status()) {
      case 403 -> "Not allowed";
      case 404 -> "Nothing here";
      case 409 -> "That does not go now";
      case 503 -> "In a moment";
      case 500 -> "Something broke";
      default -> "That did not work";
    };
  }
}
