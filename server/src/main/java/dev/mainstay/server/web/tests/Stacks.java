package dev.mainstay.server.web.tests;

import dev.mainstay.server.web.tests.Answers.Group;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Two groups of failures side by side: the lines that only one of them has are marked. */
public record Stacks(Side left, Side right) {

  public record Side(Group group, List<Line> lines) {}

  public record Line(String text, boolean isOwn) {}

  /** Empty unless both are named and are two. */
  static Optional<Stacks> of(List<Group> groups, String left, String right) {
    return left.equals(right)
        ? Optional.empty()
        : find(groups, left).flatMap(l -> find(groups, right).map(r -> of(l, r)));
  }

  private static Optional<Group> find(List<Group> groups, String key) {
    return groups.stream().filter(group -> group.key().equals(key)).findFirst();
  }

  static Stacks of(Group left, Group right) {
    return new Stacks(side(left, right), side(right, left));
  }

  private static Side side(Group group, Group other) {
    Set<String> theirs = new HashSet<>(text(other).lines().map(String::strip).toList());
    return new Side(
        group,
        text(group)
            .lines()
            .map(line -> new Line(line, !line.isBlank() && !theirs.contains(line.strip())))
            .toList());
  }

  private static String text(Group group) {
    return group.stack().isBlank() ? group.message() : group.stack();
  }
}
