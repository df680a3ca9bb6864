package dev.mainstay.server.web.graph;

import dev.mainstay.server.web.graph.QueuePicture.Entry;
import dev.mainstay.server.web.graph.QueuePicture.Run;
import dev.mainstay.server.web.svg.PlainText;
import java.util.List;
import java.util.stream.Collectors;

/** What is said about a unit in words. */
final class Words {
  private static final int MOST_NAMED = 6;
  private static final int TITLE = 120;

  private Words() {}

  /** The state, and how far its checks are. */
  static String state(Unit unit) {
    return unit.look().words + (unit.showsProgress() ? " " + checks(unit) : "");
  }

  /** The same where there is little room. */
  static String brief(Unit unit) {
    return unit.showsProgress() ? checks(unit) : unit.look().brief;
  }

  private static String checks(Unit unit) {
    return unit.run().map(r -> r.checksDone() + "/" + r.checksTotal()).orElse("");
  }

  static String head(Unit unit) {
    return switch (unit.kind()) {
      case PULL_REQUEST -> "#" + unit.first().number();
      case BATCH -> "Batch of " + unit.members().size();
      case FOLD -> "#" + unit.first().number() + " … #" + unit.members().getLast().number();
    };
  }

  /** A priority that says something. */
  static String priority(Entry entry) {
    return entry.priority().equalsIgnoreCase("medium") ? "" : entry.priority();
  }

  /** One sentence for those who listen. */
  static String label(Unit unit) {
    return switch (unit.kind()) {
      case PULL_REQUEST ->
          head(unit) + " " + PlainText.clean(unit.first().title(), TITLE) + ", " + state(unit);
      case BATCH -> head(unit) + ": " + numbers(numbersOf(unit)) + ", " + state(unit);
      case FOLD -> head(unit) + ", " + unit.members().size() + " more";
    };
  }

  /** All that is known, for those who point at it. */
  static String hover(Unit unit) {
    Entry first = unit.first();
    String by = first.author().isBlank() ? "" : " by " + PlainText.clean(first.author(), 60);
    String urgent = priority(first).isEmpty() ? "" : ", priority " + priority(first);
    String targets =
        first.targets().isEmpty()
            ? ""
            : ". Targets: " + first.targets().stream().limit(5).collect(Collectors.joining(", "));
    String on =
        unit.run()
            .map(Run::dependents)
            .filter(d -> !d.isEmpty())
            .map(d -> ". On top of " + numbers(d))
            .orElse("");
    String why = first.reason().isBlank() ? "" : ". " + PlainText.clean(first.reason(), 200);
    return unit.kind() == Unit.Kind.FOLD
        ? label(unit)
        : label(unit) + (unit.kind() == Unit.Kind.BATCH ? "" : by + urgent + targets) + on + why;
  }

  static List<Integer> numbersOf(Unit unit) {
    return unit.members().stream().map(Entry::number).toList();
  }

  static String numbers(List<Integer> numbers) {
    String some =
        numbers.stream().limit(MOST_NAMED).map(n -> "#" + n).collect(Collectors.joining(", "));
    return numbers.size() <= MOST_NAMED ? some : some + " +" + (numbers.size() - MOST_NAMED);
  }
}
