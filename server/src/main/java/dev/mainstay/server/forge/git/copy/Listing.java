package dev.mainstay.server.forge.git.copy;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A listing of references as {@code git ls-remote} prints it: a commit and a name in each line. */
public final class Listing {
  private Listing() {}

  /** The commits by the names of their references. */
  public static Map<String, String> read(String text) {
    Map<String, String> references = new TreeMap<>();
    text.lines()
        .forEach(
            line -> {
              int tab = line.indexOf('\t');
              if (isObject(line, tab)) {
                references.put(line.substring(tab + 1), line.substring(0, tab));
              }
            });
    return references;
  }

  /** The same of these names only; git also lists names that end in one of them. */
  static Map<String, String> read(String text, List<String> patterns) {
    Map<String, String> references = read(text);
    references.keySet().removeIf(name -> patterns.stream().noneMatch(p -> matches(p, name)));
    return references;
  }

  private static boolean matches(String pattern, String name) {
    return pattern.endsWith("*")
        ? name.startsWith(pattern.substring(0, pattern.length() - 1))
        : name.equals(pattern);
  }

  private static boolean isObject(String line, int length) {
    for (int i = 0; i < length; i++) {
      char c = line.charAt(i);
      if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
        return false;
      }
    }
    return length == 40 || length == 64;
  }
}
