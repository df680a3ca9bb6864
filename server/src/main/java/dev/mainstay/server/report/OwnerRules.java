package dev.mainstay.server.report;

import dev.mainstay.core.health.text.BoundedText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringTokenizer;

/**
 * The lines of a CODEOWNERS file: a pattern with its owners, or the head of one of GitLab's
 * sections, {@code [Name][2] @owner}, with a {@code ^} before it where it is optional. The owners
 * of a head are those of the section's rules that name none.
 */
final class OwnerRules {
  private static final int MOST_OWNERS = 50;

  /** A rule and the section it is in; one that excludes takes its files from the section. */
  record Rule(OwnerPattern pattern, int section, boolean excludes, Set<String> named) {}

  private final List<Rule> rules = new ArrayList<>();
  private final Map<String, Integer> sections = new HashMap<>();
  private final List<Set<String>> ownersOfSections = new ArrayList<>();
  private int section = section("");

  private OwnerRules() {}

  /** Empty where there are more rules and sections than are looked at. */
  static Optional<OwnerRules> read(String text) {
    var read = new OwnerRules();
    for (Iterator<String> lines = text.lines().iterator(); lines.hasNext(); ) {
      read.line(lines.next().strip());
      if (read.rules.size() + read.sections.size() > Limits.OWNER_RULES + 1) {
        return Optional.empty();
      }
    }
    return Optional.of(read);
  }

  List<Rule> rules() {
    return rules;
  }

  int sections() {
    return ownersOfSections.size();
  }

  Set<String> owners(Rule rule) {
    return rule.excludes() || !rule.named().isEmpty()
        ? rule.named()
        : ownersOfSections.get(rule.section());
  }

  private void line(String line) {
    if (line.isEmpty() || line.charAt(0) == '#') {
      return;
    }
    int open = line.startsWith("^[") ? 1 : 0;
    int close = line.charAt(open) == '[' ? line.indexOf(']', open) : -1;
    if (close > 0 && isHead(line, close + 1)) {
      section = section(line.substring(open + 1, close).strip().toLowerCase(Locale.ROOT));
      addOwners(line.substring(close + 1), ownersOfSections.get(section));
    } else {
      rule(line);
    }
  }

  /** True where a head may end here: what follows is the number of approvals, or owners. */
  private static boolean isHead(String line, int end) {
    return end == line.length()
        || Character.isWhitespace(line.charAt(end))
        || line.charAt(end) == '[';
  }

  private void rule(String line) {
    int end = patternLength(line);
    if (end > Limits.OWNER_PATTERN_LENGTH) {
      return;
    }
    boolean excludes = line.charAt(0) == '!';
    var named = new LinkedHashSet<String>();
    if (!excludes) {
      addOwners(line.substring(end), named);
    }
    OwnerPattern.of(line.substring(excludes ? 1 : 0, end))
        .ifPresent(pattern -> rules.add(new Rule(pattern, section, excludes, named)));
  }

  /** A pattern ends at the first blank that no backslash stands before. */
  private static int patternLength(String line) {
    int end = 0;
    while (end < line.length() && !Character.isWhitespace(line.charAt(end))) {
      end += line.charAt(end) == '\\' ? 2 : 1;
    }
    return Math.min(end, line.length());
  }

  private int section(String name) {
    return sections.computeIfAbsent(
        name,
        added -> {
          ownersOfSections.add(new LinkedHashSet<>());
          return ownersOfSections.size() - 1;
        });
  }

  private static void addOwners(String text, Set<String> owners) {
    var words = new StringTokenizer(text);
    while (words.hasMoreTokens() && owners.size() < MOST_OWNERS) {
      String word = words.nextToken();
      if (word.charAt(0) == '#') {
        return;
      }
      if (word.indexOf('@') >= 0) {
        owners.add(BoundedText.head(word, Limits.NAME_LENGTH));
      }
    }
  }
}
