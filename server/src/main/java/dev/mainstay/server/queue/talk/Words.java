package dev.mainstay.server.queue.talk;

import static dev.mainstay.server.queue.work.CheckButtons.CANCEL;
import static dev.mainstay.server.queue.work.CheckButtons.RETRY;

import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.server.forge.Host;
import dev.mainstay.server.queue.FailedTest;
import dev.mainstay.server.queue.PullRequestView;
import dev.mainstay.server.queue.work.CheckButtons;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Every text of ours that people read at a host: the check on a head, the comment on a pull
 * request, the answers to commands. Names that come from elsewhere stand in them as plain text.
 */
final class Words {
  private static final int MOST_NAMED = 5;
  private static final int MOST_TITLE = 120;
  private static final int MOST_FAILED = 10;
  private static final int MOST_NAME = 200;
  private static final int MOST_SENTENCE = 2000;
  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

  private Words() {}

  static Host.Verdict verdict(PullRequestView pr) {
    return switch (pr.state()) {
      case NOT_READY, PENDING, TESTING, TESTS_PASSED, PENDING_FAILURE -> Host.Verdict.PENDING;
      case MERGED -> Host.Verdict.SUCCESS;
      case FAILED -> Host.Verdict.FAILURE;
      case CANCELLED -> Host.Verdict.NONE;
    };
  }

  static List<Host.Button> buttons(PullRequestView pr) {
    var cancel = new Host.Button(id(CANCEL, pr), "Cancel", "Take it out of the merge queue");
    var retry = new Host.Button(id(RETRY, pr), "Retry", "Test it again, or submit it again");
    return switch (pr.state()) {
      case NOT_READY, PENDING -> List.of(cancel);
      case TESTING, TESTS_PASSED, PENDING_FAILURE -> List.of(cancel, retry);
      case FAILED, CANCELLED -> List.of(retry);
      case MERGED -> List.of();
    };
  }

  private static String id(String button, PullRequestView pr) {
    return CheckButtons.id(button, pr.number());
  }

  /** How it stands, in one line of plain text. */
  static String title(PullRequestView pr) {
    String title =
        switch (pr.state()) {
          case NOT_READY -> "Not ready: " + firstReason(pr);
          case PENDING -> place(pr) + " in line";
          case TESTING -> "Testing, %s in line%s".formatted(place(pr), behind(pr));
          case TESTS_PASSED -> "Tests passed" + behind(pr);
          case PENDING_FAILURE -> "Its tests did not pass%s; not decided yet".formatted(behind(pr));
          case MERGED -> "Merged" + landed(pr);
          case FAILED -> "Not merged: " + pr.reason().sentence();
          case CANCELLED -> "Left: " + pr.reason().sentence();
        };
    return cut(title, MOST_TITLE);
  }

  private static String firstReason(PullRequestView pr) {
    return pr.readiness().waitingFor().stream().findFirst().orElse(pr.reason().sentence());
  }

  private static String place(PullRequestView pr) {
    return pr.position().map(Words::ordinal).orElse("Somewhere");
  }

  private static String ordinal(int number) {
    boolean teens = number % 100 / 10 == 1;
    return number
        + switch (teens ? 0 : number % 10) {
          case 1 -> "st";
          case 2 -> "nd";
          case 3 -> "rd";
          default -> "th";
        };
  }

  private static String behind(PullRequestView pr) {
    if (pr.waitsFor().isEmpty()) {
      return "";
    }
    String some =
        pr.waitsFor().stream()
            .limit(MOST_NAMED)
            .map(number -> "#" + number)
            .collect(Collectors.joining(", "));
    return ", behind " + some + (pr.waitsFor().size() > MOST_NAMED ? " …" : "");
  }

  private static String landed(PullRequestView pr) {
    return pr.landed().map(l -> " as " + l.sha().substring(0, 10)).orElse("");
  }

  /** The text of the check: all that is known, as Markdown. */
  static String check(Standing standing) {
    return String.join("\n\n", paragraphs(standing));
  }

  /**
   * The comment: the same below a line that says it all, then a line to somebody, and how to
   * command.
   */
  static String comment(
      Optional<Standing> standing, String answer, List<String> prefixes, boolean commands) {
    var all = new ArrayList<String>();
    standing.ifPresent(
        s -> {
          all.add("**%s** for %s".formatted(plain(title(s.pullRequest())), code(s.targetBranch())));
          all.addAll(paragraphs(s));
        });
    if (!answer.isEmpty()) {
      all.add("> " + answer);
    }
    if (commands) {
      String prefix = prefixes.getFirst();
      all.add(
          "<sub>Commands, each a line of a new comment: `%1$s merge`, `%1$s cancel`, `%1$s restart`, `%1$s help`</sub>"
              .formatted(prefix));
    }
    return String.join("\n\n", all);
  }

  private static List<String> paragraphs(Standing standing) {
    PullRequestView pr = standing.pullRequest();
    var all = new ArrayList<String>();
    if (pr.state() == PullRequestState.NOT_READY && pr.readiness().waitingFor().size() > 1) {
      all.add(
          pr.readiness().waitingFor().stream()
              .map(sentence -> "- " + plain(sentence))
              .collect(Collectors.joining("\n")));
    } else {
      all.add(plain(pr.reason().sentence()));
    }
    standing.expected().ifPresent(range -> all.add(expected(range)));
    List<String> failed =
        standing.run().stream()
            .flatMap(run -> run.checks().stream())
            .filter(check -> check.state() == CheckState.FAILURE)
            .limit(MOST_FAILED)
            .map(check -> link(check.name(), check.url()))
            .toList();
    if (!failed.isEmpty()) {
      all.add("Failed: " + String.join(", ", failed));
    }
    if (!standing.failed().isEmpty()) {
      all.add(tests(standing.failed()));
    }
    all.add("[Its page](%s)".formatted(standing.page()));
    return all;
  }

  private static String expected(PullRequestView.Expected expected) {
    return "Expected to merge by %s UTC, or by %s if it takes longer than usual."
        .formatted(CLOCK.format(expected.likely()), CLOCK.format(expected.late()));
  }

  private static String tests(List<FailedTest> failed) {
    String some =
        failed.stream()
            .limit(MOST_FAILED)
            .map(
                test ->
                    "- %s%s"
                        .formatted(
                            code(test.name()),
                            test.message().isBlank()
                                ? ""
                                : ": " + plain(cut(test.message(), MOST_NAME))))
            .collect(Collectors.joining("\n"));
    int more = failed.size() - MOST_FAILED;
    return "Failing tests:\n\n" + some + (more > 0 ? "\n- and %d more".formatted(more) : "");
  }

  /** The label that says how it stands; none once it was taken out. */
  static Optional<String> label(PullRequestState state) {
    return switch (state) {
      case NOT_READY -> Optional.of("mainstay: not ready");
      case PENDING -> Optional.of("mainstay: queued");
      case TESTING -> Optional.of("mainstay: testing");
      case TESTS_PASSED -> Optional.of("mainstay: passed");
      case PENDING_FAILURE -> Optional.of("mainstay: failing");
      case MERGED -> Optional.of("mainstay: merged");
      case FAILED -> Optional.of("mainstay: failed");
      case CANCELLED -> Optional.empty();
    };
  }

  static String help(List<String> prefixes) {
    return "`%1$s merge` submits it (`--priority urgent`, `high`, `medium`, `low` or 0 to 255, `--no-batch`), `%1$s cancel` takes it out, `%1$s restart` has its tests run again."
        .formatted(prefixes.getFirst());
  }

  static String takenOver(String who, List<String> prefixes) {
    return "%s: the queue merges it now, and the host's own merge was taken back, which would not wait for the queue. `%s cancel` takes it out."
        .formatted(person(who), prefixes.getFirst());
  }

  static String noRight(String who) {
    return "%s: only people with write permission to this repository command the queue."
        .formatted(person(who));
  }

  static String noQueue(String branch) {
    return "No queue merges into %s.".formatted(code(branch));
  }

  static String noCommand(String line, String prefix) {
    return "%s is no command: there are `%2$s merge`, `%2$s cancel`, `%2$s restart` and `%2$s help`."
        .formatted(code(line), prefix);
  }

  static String noOption(String option, String command) {
    return command.equals("merge")
        ? "%s is no option of `merge`: there are `--priority` and `--no-batch`."
            .formatted(code(option))
        : "`%s` takes nothing after it, such as %s.".formatted(command, code(option));
  }

  static String noPriority(String value) {
    return "%s is no priority: there are `urgent`, `high`, `medium`, `low`, and numbers from 0 to 255."
        .formatted(value.isEmpty() ? "Nothing" : code(value));
  }

  static String tooMany() {
    return "A comment has at most %d commands: nothing of that one was done."
        .formatted(Command.MOST);
  }

  static String notOpen() {
    return "It is not open: nothing can be merged.";
  }

  static String notThere(String prefix) {
    return "It is not in the queue: `%s merge` submits it.".formatted(prefix);
  }

  static String overAlready(PullRequestView pr) {
    return "It is out of the queue already: " + plain(title(pr)) + ".";
  }

  static String notTested(PullRequestView pr) {
    return "It has no test to run again: " + plain(title(pr)) + ".";
  }

  static String beingMerged() {
    return "It has passed and is being merged: it is too late for that.";
  }

  private static String person(String login) {
    boolean known = login.matches("[\\w.-]{1,255}");
    return known ? "@" + login : login.isEmpty() ? "Somebody" : code(login);
  }

  private static String link(String name, Optional<String> url) {
    return url.filter(u -> u.matches("https?://[!-~]{1,1000}"))
        .map(u -> "[%s](%s)".formatted(code(name), u.replace("(", "%28").replace(")", "%29")))
        .orElseGet(() -> code(name));
  }

  /** Text in which nothing is Markdown, nobody is called, and no line begins. */
  static String plain(String text) {
    return cut(oneLine(text), MOST_SENTENCE)
        .replaceAll("([\\\\`*_\\[\\]|~])", "\\\\$1")
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("@", "&#64;");
  }

  static String code(String text) {
    return "`" + cut(oneLine(text), MOST_NAME).replace('`', '\'') + "`";
  }

  private static String oneLine(String text) {
    return text.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
  }

  private static String cut(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(most - 2)) ? most - 2 : most - 1;
    return text.substring(0, end) + "…";
  }
}
