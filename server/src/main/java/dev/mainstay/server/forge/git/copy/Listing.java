package dev.mainstay.server.forge.git.copy;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A listing of references as {@code git ls-remote} prints it: a commit and a name in each line. */
public final class Listing {
  private static final Pattern LINE = Pattern.compile("([0-9a-f]{40}|[0-9a-f]{64})\t(.*)");

  private Listing() {}

  /** The commits by the names of their references. */
  public static Map<String, String> read(String text) {
    Map<String, String> references = new TreeMap<>();
    text.lines()
        .map(LINE::matcher)
        .filter(Matcher::matches)
        .forEach(m -> references.put(m.group(2), m.group(1)));
    return references;
  }
}
