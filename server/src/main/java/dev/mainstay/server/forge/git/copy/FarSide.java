package dev.mainstay.server.forge.git.copy;

import dev.mainstay.server.forge.Networks;
import dev.mainstay.server.forge.Reach;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The far side of a copy: where it is, the credentials it asks for, which may change, how far this
 * node goes for it, and where it shows the heads of pull requests.
 */
public record FarSide(
    GitAddress address,
    Supplier<Optional<GitCredentials>> credentials,
    Reach reach,
    PullReferences pulls) {
  private static final Pattern LITERAL = Pattern.compile("\\[.*]|[0-9.]+");
  private static final int SSH = 22;
  private static final int HTTP = 80;
  private static final int HTTPS = 443;

  public FarSide(GitAddress address, Supplier<Optional<GitCredentials>> credentials, Reach reach) {
    this(address, credentials, reach, PullReferences.PULLS);
  }

  /** The settings by which git shows the credentials of now, to this place and no other. */
  Map<String, String> access(String place) {
    if (!address.isHttp()) {
      checkHost();
      return Map.of();
    }
    var settings = new LinkedHashMap<String, String>();
    Networks.Place allowed = allowed(URI.create(place));
    if (!allowed.addresses().isEmpty() && !LITERAL.matcher(allowed.host()).matches()) {
      // Git asks at these and no others, should the name stand for something else by then.
      settings.put("http.curloptResolve", resolved(allowed));
    }
    credentials.get().ifPresent(c -> settings.put("http." + place + ".extraHeader", c.header()));
    return environment(settings);
  }

  /** The place of an http address; one that may not be asked is refused. */
  Networks.Place allowed(URI at) {
    int usual = at.getScheme().equals("https") ? HTTPS : HTTP;
    return reach.networks().allowed(at.getRawAuthority(), usual);
  }

  /** Of ssh, which finds its way by settings of whoever runs this service. */
  private void checkHost() {
    if (!address.host().isEmpty()) {
      reach.networks().allowed(address.host(), SSH);
    }
  }

  private static String resolved(Networks.Place place) {
    return "%s:%d:%s"
        .formatted(
            place.host(),
            place.port(),
            place.addresses().stream()
                .map(InetAddress::getHostAddress)
                .map(a -> a.contains(":") ? "[" + a + "]" : a)
                .collect(Collectors.joining(",")));
  }

  private static Map<String, String> environment(Map<String, String> settings) {
    var result = new HashMap<String, String>();
    settings.forEach(
        (key, value) -> {
          int number = result.size() / 2;
          result.put("GIT_CONFIG_KEY_" + number, key);
          result.put("GIT_CONFIG_VALUE_" + number, value);
        });
    result.put("GIT_CONFIG_COUNT", String.valueOf(settings.size()));
    return result;
  }

  /**
   * The program of the far side, where that is on this disk: without hooks, unless they may run.
   */
  List<String> pushing() {
    return address.path().isEmpty() || reach.hooks()
        ? List.of()
        : List.of("--receive-pack=git -c core.hooksPath=/dev/null receive-pack");
  }

  /** The settings for every git on the copy, and for that of a far side on this disk. */
  String settings(Path copy) {
    var safe = new StringBuilder("[safe]\n  directory = " + quoted(copy) + "\n");
    address.path().stream()
        .flatMap(path -> Stream.of(path, real(path)).distinct())
        .flatMap(path -> Stream.of(path, path.resolve(".git")))
        .forEach(path -> safe.append("  directory = ").append(quoted(path)).append('\n'));
    return safe.toString();
  }

  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      return path;
    }
  }

  private static String quoted(Path path) {
    return '"' + path.toString().replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
