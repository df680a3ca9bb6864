package dev.mainstay.server.queue.talk;

import dev.mainstay.core.queue.Priority;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A command that somebody gave by a line of a comment. */
sealed interface Command {
  /** The most that one comment may have. */
  int MOST = 5;

  record Merge(Optional<Priority> priority, Optional<Boolean> noBatch) implements Command {}

  record Cancel() implements Command {}

  record Restart() implements Command {}

  record Help() implements Command {}

  /** Not a command, and the line that says what is right. */
  record Wrong(String sentence) implements Command {}

  /** The commands among some lines: those that begin with one of the prefixes, as a whole word. */
  static List<Command> of(List<String> lines, List<String> prefixes) {
    var commands = new ArrayList<Command>();
    for (String line : lines) {
      List<String> words = Arrays.asList(line.strip().split("\\s+", -1));
      String prefix = words.getFirst().toLowerCase(Locale.ROOT);
      if (prefixes.contains(prefix)) {
        commands.add(read(prefix, words.subList(1, words.size()), line));
      }
    }
    return List.copyOf(commands);
  }

  /** Whether a line begins with one of these. */
  static boolean begins(String line, List<String> prefixes) {
    return !of(List.of(line), prefixes).isEmpty();
  }

  private static Command read(String prefix, List<String> words, String line) {
    String name = words.isEmpty() ? "" : words.getFirst().toLowerCase(Locale.ROOT);
    List<String> rest = words.isEmpty() ? words : words.subList(1, words.size());
    return switch (name) {
      case "merge" -> merge(rest);
      case "cancel" -> alone(new Cancel(), name, rest);
      case "restart" -> alone(new Restart(), name, rest);
      case "help", "" -> new Help();
      default -> new Wrong(Words.noCommand(line, prefix));
    };
  }

  private static Command alone(Command command, String name, List<String> rest) {
    return rest.isEmpty() ? command : new Wrong(Words.noOption(rest.getFirst(), name));
  }

  private static Command merge(List<String> options) {
    Optional<Priority> priority = Optional.empty();
    Optional<Boolean> noBatch = Optional.empty();
    Iterator<String> all = options.iterator();
    while (all.hasNext()) {
      String option = all.next().toLowerCase(Locale.ROOT);
      if (option.equals("--no-batch")) {
        noBatch = Optional.of(true);
      } else if (option.equals("--priority") || option.startsWith("--priority=")) {
        String value =
            option.contains("=")
                ? option.substring(option.indexOf('=') + 1)
                : all.hasNext() ? all.next().toLowerCase(Locale.ROOT) : "";
        priority = priority(value);
        if (priority.isEmpty()) {
          return new Wrong(Words.noPriority(value));
        }
      } else {
        return new Wrong(Words.noOption(option, "merge"));
      }
    }
    return new Merge(priority, noBatch);
  }

  private static Optional<Priority> priority(String value) {
    if (value.matches("\\d{1,3}") && Integer.parseInt(value) <= 255) {
      return Optional.of(new Priority(Integer.parseInt(value)));
    }
    return List.of(Priority.URGENT, Priority.HIGH, Priority.MEDIUM, Priority.LOW).stream()
        .filter(p -> p.name().equals(Optional.of(value)))
        .findFirst();
  }
}
