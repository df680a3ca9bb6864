package dev.mainstay.server.forge.git.copy;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address of a git repository: a path, or a file, http(s) or ssh address. Anybody may read it;
 * the credentials that a user wrote into an http address are kept apart from it.
 */
public record GitAddress(String location) {
  private static final int MAX_LENGTH = 2000;
  private static final String FORMS =
      "a path from the root such as /srv/git/app.git, or an address that begins with file://, http://, https:// or ssh://, or user@host:path";
  private static final Pattern URL =
      Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*)://(?:([^/?#@]*)@)?([^/@]*)(/.*)?");
  private static final Pattern SCP =
      Pattern.compile("(?:[A-Za-z0-9_.][A-Za-z0-9_.+-]*@)?[A-Za-z0-9][A-Za-z0-9.-]*:(?!:)[^-].*");
  private static final Pattern HOST =
      Pattern.compile("([A-Za-z0-9]([A-Za-z0-9._-]*)|\\[[0-9A-Fa-f:.]+])(:\\d{1,5})?");
  private static final Pattern SSH_USER = Pattern.compile("[A-Za-z0-9_.][A-Za-z0-9_.+-]*");

  /** An address as a user gives it, which may hold credentials. */
  public record Given(GitAddress address, Optional<GitCredentials> credentials) {
    private static Given open(String location) {
      return new Given(new GitAddress(location), Optional.empty());
    }
  }

  /** Refuses what is no address by an IllegalArgumentException that says why. */
  public static Given parse(String text) {
    if (text.isBlank()) {
      throw new IllegalArgumentException("The address of the repository is missing.");
    }
    if (text.length() > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "The address of a repository has at most " + MAX_LENGTH + " characters.");
    }
    if (text.codePoints().anyMatch(c -> Character.isISOControl(c) || Character.isWhitespace(c))) {
      throw new IllegalArgumentException(
          "The address of a repository holds no spaces and no control characters.");
    }
    if (text.startsWith("/")) {
      return Given.open(text);
    }
    Matcher url = URL.matcher(text);
    if (url.matches()) {
      return ofUrl(url);
    }
    if (SCP.matcher(text).matches() && !text.contains("://")) {
      return Given.open(text);
    }
    throw new IllegalArgumentException(
        "This is not the address of a repository: use " + FORMS + ".");
  }

  private static Given ofUrl(Matcher url) {
    String scheme = url.group(1).toLowerCase(Locale.ROOT);
    Optional<String> user = Optional.ofNullable(url.group(2));
    String host = url.group(3);
    String path = Optional.ofNullable(url.group(4)).orElse("");
    return switch (scheme) {
      case "file" -> ofFile(user, host, path);
      case "http", "https" -> {
        checkHost(host, path);
        yield new Given(
            new GitAddress(scheme + "://" + host + path), user.map(GitAddress::credentials));
      }
      case "ssh" -> {
        checkHost(host, path);
        yield Given.open("ssh://" + user.map(GitAddress::sshUser).orElse("") + host + path);
      }
      default ->
          throw new IllegalArgumentException(
              "Repositories are not read by %s: use %s.".formatted(scheme, FORMS));
    };
  }

  private static Given ofFile(Optional<String> user, String host, String path) {
    if (user.isPresent() || !(host.isEmpty() || host.equals("localhost")) || path.isEmpty()) {
      throw new IllegalArgumentException(
          "A file address names a path on this machine, such as file:///srv/git/app.git.");
    }
    return Given.open("file://" + path);
  }

  private static void checkHost(String host, String path) {
    if (!HOST.matcher(host).matches()) {
      throw new IllegalArgumentException("The address of the repository names no valid host.");
    }
    if (path.length() < 2) {
      throw new IllegalArgumentException(
          "The address names a host but no repository on it: add its path.");
    }
  }

  private static String sshUser(String user) {
    if (!SSH_USER.matcher(user).matches()) {
      throw new IllegalArgumentException(
          "An ssh address holds at most a user name; the key belongs to the user who runs this service.");
    }
    return user + "@";
  }

  private static GitCredentials credentials(String userInfo) {
    int colon = userInfo.indexOf(':');
    return colon < 0
        ? new GitCredentials(decode(userInfo), "")
        : new GitCredentials(
            decode(userInfo.substring(0, colon)), decode(userInfo.substring(colon + 1)));
  }

  private static String decode(String text) {
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      // Not the reason that is given there: it holds a part of the password.
      throw new IllegalArgumentException(
          "The credentials in the address are not encoded as they must be: write %25 for %.");
    }
  }

  boolean isHttp() {
    return location.startsWith("http://") || location.startsWith("https://");
  }

  /** The host with its port; empty for a path on this machine. */
  public String host() {
    Matcher url = URL.matcher(location);
    if (url.matches()) {
      return url.group(3);
    }
    String host = location.startsWith("/") ? "" : location.substring(0, location.indexOf(':'));
    return host.substring(host.indexOf('@') + 1);
  }

  /** The directory that it names, where that is on this machine. */
  Optional<Path> path() {
    return location.startsWith("/")
        ? Optional.of(Path.of(location))
        : location.startsWith("file://")
            ? Optional.of(Path.of(location.substring("file://".length())))
            : Optional.empty();
  }

  /** The page of a pull request, as far as an address tells; else empty. */
  public String pullRequestUrl(int number) {
    return isHttp()
        ? location.replaceFirst("/+$", "").replaceFirst("\\.git$", "") + "/pull/" + number
        : "";
  }

  @Override
  public String toString() {
    return location;
  }
}
