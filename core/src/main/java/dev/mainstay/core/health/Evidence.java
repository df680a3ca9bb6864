package dev.mainstay.core.health;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The evidence a monitor had when it decided.
 *
 * @param sentence what a developer reads
 * @param from the window it looked at, up to {@code to}
 * @param runs passes and failures that counted in the window
 * @param commits the latest first, at most {@link #MOST_COMMITS}
 * @param numbers further figures by name, such as the rate
 */
public record Evidence(
    String sentence,
    Instant from,
    Instant to,
    long runs,
    long failures,
    List<String> commits,
    SortedMap<String, Double> numbers) {
  public static final int MOST_COMMITS = 10;

  public Evidence {
    commits = commits.stream().limit(MOST_COMMITS).toList();
    numbers = Collections.unmodifiableSortedMap(new TreeMap<>(numbers));
  }
}
