package dev.mainstay.server.web.settings;

import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.web.description.Description;
import dev.mainstay.server.web.page.Address;
import dev.mainstay.server.web.page.Form;
import dev.mainstay.server.web.page.Frame;
import dev.mainstay.server.web.page.Notice;
import dev.mainstay.server.web.page.Visit;
import dev.mainstay.server.web.settings.WebhookAnswers.Attempt;
import dev.mainstay.server.web.settings.WebhookAnswers.Attempts;
import dev.mainstay.server.web.settings.WebhookAnswers.Made;
import dev.mainstay.server.web.settings.WebhookAnswers.Replayed;
import dev.mainstay.server.web.settings.WebhookAnswers.Webhook;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An endpoint for events, old or new: what it is told, how it does, and what was sent to it. */
public final class WebhookPage {
  private static final int AT_ONCE = 10;
  private static final String SET = "/v1/webhooks/set";

  private final Description description;

  WebhookPage(Description description) {
    this.description = description;
  }

  /** The page; without an endpoint, of one that is to be made. */
  public record Model(
      Optional<Webhook> webhook,
      WebhookForm form,
      Said said,
      Attempts attempts,
      Address at,
      boolean older) {
    public String action() {
      return at.settings() + "/webhooks";
    }

    public String here() {
      return webhook.map(w -> at.webhook(w.id())).orElse(at.settings());
    }
  }

  /** What an action led to: the answer to a test, what is replayed, or why it was refused. */
  public record Said(Optional<Attempt> trial, Optional<Replayed> replayed, Optional<Fault> fault) {
    static final Said NOTHING = new Said(Optional.empty(), Optional.empty(), Optional.empty());

    static Said of(Attempt trial) {
      return new Said(Optional.of(trial), Optional.empty(), Optional.empty());
    }

    static Said of(Replayed replayed) {
      return new Said(Optional.empty(), Optional.of(replayed), Optional.empty());
    }

    static Said of(Fault fault) {
      return new Said(Optional.empty(), Optional.empty(), Optional.of(fault));
    }
  }

  static List<Webhook> all(Visit visit) {
    return visit.ask("/v1/webhooks/list", Map.of(), WebhookAnswers.Webhooks.class).webhooks();
  }

  Reply show(Visit visit, String id) {
    return show(visit, id, Said.NOTHING, Optional.empty());
  }

  private Reply show(Visit visit, String id, Said said, Optional<Form> typed) {
    Optional<Webhook> webhook =
        id.equals("new") ? Optional.empty() : Optional.of(webhook(visit, id));
    var model =
        new Model(
            webhook,
            WebhookForm.of(description, webhook, typed),
            said,
            webhook.map(w -> attempts(visit, w)).orElse(Attempts.NONE),
            visit.address(),
            visit.query("cursor").isPresent());
    String name = webhook.map(Webhook::title).orElse("New endpoint");
    var crumbs =
        List.of(
            new Frame.Crumb("Organization", visit.address().settings()),
            new Frame.Crumb(name, model.here()));
    return visit.page("settings-webhook", visit.frame(name, crumbs), model);
  }

  private static Webhook webhook(Visit visit, String id) {
    return all(visit).stream()
        .filter(w -> w.id().equals(id))
        .findFirst()
        .orElseThrow(Visit::nothingHere);
  }

  private static Attempts attempts(Visit visit, Webhook webhook) {
    var asked = Map.of("id", webhook.id(), "take", AT_ONCE);
    Map<String, ?> from = visit.query("cursor").map(c -> Map.of("cursor", c)).orElseGet(Map::of);
    return visit.ask("/v1/webhooks/attempts", Form.body(asked, from), Attempts.class);
  }

  Reply act(Visit visit, Form form) {
    String id = form.text("id").orElse("new");
    Map<String, Object> which = Map.of("id", id);
    return Fault.or(
        () ->
            switch (form.needed("do")) {
              case "create" -> {
                var body = WebhookForm.made(description, form);
                Made made = visit.ask("/v1/webhooks/create", body, Made.class);
                yield OncePage.webhook(visit, made, Optional.empty());
              }
              case "save" -> {
                visit.act(SET, Form.body(which, WebhookForm.changed(description, form)));
                yield Visit.back(visit.address().webhook(id), Notice.SAVED);
              }
              case "pause" -> {
                visit.act(SET, Form.body(which, Map.of("enabled", false)));
                yield Visit.back(visit.address().webhook(id), Notice.WEBHOOK_PAUSED);
              }
              case "resume" -> {
                visit.act(SET, Form.body(which, Map.of("enabled", true)));
                yield Visit.back(visit.address().webhook(id), Notice.WEBHOOK_RESUMED);
              }
              case "delete" -> {
                visit.act("/v1/webhooks/delete", which);
                yield Visit.back(visit.address().settings(), Notice.WEBHOOK_DELETED);
              }
              case "rotate" -> rotate(visit, form, which);
              case "test" -> {
                var sent =
                    visit.ask("/v1/webhooks/test", which, WebhookAnswers.Trial.class).attempt();
                yield show(visit, id, Said.of(sent), Optional.empty());
              }
              case "replay" -> replay(visit, form, id);
              default -> throw Visit.nothingHere();
            },
        fault -> show(visit, id, Said.of(fault), form.text("was:format").map(f -> form)));
  }

  private static Reply rotate(Visit visit, Form form, Map<String, Object> which) {
    int grace = form.number("graceSeconds").orElse(0);
    var body = Form.body(which, Map.of("graceSeconds", grace));
    Made made = visit.ask("/v1/webhooks/rotate", body, Made.class);
    return OncePage.webhook(visit, made, Optional.of(grace));
  }

  /** Delivers the event of one attempt once more, or all since a time. */
  private Reply replay(Visit visit, Form form, String id) {
    Map<String, Object> asked =
        form.text("attempt_id")
            .map(attempt -> Map.<String, Object>of("id", id, "attemptId", attempt))
            .orElseGet(() -> Map.of("id", id, "since", utc(form.needed("since"))));
    Replayed replayed = visit.ask("/v1/webhooks/replay", asked, Replayed.class);
    return form.text("attempt_id").isPresent()
        ? Visit.back(visit.address().webhook(id), Notice.REPLAYED)
        : show(visit, id, Said.of(replayed), Optional.empty());
  }

  /** A time as browsers send it, without a zone, is in UTC. */
  private static String utc(String time) {
    if (time.matches("[0-9-]+T[0-9]{2}:[0-9]{2}")) {
      return time + ":00Z";
    }
    return time.matches("[0-9-]+T[0-9:.]+") ? time + "Z" : time;
  }
}
