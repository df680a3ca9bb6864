package dev.mainstay.server.forge.gitea;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Names by patterns, as Gitea writes them for branches and checks: {@code * ** ? [a-z] {a,b}}.
 * Whoever writes one cannot make us work for long: it takes its length times that of the name.
 */
final class GiteaGlob {
  private static final int LONGEST = 300;
  private static final int MOST_CHOICES = 100;

  private final String pattern;
  private final boolean slashesCount;

  private GiteaGlob(String pattern, boolean slashesCount) {
    this.pattern = pattern;
    this.slashesCount = slashesCount;
  }

  static boolean isPattern(String name) {
    return name.chars().anyMatch(c -> "*?[]{}\\".indexOf(c) >= 0);
  }

  /** Checks: a star stands for anything. */
  static boolean matchesCheck(String pattern, String name) {
    return matches(pattern, name, false);
  }

  /** Branches: one star stays between slashes, two go over them. */
  static boolean matchesBranch(String pattern, String name) {
    return matches(pattern, name, true);
  }

  private static boolean matches(String pattern, String name, boolean slashesCount) {
    if (!isPattern(pattern) || pattern.length() > LONGEST || name.length() > LONGEST) {
      return pattern.equals(name);
    }
    return choices(pattern).stream()
        .anyMatch(choice -> new GiteaGlob(choice, slashesCount).matches(name));
  }

  /** The pattern without braces, once for each choice that they give. */
  private static List<String> choices(String pattern) {
    Deque<String> open = new ArrayDeque<>(List.of(pattern));
    var done = new ArrayList<String>();
    while (!open.isEmpty() && done.size() + open.size() < MOST_CHOICES) {
      String next = open.removeFirst();
      int end = next.indexOf('}');
      int begin = end < 0 ? -1 : next.lastIndexOf('{', end);
      if (begin < 0) {
        done.add(next);
      } else {
        for (String choice : next.substring(begin + 1, end).split(",", -1)) {
          open.add(next.substring(0, begin) + choice + next.substring(end + 1));
        }
      }
    }
    return done;
  }

  /** Goes through the pattern with all the places in the name that it may have come to. */
  private boolean matches(String name) {
    boolean[] at = new boolean[name.length() + 1];
    at[0] = true;
    for (int i = 0; i < pattern.length(); ) {
      char c = pattern.charAt(i);
      int end = i + 1;
      if (c == '*') {
        while (end < pattern.length() && pattern.charAt(end) == '*') {
          end++;
        }
        spread(at, name, end - i > 1);
      } else {
        int close = c == '[' ? pattern.indexOf(']', i + 2) : -1;
        end = close > 0 ? close + 1 : c == '\\' ? Math.min(i + 2, pattern.length()) : end;
        step(at, name, pattern.substring(i, end));
      }
      i = end;
    }
    return at[name.length()];
  }

  private void spread(boolean[] at, String name, boolean overSlashes) {
    for (int i = 0; i < name.length(); i++) {
      at[i + 1] |= at[i] && (overSlashes || !slashesCount || name.charAt(i) != '/');
    }
  }

  private void step(boolean[] at, String name, String one) {
    for (int i = name.length(); i > 0; i--) {
      at[i] = at[i - 1] && fits(one, name.charAt(i - 1));
    }
    at[0] = false;
  }

  private boolean fits(String one, char c) {
    if (one.equals("?")) {
      return !slashesCount || c != '/';
    }
    if (one.startsWith("[") && one.length() > 2) {
      boolean not = one.charAt(1) == '!' || one.charAt(1) == '^';
      return not != isIn(one.substring(not ? 2 : 1, one.length() - 1), c);
    }
    return one.charAt(one.length() - 1) == c;
  }

  private static boolean isIn(String set, char c) {
    boolean range = set.length() == 3 && set.charAt(1) == '-';
    return range ? set.charAt(0) <= c && c <= set.charAt(2) : set.indexOf(c) >= 0;
  }
}
