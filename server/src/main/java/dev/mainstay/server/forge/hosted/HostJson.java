package dev.mainstay.server.forge.hosted;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.RefNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Values of answers, bounded and checked: a host may say anything. */
public final class HostJson {
  private static final int MOST_NUMBER = 999_999_999;
  private static final int MOST_NAMES = 1000;
  private static final int MOST_NAME = 500;

  private HostJson() {}

  public static Optional<CommitSha> commit(JsonNode value) {
    return Optional.of(value.asString(""))
        .filter(text -> !text.isEmpty())
        .map(CommitSha::new)
        .filter(RefNames::isCommit);
  }

  public static Optional<String> branch(JsonNode value) {
    return Optional.of(value.asString("")).filter(RefNames::isBranch);
  }

  public static Optional<PullRequestRef> number(JsonNode value) {
    return Optional.of(value.asInt(0))
        .filter(number -> number > 0 && number <= MOST_NUMBER)
        .map(PullRequestRef::new);
  }

  /** A count, of which a host may say that it is that and more. */
  public static Optional<Integer> count(JsonNode value) {
    return Optional.of(value.asString(""))
        .map(text -> text.endsWith("+") ? text.substring(0, text.length() - 1) : text)
        .filter(text -> text.matches("[0-9]{1,9}"))
        .map(Integer::valueOf);
  }

  /** At most so many characters, and none cut in two. */
  public static String text(JsonNode value, int most) {
    return cut(value.asString(""), most);
  }

  public static String cut(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
    return text.substring(0, end);
  }

  /** Names, such as those of people or checks. */
  public static List<String> names(JsonNode values) {
    var names = new ArrayList<String>();
    for (JsonNode value : values) {
      String name = text(value, MOST_NAME);
      if (!name.isEmpty() && names.size() < MOST_NAMES) {
        names.add(name);
      }
    }
    return names;
  }

  /** An address of the web; empty where it is none. */
  public static Optional<String> url(JsonNode value) {
    return Optional.of(text(value, 2000)).filter(url -> url.matches("https?://[!-~]+"));
  }
}
