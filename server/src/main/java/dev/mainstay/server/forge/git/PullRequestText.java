package dev.mainstay.server.forge.git;

import dev.mainstay.server.forge.git.copy.Commit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The texts of a pull request, the branch that it asks for, whether it is a draft, and the sign
 * that its host writes before its number.
 */
public record PullRequestText(
    String title, String description, Optional<String> baseBranch, boolean draft, String sign) {
  private static final String SIGN = "#";
  private static final Pattern TITLE_LINE =
      Pattern.compile("\\s*merge-commit-title:(.*)", Pattern.CASE_INSENSITIVE);
  private static final Pattern BASE_LINE =
      Pattern.compile("base:\\s*(\\S+)\\s*", Pattern.CASE_INSENSITIVE);
  private static final Pattern DRAFT_LINE =
      Pattern.compile("draft:\\s*(\\S+)\\s*", Pattern.CASE_INSENSITIVE);

  /**
   * On plain git: in the commit of its {@code meta} reference where there is one, else in its
   * newest commit.
   */
  static PullRequestText of(Commit head, Optional<Commit> meta) {
    if (meta.isEmpty()) {
      List<String> lines = lines(head);
      return new PullRequestText(title(lines), join(rest(lines)), Optional.empty(), false, SIGN);
    }
    List<String> lines = lines(meta.get());
    List<String> rest = rest(lines);
    List<String> description =
        rest.stream()
            .filter(l -> !BASE_LINE.matcher(l).matches() && !DRAFT_LINE.matcher(l).matches())
            .toList();
    return new PullRequestText(
        title(lines),
        join(description),
        value(rest, BASE_LINE),
        value(rest, DRAFT_LINE)
            .map(v -> v.toLowerCase(Locale.ROOT))
            .filter(List.of("true", "yes")::contains)
            .isPresent(),
        SIGN);
  }

  /** The first line of what lands: as the description asks for, else the title and the number. */
  String landingTitle(int number) {
    return value(description.lines().toList(), TITLE_LINE)
        .map(String::strip)
        .filter(t -> !t.isEmpty())
        .orElseGet(() -> "%s (%s%d)".formatted(title, sign, number));
  }

  String landingBody() {
    return join(description.lines().filter(l -> !TITLE_LINE.matcher(l).matches()).toList());
  }

  private static List<String> lines(Commit commit) {
    return commit.readable(commit.message()).strip().lines().toList();
  }

  private static String title(List<String> lines) {
    return lines.isEmpty() ? "" : lines.getFirst().strip();
  }

  private static List<String> rest(List<String> lines) {
    return lines.isEmpty() ? lines : lines.subList(1, lines.size());
  }

  private static String join(List<String> lines) {
    return lines.stream().collect(Collectors.joining("\n")).strip();
  }

  private static Optional<String> value(List<String> lines, Pattern pattern) {
    return lines.stream()
        .map(pattern::matcher)
        .filter(java.util.regex.Matcher::matches)
        .map(m -> m.group(1))
        .findFirst();
  }
}
