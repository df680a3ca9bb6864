package dev.mainstay.server.web.tests;

import dev.mainstay.server.web.page.Words;
import dev.mainstay.server.web.tests.Answers.Dossier;
import dev.mainstay.server.web.tests.Answers.Flakiness;
import dev.mainstay.server.web.tests.Answers.Phase;
import java.util.List;
import java.util.Optional;

/**
 * The matter with a test, in its first sentence: a word, since when, and why. {@code tone} is a
 * class of the style sheet.
 */
public record Matter(
    String tone, String word, Optional<String> since, String why, List<String> more) {

  static Matter of(Dossier dossier) {
    var status = dossier.test().status();
    return switch (status.value()) {
      case "broken" ->
          new Matter(
              "bad", "Broken", Optional.of(status.timestamp()), status.reason(), broken(dossier));
      case "flaky" ->
          new Matter(
              "warn", "Flaky", Optional.of(status.timestamp()), status.reason(), flaky(dossier));
      default -> new Matter("ok", "Healthy", Optional.empty(), status.reason(), healthy(dossier));
    };
  }

  private static List<String> broken(Dossier dossier) {
    return latest(dossier.flakiness())
        .filter(Phase::broken)
        .flatMap(Phase::began)
        .map("It began %s."::formatted)
        .stream()
        .toList();
  }

  private static Optional<Phase> latest(Flakiness flakiness) {
    return flakiness.phases().isEmpty()
        ? Optional.empty()
        : Optional.of(flakiness.phases().getLast());
  }

  private static List<String> flaky(Dossier dossier) {
    var f = dossier.flakiness();
    return f.runs() == 0
        ? List.of()
        : List.of(
            "About %s of its runs fail for no reason in the code (between %s and %s)."
                .formatted(
                    Words.percent(f.rate()), Words.percent(f.low()), Words.percent(f.high())));
  }

  private static List<String> healthy(Dossier dossier) {
    return dossier.test().day().filter(rate -> rate > 0).stream()
        .map(
            rate ->
                "It failed in %s of its runs in the last 24 hours.".formatted(Words.percent(rate)))
        .toList();
  }
}
