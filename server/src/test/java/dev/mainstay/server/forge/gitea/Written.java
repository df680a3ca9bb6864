package dev.mainstay.server.forge.gitea;

import java.util.ArrayList;
import java.util.List;

/** A text about a pull request as tests write it: a title, what it says, and lines that set it. */
record Written(String title, String text, String base, boolean draft) {
  private static final String BASE = "base: ";

  static Written of(String whole) {
    String[] parts = whole.split("\n", 2);
    List<String> lines = new ArrayList<>(parts.length < 2 ? List.of() : parts[1].lines().toList());
    boolean draft = lines.remove("draft: true");
    String base =
        lines.stream().filter(line -> line.startsWith(BASE)).findFirst().orElse(BASE + "main");
    lines.remove(base);
    return new Written(
        parts[0], String.join("\n", lines).strip(), base.substring(BASE.length()), draft);
  }
}
