package dev.mainstay.server.web.queue;

import dev.mainstay.server.platform.http.ApiError;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.web.page.Address;
import dev.mainstay.server.web.page.Form;
import dev.mainstay.server.web.page.Frame;
import dev.mainstay.server.web.page.Repo;
import dev.mainstay.server.web.page.Visit;
import dev.mainstay.server.web.plot.RangeRows;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What other settings would have made of a queue's past: a form, a chart, and the same as a table.
 */
public final class WhatIfPage {
  private static final int HTTP_BAD_REQUEST = 400;
  private static final List<String> POLICIES = List.of("serial", "bors", "zuul", "oracle");
  private static final List<Span> SPANS =
      List.of(
          new Span("week", "7 days", Duration.ofDays(7)),
          new Span("month", "30 days", Duration.ofDays(30)),
          new Span("quarter", "90 days", Duration.ofDays(90)));
  private static final List<Field> FIELDS =
      List.of(
          new Field("concurrency", "Test runs at once", List.of()),
          new Field("speculationBudget", "Runs on other assumptions", List.of()),
          new Field("mode", "Mode", List.of("single", "parallel")),
          new Field("batch", "Batches", List.of("true", "false")),
          new Field("batchingMinSize", "Size of a batch", List.of()),
          new Field("batchSizing", "Sizing of batches", List.of("FIXED", "AUTO")),
          new Field("canOptimisticallyMerge", "Optimistic merging", List.of("true", "false")),
          new Field("pendingFailureDepth", "Hops a failure waits for", List.of()),
          new Field("flakeRetries", "Retries of flakes", List.of()));

  private final Clock clock;

  WhatIfPage(Clock clock) {
    this.clock = clock;
  }

  /** A stretch of time to look at; {@code word} is its name in the address. */
  public record Span(String word, String text, Duration length) {}

  /** A setting to try: one of the choices, or a number where there are none. */
  public record Field(String name, String label, List<String> choices) {}

  public record Turnaround(double p50, double p95, double p99) {}

  public record Figures(
      int landed,
      int rejected,
      Turnaround turnaroundMinutes,
      double buildsPerChange,
      double buildMinutesPerChange,
      int falseEjections,
      Optional<Double> greenShare) {}

  public record Row(String kind, String label, Optional<Figures> figures) {}

  public record LeftOut(String code, int count) {
    public String words() {
      return count + " " + code.replace('_', ' ');
    }
  }

  public record Found(int failedAlone, int failedTogether, int flakes) {}

  public record Answer(
      int fewestChanges,
      int changes,
      int known,
      int guessed,
      List<LeftOut> leftOut,
      Found found,
      List<String> notes,
      Optional<Figures> asItWas,
      List<Row> rows) {}

  public record Model(
      Answer answer,
      Repo repo,
      String branch,
      String here,
      List<Span> spans,
      Span span,
      List<Field> fields,
      Map<String, String> typed,
      boolean others,
      Optional<String> fault,
      String chart) {
    public String value(Field field) {
      return typed.getOrDefault(field.name(), "");
    }

    /** What really happened first, then what was played. */
    public List<Row> rows() {
      return Stream.concat(
              Stream.of(new Row("MEASURED", "as it was", answer.asItWas())), answer.rows().stream())
          .toList();
    }

    public String leftOut() {
      return answer.leftOut().isEmpty()
          ? "nobody"
          : String.join(", ", answer.leftOut().stream().map(LeftOut::words).toList());
    }
  }

  Reply show(Visit visit) {
    Span span =
        SPANS.stream()
            .filter(s -> visit.query("span").map(s.word()::equals).orElse(false))
            .findFirst()
            .orElse(SPANS.get(1));
    var typed = new LinkedHashMap<String, String>();
    FIELDS.forEach(f -> visit.query(f.name()).ifPresent(text -> typed.put(f.name(), text.strip())));
    boolean others = visit.query("others").filter("no"::equals).isEmpty();
    var question = question(visit, span, others);
    Answer answer;
    Optional<String> fault = Optional.empty();
    try {
      answer = ask(visit, typed.isEmpty() ? question : Form.body(question, variant(typed)));
    } catch (ApiError refused) {
      if (typed.isEmpty() || refused.status() != HTTP_BAD_REQUEST) {
        throw refused;
      }
      fault = Optional.of(sentence(refused));
      answer = ask(visit, question);
    }
    Address at = visit.address();
    String here = at.whatIf(visit.repo(), visit.branch());
    var model =
        new Model(
            answer,
            visit.repo(),
            visit.branch(),
            here,
            SPANS,
            span,
            FIELDS,
            typed,
            others,
            fault,
            chart(answer));
    var crumbs =
        List.of(
            new Frame.Crumb("Health", at.health(visit.repo(), visit.branch())),
            new Frame.Crumb("What if", here));
    return visit.page("what-if", QueuePage.frame(visit, visit.branch(), crumbs), model);
  }

  private static Answer ask(Visit visit, Map<String, Object> question) {
    return visit.ask("/v1/simulateQueue", question, Answer.class);
  }

  /** It begins with a whole hour, so that the same look within it is the same question. */
  private Map<String, Object> question(Visit visit, Span span, boolean others) {
    Instant hour = clock.instant().truncatedTo(ChronoUnit.HOURS).plus(1, ChronoUnit.HOURS);
    return Form.body(
        QueuePage.asked(visit),
        Map.of(
            "from",
            hour.minus(span.length()).toString(),
            "policies",
            others ? POLICIES : List.of()));
  }

  private static Map<String, Object> variant(Map<String, String> typed) {
    var settings = new LinkedHashMap<String, Object>();
    typed.forEach((name, text) -> settings.put(name, value(text)));
    return Map.of("variants", List.of(Map.of("settings", settings)));
  }

  private static Object value(String text) {
    if (text.matches("-?[0-9]{1,9}")) {
      return Integer.parseInt(text);
    }
    return text.equals("true") || text.equals("false") ? Boolean.valueOf(text) : text;
  }

  /** The faults by the names of the fields in the form. */
  private static String sentence(ApiError refused) {
    return String.join(
        "; ",
        refused.faults().stream()
            .map(f -> f.field().replaceFirst(".*settings\\.", "") + " " + f.message())
            .toList());
  }

  private static String chart(Answer answer) {
    var rows =
        Stream.concat(
                answer.asItWas().stream().map(f -> row("as it was", f)),
                answer.rows().stream()
                    .flatMap(r -> r.figures().stream().map(f -> row(r.label(), f))))
            .toList();
    return new RangeRows("How long a change waits", "build min per change", rows).svg();
  }

  private static RangeRows.Row row(String label, Figures f) {
    Turnaround t = f.turnaroundMinutes();
    return new RangeRows.Row(
        label, 60 * t.p50(), 60 * t.p95(), 60 * t.p99(), f.buildMinutesPerChange());
  }
}
