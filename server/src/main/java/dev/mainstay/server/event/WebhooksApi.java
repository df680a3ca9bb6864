package dev.mainstay.server.event;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.mainstay.server.platform.http.ApiError;
import dev.mainstay.server.platform.http.Fields;
import dev.mainstay.server.platform.http.ListPage;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.platform.http.Scope;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The endpoints that an organization's events are sent to. */
final class WebhooksApi {
  private static final Duration USUAL_GRACE = Duration.ofDays(1);
  private static final Duration MAX_GRACE = Duration.ofDays(30);

  private final Webhooks webhooks;

  WebhooksApi(Webhooks webhooks) {
    this.webhooks = webhooks;
  }

  List<Route> routes() {
    return List.of(
        Route.post("/v1/webhooks/create", Scope.ADMIN, this::create),
        Route.post("/v1/webhooks/list", Scope.ADMIN, this::list),
        Route.post("/v1/webhooks/set", Scope.ADMIN, this::set),
        Route.post("/v1/webhooks/delete", Scope.ADMIN, this::delete),
        Route.post("/v1/webhooks/test", Scope.ADMIN, this::test),
        Route.post("/v1/webhooks/rotate", Scope.ADMIN, this::rotate),
        Route.post("/v1/webhooks/attempts", Scope.ADMIN, this::attempts),
        Route.post("/v1/webhooks/replay", Scope.ADMIN, this::replay));
  }

  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  record WireWebhook(
      UUID id,
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

    static WireWebhook of(Endpoint e, Instant now) {
      return new WireWebhook(
          e.id(),
          e.name(),
          e.url().toString(),
          e.format().label(),
          e.kinds(),
          e.repos(),
          e.enabled(),
          e.createdAt().toString(),
          e.health().failingSince().map(Instant::toString),
          e.health().waitUntil().filter(now::isBefore).map(Instant::toString),
          e.health().switchedOffAt().map(Instant::toString),
          e.health().switchedOffReason());
    }
  }

  record WireMade(WireWebhook webhook, String secret) {
    static WireMade of(Webhooks.Made made, Instant now) {
      return new WireMade(WireWebhook.of(made.endpoint(), now), made.secret());
    }
  }

  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  record WireAttempt(
      UUID id,
      String eventId,
      String kind,
      long sequence,
      int attempt,
      String at,
      long durationMs,
      String outcome,
      Optional<Integer> status,
      String message,
      Optional<String> nextAt,
      String request,
      String response) {

    static WireAttempt of(Attempt a) {
      return new WireAttempt(
          a.id(),
          "evt_" + a.eventId().toString().replace("-", ""),
          a.kind(),
          a.eventNumber(),
          a.attempt(),
          a.at().toString(),
          a.took().toMillis(),
          a.outcome().label(),
          a.status(),
          a.sentence(),
          a.nextAt().map(Instant::toString),
          a.sent(),
          a.answered());
    }
  }

  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  record WireAttempts(List<WireAttempt> attempts, Optional<String> nextCursor) {}

  private Reply create(Request request) {
    var in = request.fields();
    URI url = WebhookFields.url(in);
    Format format = WebhookFields.format(in).orElse(Format.STANDARD);
    var wish =
        new Webhooks.Wish(
            WebhookFields.name(in).orElse(""),
            url,
            WebhookFields.kinds(in).orElseGet(() -> WebhookFields.labels(EventKind.usual(format))),
            WebhookFields.repos(in).filter(repos -> !repos.isEmpty()),
            format);
    in.check();
    WebhookFields.checkWords(in, wish.kinds(), format);
    checkReachable(in, wish.url());
    return webhooks
        .create(request.caller().organizationId(), wish)
        .map(made -> Reply.json(WireMade.of(made, webhooks.now())))
        .orElseThrow(
            () ->
                ApiError.conflict(
                    "too_many_webhooks",
                    "The organization has %d endpoints: delete some first."
                        .formatted(Webhooks.MOST_ENDPOINTS)));
  }

  private Reply list(Request request) {
    request.fields().check();
    Instant now = webhooks.now();
    var all = webhooks.list(request.caller().organizationId());
    return Reply.json(Map.of("webhooks", all.stream().map(e -> WireWebhook.of(e, now)).toList()));
  }

  private Reply set(Request request) {
    var in = request.fields();
    UUID id = in.uuid("id");
    Optional<String> name = WebhookFields.name(in);
    Optional<URI> url = WebhookFields.optionalUrl(in);
    Optional<Format> format = WebhookFields.format(in);
    Optional<List<String>> kinds = WebhookFields.kinds(in);
    Optional<List<String>> repos = WebhookFields.repos(in);
    Optional<Boolean> enabled = in.optionalFlag("enabled");
    in.check();
    url.ifPresent(u -> checkReachable(in, u));
    return webhooks
        .change(
            request.caller().organizationId(),
            id,
            e -> {
              WebhookFields.checkWords(in, kinds.orElse(e.kinds()), format.orElse(e.format()));
              return new Endpoint(
                  e.id(),
                  e.organizationId(),
                  name.orElse(e.name()),
                  url.orElse(e.url()),
                  kinds.orElse(e.kinds()),
                  repos.isPresent() ? repos.filter(r -> !r.isEmpty()) : e.repos(),
                  format.orElse(e.format()),
                  enabled.orElse(e.enabled()),
                  e.createdAt(),
                  e.secrets(),
                  e.health());
            })
        .map(e -> Reply.json(Map.of("webhook", WireWebhook.of(e, webhooks.now()))))
        .orElseThrow(WebhooksApi::noSuchWebhook);
  }

  private Reply delete(Request request) {
    var in = request.fields();
    UUID id = in.uuid("id");
    in.check();
    if (!webhooks.delete(request.caller().organizationId(), id)) {
      throw noSuchWebhook();
    }
    return Reply.nothing();
  }

  private Reply test(Request request) {
    var in = request.fields();
    UUID id = in.uuid("id");
    in.check();
    return webhooks
        .test(request.caller().organizationId(), request.caller().organization(), id)
        .map(attempt -> Reply.json(Map.of("attempt", WireAttempt.of(attempt))))
        .orElseThrow(WebhooksApi::noSuchWebhook);
  }

  private Reply rotate(Request request) {
    var in = request.fields();
    UUID id = in.uuid("id");
    Duration grace = in.optionalSeconds("graceSeconds", MAX_GRACE).orElse(USUAL_GRACE);
    in.check();
    return webhooks
        .rotate(request.caller().organizationId(), id, grace)
        .map(made -> Reply.json(WireMade.of(made, webhooks.now())))
        .orElseThrow(WebhooksApi::noSuchWebhook);
  }

  private Reply attempts(Request request) {
    var in = request.fields();
    UUID id = in.uuid("id");
    Optional<Long> before =
        ListPage.place(in, "cursor", "nextCursor", 1, key -> Long.parseLong(key.getFirst()));
    int take = ListPage.take(in);
    in.check();
    Endpoint endpoint = find(request, id);
    var rows = webhooks.attempts(endpoint.id(), before.orElse(Long.MAX_VALUE), take + 1);
    var page = rows.subList(0, Math.min(take, rows.size()));
    return Reply.json(
        new WireAttempts(
            page.stream().map(row -> WireAttempt.of(row.attempt())).toList(),
            rows.size() > take
                ? Optional.of(ListPage.cursor(String.valueOf(page.getLast().number())))
                : Optional.empty()));
  }

  private Reply replay(Request request) {
    var in = request.fields();
    UUID id = in.uuid("id");
    Optional<UUID> attempt = in.optionalUuid("attemptId");
    Optional<Instant> since = in.optionalTime("since");
    if (in.has("attemptId") == in.has("since")) {
      in.fault("since", "must be given where attemptId is not, and not beside it");
    }
    in.check();
    Endpoint endpoint = find(request, id);
    if (attempt.isPresent() && !webhooks.replay(endpoint, attempt.get())) {
      throw ApiError.notFound(
          "attempt_not_found", "The endpoint has no attempt of this id, or its event is not kept.");
    }
    int replayed = since.map(s -> webhooks.replay(endpoint, s)).orElse(1);
    return Reply.json(Map.of("replayed", replayed, "complete", replayed < Webhooks.MOST_REPLAYED));
  }

  private Endpoint find(Request request, UUID id) {
    return webhooks
        .find(request.caller().organizationId(), id)
        .orElseThrow(WebhooksApi::noSuchWebhook);
  }

  private static ApiError noSuchWebhook() {
    return ApiError.notFound("webhook_not_found", "The organization has no endpoint of this id.");
  }

  private void checkReachable(Fields in, URI url) {
    webhooks.fault(url).ifPresent(fault -> in.fault("url", fault));
    in.check();
  }
}
