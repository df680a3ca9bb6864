package dev.mainstay.server.web.settings;

import dev.mainstay.server.platform.Json;
import dev.mainstay.server.web.page.NeatJson;
import dev.mainstay.server.web.page.Output;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Answers of the API about endpoints for events, as far as pages show them. */
public final class WebhookAnswers {
  private WebhookAnswers() {}

  public record Webhook(
      String id,
      String name,
      String url,
      String format,
      List<String> kinds,
      Optional<List<String>> repos,
      boolean enabled,
      String createdAt,
      Optional<String> failingSince,
      Optional<String> waitUntil,
      Optional<String> switchedOffAt,
      Optional<String> switchedOffReason) {

    public String title() {
      return name.isEmpty() ? url : name;
    }

    /** How it is, in a word. */
    public String state() {
      if (switchedOffAt.isPresent()) {
        return "switched off";
      }
      if (!enabled) {
        return "paused";
      }
      return waitUntil.isPresent() ? "waiting" : failingSince.isPresent() ? "failing" : "on";
    }

    public String tone() {
      return switch (state()) {
        case "on" -> "ok";
        case "paused" -> "calm";
        case "switched off" -> "bad";
        default -> "warn";
      };
    }
  }

  public record Webhooks(List<Webhook> webhooks) {}

  public record Made(Webhook webhook, String secret) {}

  public record Attempt(
      String id,
      String kind,
      int attempt,
      String at,
      long durationMs,
      String outcome,
      Optional<Integer> status,
      String message,
      Optional<String> nextAt,
      String request,
      String response) {

    public Attempt {
      request = readable(request);
      response = readable(response);
    }

    /** A body as people lay it out; one that is cut or no JSON is shown as it is. */
    private static String readable(String body) {
      try {
        return NeatJson.of(Json.readObject(body.getBytes(StandardCharsets.UTF_8)));
      } catch (Json.Malformed e) {
        return Output.readable(body);
      }
    }

    public String tone() {
      return switch (outcome) {
        case "delivered" -> "ok";
        case "failed" -> "bad";
        default -> "calm";
      };
    }
  }

  public record Attempts(List<Attempt> attempts, Optional<String> nextCursor) {
    static final Attempts NONE = new Attempts(List.of(), Optional.empty());
  }

  public record Trial(Attempt attempt) {}

  public record Replayed(int replayed, boolean complete) {}
}
