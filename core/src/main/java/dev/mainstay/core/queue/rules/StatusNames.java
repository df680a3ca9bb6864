package dev.mainstay.core.queue.rules;

import java.util.List;

/** The names of statuses in a sentence, of many the first few. */
public final class StatusNames {
  private static final int MOST = 5;

  private StatusNames() {}

  public static String of(List<String> names) {
    int shown = Math.min(names.size(), MOST);
    int left = names.size() - shown;
    if (names.size() == 1) {
      return names.getFirst();
    }
    return left > 0
        ? "%s and %d more".formatted(String.join(", ", names.subList(0, shown)), left)
        : "%s and %s".formatted(String.join(", ", names.subList(0, shown - 1)), names.getLast());
  }
}
