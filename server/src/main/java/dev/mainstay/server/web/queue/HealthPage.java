package dev.mainstay.server.web.queue;

import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.web.page.Address;
import dev.mainstay.server.web.page.Form;
import dev.mainstay.server.web.page.Frame;
import dev.mainstay.server.web.page.Repo;
import dev.mainstay.server.web.page.Visit;
import dev.mainstay.server.web.queue.HealthNumbers.Health;
import dev.mainstay.server.web.queue.HealthPlots.Plot;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** How a queue has done: who left and why, where the time went, and what it cost. */
public final class HealthPage {
  private static final List<Span> SPANS =
      List.of(
          new Span("day", "24 hours", Duration.ofHours(24), "HOUR"),
          new Span("week", "7 days", Duration.ofDays(7), "DAY"),
          new Span("month", "30 days", Duration.ofDays(30), "DAY"),
          new Span("quarter", "90 days", Duration.ofDays(90), "DAY"));

  private final Clock clock;

  HealthPage(Clock clock) {
    this.clock = clock;
  }

  /** A stretch of time to look at; {@code word} is its name in the address. */
  public record Span(String word, String text, Duration length, String step) {}

  public record Model(
      Health health,
      Repo repo,
      String branch,
      Address at,
      List<Span> spans,
      Span span,
      List<Plot> plots) {
    public String here() {
      return at.health(repo, branch);
    }
  }

  Reply show(Visit visit) {
    Span span =
        SPANS.stream()
            .filter(s -> visit.query("span").map(s.word()::equals).orElse(false))
            .findFirst()
            .orElse(SPANS.get(1));
    Instant now = clock.instant();
    Health health =
        visit.ask(
            "/v1/getQueueHealth",
            Form.body(
                QueuePage.asked(visit),
                Map.of(
                    "from", now.minus(span.length()).toString(),
                    "to", now.toString(),
                    "step", span.step())),
            Health.class);
    String here = visit.address().health(visit.repo(), visit.branch());
    var model =
        new Model(
            health,
            visit.repo(),
            visit.branch(),
            visit.address(),
            SPANS,
            span,
            HealthPlots.of(health, here + "/left"));
    var crumbs = List.of(new Frame.Crumb("Health", here));
    return visit.page("health", QueuePage.frame(visit, visit.branch(), crumbs), model);
  }
}
