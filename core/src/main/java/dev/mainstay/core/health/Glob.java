package dev.mainstay.core.health;

/**
 * A pattern for names of branches: {@code *} is any characters, slashes too, and {@code ?} one
 * character. Takes at most (pattern × text) steps, whatever the pattern.
 */
public record Glob(String pattern) {

  public boolean matches(String text) {
    int p = 0;
    int t = 0;
    int star = -1;
    int resume = 0;
    while (t < text.length()) {
      if (p < pattern.length() && pattern.charAt(p) == '*') {
        star = p++;
        resume = t;
      } else if (p < pattern.length() && fits(pattern.charAt(p), text.charAt(t))) {
        p++;
        t++;
      } else if (star >= 0) {
        p = star + 1;
        t = ++resume;
      } else {
        return false;
      }
    }
    while (p < pattern.length() && pattern.charAt(p) == '*') {
      p++;
    }
    return p == pattern.length();
  }

  private static boolean fits(char pattern, char text) {
    return pattern == '?' || pattern == text;
  }
}
