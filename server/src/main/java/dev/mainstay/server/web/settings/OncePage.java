package dev.mainstay.server.web.settings;

import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.web.page.Frame;
import dev.mainstay.server.web.page.Repo;
import dev.mainstay.server.web.page.Visit;
import dev.mainstay.server.web.page.Words;
import dev.mainstay.server.web.settings.Answers.Connected;
import dev.mainstay.server.web.settings.Answers.Finding;
import dev.mainstay.server.web.settings.Answers.NewKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The answer to what makes a secret: shown here, once, and in no page that can be asked for. */
public final class OncePage {
  private OncePage() {}

  /** A secret with what it is for; {@code back} is where one goes on. */
  public record Model(
      String title,
      Optional<Secret> secret,
      List<Finding> findings,
      List<String> warnings,
      String back) {}

  public record Secret(String what, String text) {}

  static Reply key(Visit visit, NewKey made) {
    String settings = visit.address().settings();
    var secret =
        new Secret(
            "The token of %s. It may: %s."
                .formatted(made.key().name(), String.join(", ", made.key().scopes())),
            made.token());
    var model = new Model("A new key", Optional.of(secret), List.of(), List.of(), settings);
    return page(visit, visit.frame("A new key", List.of(crumb(settings))), model);
  }

  static Reply connected(Visit visit, Repo repo, Connected made) {
    Optional<Secret> secret =
        made.hookToken()
            .map(
                token ->
                    new Secret(
                        "Calls to /hooks/git that say that something moved have this token.",
                        token))
            .or(
                () ->
                    made.hookSecret()
                        .map(
                            s ->
                                new Secret(
                                    "The webhook at the forge is signed with this secret.", s)));
    var model =
        new Model(
            "Connected " + repo.text(),
            secret,
            made.findings().orElse(List.of()),
            made.warnings().orElse(List.of()),
            visit.address().settings(repo));
    return page(visit, visit.frame("Connected", List.of(crumb(model.back()))), model);
  }

  static Reply rotated(Visit visit, Connected made) {
    String back = visit.address().settings(visit.repo());
    var secret =
        new Secret(
            "Put it into the webhook at the forge; the old one is over.",
            made.hookSecret().orElse(""));
    var model = new Model("A new secret", Optional.of(secret), List.of(), List.of(), back);
    return page(visit, visit.frame("A new secret", List.of(crumb(back))), model);
  }

  /** The secret of an endpoint, and how many seconds the one before it is good. */
  static Reply webhook(Visit visit, WebhookAnswers.Made made, Optional<Integer> grace) {
    String back = visit.address().webhook(made.webhook().id());
    String earlier =
        grace
            .map(
                g ->
                    g == 0
                        ? " The old one is over."
                        : " The old one signs too for %s more.".formatted(Words.span(g)))
            .orElse("");
    var secret =
        new Secret(
            "What is sent to %s is signed with this secret.%s"
                .formatted(made.webhook().title(), earlier),
            made.secret());
    String title = grace.isPresent() ? "A new secret" : "A new endpoint";
    var model = new Model(title, Optional.of(secret), List.of(), List.of(), back);
    return page(visit, visit.frame(title, List.of(crumb(visit.address().settings()))), model);
  }

  private static Frame.Crumb crumb(String settings) {
    return new Frame.Crumb("Settings", settings);
  }

  private static Reply page(Visit visit, Frame frame, Model model) {
    return visit.page("settings-once", frame, model).with(Map.of("Cache-Control", "no-store"));
  }
}
