package dev.mainstay.server.web.page;

import dev.mainstay.server.platform.http.Request;
import java.net.URI;
import java.util.Optional;

/**
 * The cookie of a session. Over https it is bound to the host and never sent in the clear; on plain
 * http, as on one's own machine, a browser would not keep such a cookie, and it gets another name,
 * with the port in it, since browsers do not tell ports apart.
 */
public final class Cookies {
  private static final String PENDING = "-pending";

  private final URI publicUrl;

  Cookies(URI publicUrl) {
    this.publicUrl = publicUrl;
  }

  private boolean isSecure(Request request) {
    return request.origin().isSecure() || isPublic(request);
  }

  /** Whether it came by the public address, and that is https. */
  private boolean isPublic(Request request) {
    return "https".equalsIgnoreCase(publicUrl.getScheme())
        && request.origin().authority().equalsIgnoreCase(publicUrl.getAuthority());
  }

  /** The address of a path of ours, as this browser would ask for it. */
  public String absolute(Request request, String path) {
    return isPublic(request) || request.origin().authority().isEmpty()
        ? publicUrl + path
        : request.origin() + path;
  }

  /** Whether what is sent can be read on the way: plain http that leaves the machine. */
  public boolean isOpenWire(Request request) {
    String host = request.origin().host();
    boolean own =
        host.equalsIgnoreCase("localhost")
            || host.startsWith("127.")
            || host.equals("[::1]")
            || host.endsWith(".localhost");
    return !isSecure(request) && !own;
  }

  private String name(Request request) {
    if (isSecure(request)) {
      return "__Host-mainstay";
    }
    String port = request.origin().port();
    return "mainstay" + (port.isEmpty() ? "" : "-" + port);
  }

  /** The secret that the browser holds. */
  public Optional<String> secret(Request request) {
    return value(request, name(request));
  }

  /** What the browser carries while somebody is at the identity provider. */
  public Optional<String> pending(Request request) {
    return value(request, name(request) + PENDING);
  }

  private static Optional<String> value(Request request, String name) {
    String start = name + "=";
    for (String cookie : request.header("cookie").orElse("").split(";", -1)) {
      if (cookie.strip().startsWith(start)) {
        return Optional.of(cookie.strip().substring(start.length())).filter(s -> !s.isEmpty());
      }
    }
    return Optional.empty();
  }

  /** The header that has the browser carry this to the identity provider and back. */
  public String carry(Request request, String pending, long seconds) {
    return cookie(request, name(request) + PENDING, pending, seconds);
  }

  /** The header that has the browser keep a secret for so long; for 0 seconds: forget it. */
  public String keep(Request request, String secret, long seconds) {
    return cookie(request, name(request), secret, seconds);
  }

  private String cookie(Request request, String name, String value, long seconds) {
    return "%s=%s; Path=/; HttpOnly; SameSite=Lax; Max-Age=%d%s"
        .formatted(name, value, seconds, isSecure(request) ? "; Secure" : "");
  }
}
