package dev.mainstay.server.platform.http;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.Headers;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The address by which a client asks: the Host header over plain http, unless a trusted proxy
 * stands between and says otherwise in {@code Forwarded} or {@code X-Forwarded-*}. Of several
 * values the last counts, which is the one that the proxy itself wrote: those before it are
 * whatever its client sent.
 */
public record Origin(String scheme, String authority) {
  private static final HeaderName FORWARDED = HeaderNames.create("forwarded");
  private static final HeaderName FORWARDED_PROTO = HeaderNames.create("x-forwarded-proto");
  private static final HeaderName FORWARDED_HOST = HeaderNames.create("x-forwarded-host");
  private static final HeaderName FORWARDED_PORT = HeaderNames.create("x-forwarded-port");
  private static final Pattern SCHEME = Pattern.compile("https?");
  private static final Pattern AUTHORITY =
      Pattern.compile("([A-Za-z0-9._-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}])(:[0-9]{1,5})?");
  private static final Pattern PORT = Pattern.compile("[0-9]{1,5}");
  private static final Map<String, String> USUAL_PORTS = Map.of("http", "80", "https", "443");

  static Origin of(Headers headers, boolean fromProxy) {
    String host = last(headers, HeaderNames.HOST).orElse("");
    return fromProxy ? forwarded(headers, host) : new Origin("http", host);
  }

  private static Origin forwarded(Headers headers, String host) {
    Map<String, String> said = pairs(last(headers, FORWARDED).orElse(""));
    String scheme =
        sane(SCHEME, Optional.ofNullable(said.get("proto")))
            .or(() -> sane(SCHEME, last(headers, FORWARDED_PROTO)))
            .orElse("http");
    String authority =
        sane(AUTHORITY, Optional.ofNullable(said.get("host")))
            .or(
                () ->
                    sane(AUTHORITY, last(headers, FORWARDED_HOST))
                        .map(h -> port(headers, scheme, h)))
            .orElse(host);
    return new Origin(scheme, authority);
  }

  private static String port(Headers headers, String scheme, String host) {
    boolean named = host.matches(".*:[0-9]+");
    return sane(PORT, last(headers, FORWARDED_PORT))
        .filter(port -> !named && !port.equals(USUAL_PORTS.get(scheme)))
        .map(port -> host + ":" + port)
        .orElse(host);
  }

  private static Optional<String> sane(Pattern pattern, Optional<String> said) {
    return said.map(s -> pattern == SCHEME ? s.toLowerCase(Locale.ROOT) : s)
        .filter(s -> pattern.matcher(s).matches());
  }

  private static Optional<String> last(Headers headers, HeaderName name) {
    if (!headers.contains(name)) {
      return Optional.empty();
    }
    String all = String.join(",", headers.get(name).allValues());
    return Optional.of(all.substring(all.lastIndexOf(',') + 1).strip());
  }

  /** The pairs of an element of {@code Forwarded}. */
  private static Map<String, String> pairs(String element) {
    var pairs = new HashMap<String, String>();
    for (String pair : element.split(";", -1)) {
      String[] parts = pair.strip().split("=", 2);
      if (parts.length == 2) {
        pairs.put(parts[0].toLowerCase(Locale.ROOT), parts[1].replaceAll("^\"|\"$", ""));
      }
    }
    return pairs;
  }

  public boolean isSecure() {
    return scheme.equals("https");
  }

  /** The port it names; empty where it is the usual one. */
  public String port() {
    return authority.replaceFirst("^.*?(:([0-9]+))?$", "$2");
  }

  /** The authority without its port. */
  public String host() {
    return authority.replaceFirst(":[0-9]+$", "");
  }

  @Override
  public String toString() {
    return scheme + "://" + authority;
  }
}
