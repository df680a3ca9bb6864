package dev.mainstay.server.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The pattern of a rule in a CODEOWNERS file, folder by folder: {@code *} is any characters of a
 * name, {@code ?} is one, {@code **} any folders, a backslash takes the next character as it is.
 * One that does not begin with a slash fits in any folder, one that names a folder fits all below
 * it; only where it ends in a name that begins with a star behind a slash, it fits that folder
 * alone. It takes at most (pattern × path) steps: of several stars only the last is tried again.
 */
final class OwnerPattern {
  /** Stand for wildcards: no text that was cleaned has these characters. */
  private static final char STAR = '\uFFFF';

  private static final char ONE = '\uFFFE';
  private static final String FOLDERS = "" + STAR + STAR;
  private static final String ANY_NAME = "" + STAR;

  private final List<String> names;

  private OwnerPattern(List<String> names) {
    this.names = names;
  }

  /** Empty where no path can fit. */
  static Optional<OwnerPattern> of(String text) {
    String plain = wildcards(text);
    var names = new ArrayList<>(split(plain));
    if (names.isEmpty()) {
      return Optional.empty();
    }
    String last = names.getLast();
    if (plain.endsWith("/") || (last.equals(FOLDERS) && names.size() > 1)) {
      names.add(ANY_NAME);
      names.add(FOLDERS);
    } else if (last.charAt(0) != STAR || plain.indexOf('/') < 0) {
      names.add(FOLDERS);
    }
    if (!plain.startsWith("/")) {
      names.addFirst(FOLDERS);
    }
    return Optional.of(new OwnerPattern(List.copyOf(names)));
  }

  private static String wildcards(String text) {
    var plain = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\' && i + 1 < text.length()) {
        plain.append(text.charAt(++i));
      } else {
        plain.append(c == '*' ? STAR : c == '?' ? ONE : c);
      }
    }
    return plain.toString();
  }

  /** The names between the slashes of a path. */
  static List<String> split(String path) {
    var names = new ArrayList<String>();
    int from = 0;
    while (from < path.length()) {
      int slash = path.indexOf('/', from);
      int to = slash < 0 ? path.length() : slash;
      if (to > from) {
        names.add(path.substring(from, to));
      }
      from = to + 1;
    }
    return names;
  }

  /** The names that a path must have to fit. */
  Stream<String> plainNames() {
    return names.stream().filter(name -> name.indexOf(STAR) < 0 && name.indexOf(ONE) < 0);
  }

  /** False also where the steps are used up. */
  boolean fits(List<String> path, Steps steps) {
    int p = 0;
    int t = 0;
    int folders = -1;
    int resume = 0;
    while (t < path.size() && steps.take()) {
      if (p < names.size() && names.get(p).equals(FOLDERS)) {
        folders = p++;
        resume = t;
      } else if (p < names.size() && fits(names.get(p), path.get(t), steps)) {
        p++;
        t++;
      } else if (folders >= 0) {
        p = folders + 1;
        t = ++resume;
      } else {
        return false;
      }
    }
    while (p < names.size() && names.get(p).equals(FOLDERS)) {
      p++;
    }
    return p == names.size() && t == path.size();
  }

  private static boolean fits(String pattern, String name, Steps steps) {
    int p = 0;
    int t = 0;
    int star = -1;
    int resume = 0;
    while (t < name.length() && steps.take()) {
      char wanted = p < pattern.length() ? pattern.charAt(p) : STAR - 2;
      if (wanted == STAR) {
        star = p++;
        resume = t;
      } else if (p < pattern.length() && (wanted == ONE || wanted == name.charAt(t))) {
        p++;
        t++;
      } else if (star >= 0) {
        p = star + 1;
        t = ++resume;
      } else {
        return false;
      }
    }
    while (p < pattern.length() && pattern.charAt(p) == STAR) {
      p++;
    }
    return p == pattern.length() && t == name.length();
  }

  /** What may still be spent on the search for owners. */
  static final class Steps {
    private final long most;
    private long taken;

    Steps(long most) {
      this.most = most;
    }

    boolean take() {
      return take(1);
    }

    boolean take(int some) {
      taken += some;
      return taken <= most;
    }

    long taken() {
      return taken;
    }

    boolean areUsedUp() {
      return taken > most;
    }
  }
}
