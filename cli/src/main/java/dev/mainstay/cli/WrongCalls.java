package dev.mainstay.cli;

import dev.mainstay.cli.shell.Table;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Calls that no command understands: one sentence, what may be meant, and where to read more. */
final class WrongCalls {
  private static final int EXIT_CODE = 2;
  private static final int MOST_GUESSES = 3;
  private static final int NO_GUESS = Integer.MAX_VALUE;

  private WrongCalls() {}

  static int explain(ParameterException e, String[] arguments) {
    CommandLine command = e.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    command
        .getErr()
        .printf("mainstay: %s See `%s --help`.%n", Table.harmless(sentence(e, name)), name);
    command.getErr().flush();
    return EXIT_CODE;
  }

  private static String sentence(ParameterException e, String name) {
    if (e instanceof UnmatchedArgumentException unmatched && !unmatched.getUnmatched().isEmpty()) {
      return unmatched(e.getCommandLine(), unmatched.getUnmatched().getFirst(), name);
    }
    String message = String.valueOf(e.getMessage());
    return message.endsWith(".") ? message : message + ".";
  }

  private static String unmatched(CommandLine command, String word, String name) {
    boolean isOption = word.startsWith("-");
    List<String> guesses =
        isOption
            ? guesses(word.replaceFirst("=.*", ""), command.getCommandSpec().optionsMap().keySet())
            : guesses(word, command.getSubcommands().keySet());
    String kind = isOption ? "option" : command.getSubcommands().isEmpty() ? "argument" : "command";
    return "`%s` has no %s %s.".formatted(name, kind, word)
        + (guesses.isEmpty()
            ? ""
            : guesses.stream().collect(Collectors.joining(" or ", " Did you mean ", "?")));
  }

  private static List<String> guesses(String word, Collection<String> names) {
    return names.stream()
        .filter(name -> strangeness(word, name) < NO_GUESS)
        .sorted(Comparator.comparingInt(name -> strangeness(word, name)))
        .limit(MOST_GUESSES)
        .toList();
  }

  /** How far a name is from a word; a name that begins with it is near. */
  private static int strangeness(String word, String name) {
    int distance = distance(word, name);
    if (distance <= Math.max(1, name.replaceFirst("^-+", "").length() / 3)) {
      return distance;
    }
    return word.length() > 2 && name.startsWith(word) ? name.length() : NO_GUESS;
  }

  /** Letters to put in, take out or replace. */
  private static int distance(String a, String b) {
    int[] before = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      before[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] now = new int[b.length() + 1];
      now[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = before[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        now[j] = Math.min(replaced, Math.min(before[j], now[j - 1]) + 1);
      }
      before = now;
    }
    return before[b.length()];
  }
}
