package dev.mainstay.server.queue;

import dev.mainstay.server.forge.Host;
import java.util.stream.Collectors;

/** The words of our check on the head of a pull request: its place, what it stands on, its end. */
record HeadCheckText(Host.Verdict verdict, String title, String text) {
  private static final int MOST_NAMED = 5;
  private static final int MOST_TITLE = 120;

  static HeadCheckText of(PullRequestView pr) {
    return switch (pr.state()) {
      case NOT_READY -> waiting(pr, "Not ready: " + firstReason(pr));
      case PENDING -> waiting(pr, place(pr) + " in line");
      case TESTING -> waiting(pr, "Testing, %s in line%s".formatted(place(pr), standsOn(pr)));
      case TESTS_PASSED -> waiting(pr, "Tests passed%s".formatted(standsOn(pr)));
      case PENDING_FAILURE ->
          waiting(pr, "Its tests did not pass%s; not decided yet".formatted(standsOn(pr)));
      case MERGED -> ended(pr, Host.Verdict.SUCCESS, "Merged" + landed(pr));
      case FAILED -> ended(pr, Host.Verdict.FAILURE, "Not merged: " + pr.reason().sentence());
      case CANCELLED -> ended(pr, Host.Verdict.NONE, "Left: " + pr.reason().sentence());
    };
  }

  private static HeadCheckText waiting(PullRequestView pr, String title) {
    return new HeadCheckText(Host.Verdict.PENDING, bounded(title), pr.reason().sentence());
  }

  private static HeadCheckText ended(PullRequestView pr, Host.Verdict verdict, String title) {
    return new HeadCheckText(verdict, bounded(title), pr.reason().sentence());
  }

  private static String firstReason(PullRequestView pr) {
    return pr.readiness().waitingFor().stream().findFirst().orElse(pr.reason().sentence());
  }

  private static String place(PullRequestView pr) {
    return pr.position().map(HeadCheckText::ordinal).orElse("Somewhere");
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

  private static String standsOn(PullRequestView pr) {
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

  private static String bounded(String title) {
    return title.length() <= MOST_TITLE ? title : title.substring(0, MOST_TITLE - 1) + "…";
  }
}
