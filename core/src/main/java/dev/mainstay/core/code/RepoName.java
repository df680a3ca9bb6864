package dev.mainstay.core.code;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A repository: where it is hosted, its owner (which may hold slashes: nested groups) and its name.
 * Two spellings that differ only in case name the same repository; see {@link #key}.
 */
public record RepoName(String host, String owner, String name) {
  public static final int MAX_HOST_LENGTH = 259;
  public static final int MAX_OWNER_LENGTH = 300;
  public static final int MAX_NAME_LENGTH = 200;
  public static final int MAX_LENGTH = MAX_HOST_LENGTH + 1 + MAX_OWNER_LENGTH + 1 + MAX_NAME_LENGTH;

  private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._-]{1,253}(:\\d{1,5})?");
  private static final int MAX_SEGMENT_LENGTH = 200;
  private static final Pattern SCP_ADDRESS = Pattern.compile("[A-Za-z0-9._-]+@([^:/]+):(?!//)(.*)");
  private static final Pattern URL =
      Pattern.compile("(?:https?|ssh|git|git\\+ssh)://(?:[^@/]*@)?([^/]+)/(.*)");

  public RepoName {
    if (!isHost(host) || !isOwner(owner) || !isSegment(name)) {
      throw new IllegalArgumentException("not a repository");
    }
  }

  /**
   * Reads {@code host/owner/name}, or the address that git knows a repository by, in which a blank
   * is written {@code %20}.
   */
  public static Optional<RepoName> parse(String text) {
    String path = text.strip();
    var scp = SCP_ADDRESS.matcher(path);
    var url = URL.matcher(path);
    if (scp.matches()) {
      path = scp.group(1) + "/" + scp.group(2).replace("%20", " ");
    } else if (url.matches()) {
      path =
          url.group(1).replaceFirst(":(22|80|443)$", "") + "/" + url.group(2).replace("%20", " ");
    }
    path = path.replaceFirst("/+$", "").replaceFirst("\\.git$", "");
    int host = path.indexOf('/');
    int name = path.lastIndexOf('/');
    if (host < 1 || name <= host) {
      return Optional.empty();
    }
    return of(path.substring(0, host), path.substring(host + 1, name), path.substring(name + 1));
  }

  public static Optional<RepoName> of(String host, String owner, String name) {
    try {
      return Optional.of(new RepoName(host, owner, name));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** The same for all spellings of one repository. */
  public String key() {
    return toString().toLowerCase(Locale.ROOT);
  }

  @Override
  public String toString() {
    return host + "/" + owner + "/" + name;
  }

  private static boolean isHost(String text) {
    return HOST.matcher(text).matches();
  }

  private static boolean isSegment(String text) {
    return !text.isEmpty()
        && text.codePointCount(0, text.length()) <= MAX_SEGMENT_LENGTH
        && text.chars().noneMatch(RepoName::isForbidden)
        && text.charAt(0) != ' '
        && text.charAt(text.length() - 1) != ' '
        && !text.equals(".")
        && !text.equals("..");
  }

  private static boolean isForbidden(int c) {
    return Character.isISOControl(c) || c == '/' || c == '#' || c == '?';
  }

  private static boolean isOwner(String text) {
    if (text.codePointCount(0, text.length()) > MAX_OWNER_LENGTH) {
      return false;
    }
    for (String segment : text.split("/", -1)) {
      if (!isSegment(segment)) {
        return false;
      }
    }
    return true;
  }
}
