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
  private final URI publicUrl;

  Cookies(URI publicUrl) {
    this.publicUrl = publicUrl;
  }

  private boolean isSecure(Request request) {
    return "https".equalsIgnoreCase(publicUrl.getScheme())
        && request.header("host").orElse("").equalsIgnoreCase(publicUrl.getAuthority());
  }

  /** Whether what is sent can be read on the way: plain http that leaves the machine. */
  public boolean isOpenWire(Request request) {
    String host = request.header("host").orElse("").replaceFirst(":[0-9]+$", "");
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
    String port = request.header("host").orElse("").replaceFirst("^.*?(:([0-9]+))?$", "$2");
    return "mainstay" + (port.isEmpty() ? "" : "-" + port);
  }

  /** The secret that the browser holds. */
  public Optional<String> secret(Request request) {
    String start = name(request) + "=";
    for (String cookie : request.header("cookie").orElse("").split(";")) {
      if (cookie.strip().startsWith(start)) {
        return Optional.of(cookie.strip().substring(start.length())).filter(s -> !s.isEmpty());
      }
    }
    return Optional.empty();
  }

  /** The header that has the browser keep a secret for so long; for 0 seconds: forget it. */
  public String keep(Request request, String secret, long seconds) {
    return "%s=%s; Path=/; HttpOnly; SameSite=Lax; Max-Age=%d%s"
        .formatted(name(request), secret, seconds, isSecure(request) ? "; Secure" : "");
  }
}
