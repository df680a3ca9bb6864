package dev.mainstay.server.queue.api;

import dev.mainstay.server.forge.HostUsage;
import dev.mainstay.server.platform.http.PrometheusText;
import dev.mainstay.server.queue.ClockNumbers;
import dev.mainstay.server.queue.QueueNumbers;
import dev.mainstay.server.queue.QueueNumbers.Conclusion;
import dev.mainstay.server.queue.QueueNumbers.Histogram;
import dev.mainstay.server.queue.QueueNumbers.Side;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/**
 * The metrics of queues. The labels do not name the host: queues of repositories that only their
 * hosts tell apart are added up, since Prometheus takes every series once.
 */
final class QueueMetrics {
  private final PrometheusText text = new PrometheusText();
  private final List<QueueNumbers> queues;
  private final Map<Map<String, String>, Side> series;

  private QueueMetrics(List<QueueNumbers> queues) {
    this.queues = queues;
    series = new LinkedHashMap<>();
    for (QueueNumbers queue : queues) {
      series.merge(labels(queue, "main"), queue.main(), QueueMetrics::sum);
      series.merge(labels(queue, "bisection"), queue.bisection(), QueueMetrics::sum);
    }
  }

  static String write(List<QueueNumbers> queues, List<ClockNumbers> clocks) {
    return new QueueMetrics(queues).write(clocks);
  }

  private String write(List<ClockNumbers> clocks) {
    gauge("mq_depth_current", "Pull requests in the queue that are ready.", Side::depth);
    gauge(
        "mq_awaiting_mergeability",
        "Pull requests that were submitted and are not ready.",
        Side::awaitingMergeability);
    gauge("mq_testing_slots_active", "Test runs in progress.", Side::activeSlots);
    conclusions();
    gauge("mq_pr_restarts_1h_total", "Tests that began again in the last hour.", Side::restarts);
    histogram(
        "mq_pr_wait_duration_1h_seconds",
        "How long pull requests waited to be tested, of those that left in the last hour.",
        Side::waitTime);
    histogram(
        "mq_pr_test_duration_1h_seconds",
        "How long pull requests were tested, of those that left in the last hour.",
        Side::testTime);
    histogram(
        "mq_pr_time_in_queue_1h_seconds",
        "How long pull requests were in the queue, of those that left in the last hour.",
        Side::timeInQueue);
    flag("mq_alarm", "1 where a queue paused itself, and a person must look.", QueueNumbers::alarm);
    flag(
        "mq_stalled",
        "1 where nothing has moved in a queue for longer than usual.",
        QueueNumbers::stalled);
    hosts();
    if (!clocks.isEmpty()) {
      clocks(clocks);
    }
    return text.toString();
  }

  private void flag(String name, String help, Predicate<QueueNumbers> isSo) {
    var flags = new LinkedHashMap<Map<String, String>, Integer>();
    for (QueueNumbers queue : queues) {
      flags.merge(labels(queue, "main"), isSo.test(queue) ? 1 : 0, Integer::sum);
    }
    text.family(name, "gauge", help);
    flags.forEach((labels, value) -> text.sample(name, labels, value));
  }

  /** By repository. Those of one account have the same limit, and are not to be added up. */
  private void hosts() {
    var usages = new LinkedHashMap<Map<String, String>, HostUsage>();
    queues.forEach(q -> q.usage().ifPresent(usage -> usages.put(repository(q), usage)));
    numbers(
        "mq_forge_requests_total",
        "counter",
        "Requests of this node to the host of a repository since it started.",
        usages,
        usage -> OptionalLong.of(usage.requests()));
    numbers(
        "mq_forge_unchanged_total",
        "counter",
        "Those of the requests that were answered by nothing new, and are free at GitHub.",
        usages,
        usage -> OptionalLong.of(usage.unchanged()));
    numbers("mq_forge_limit", "gauge", "Requests that the host allows.", usages, HostUsage::limit);
    numbers(
        "mq_forge_limit_remaining",
        "gauge",
        "Requests that are left until the limit of the host begins anew.",
        usages,
        HostUsage::remaining);
  }

  private void clocks(List<ClockNumbers> clocks) {
    String jumps = "mq_clock_jumps_total";
    text.family(jumps, "counter", "Jumps of a clock that this node has seen since it started.");
    clocks.forEach(c -> text.sample(jumps, Map.of("clock", c.clock()), c.jumps()));
    String ahead = "mq_clock_ahead_seconds";
    text.family(ahead, "gauge", "How far a clock is ahead of this node's time.");
    clocks.forEach(c -> text.sample(ahead, Map.of("clock", c.clock()), c.aheadSeconds()));
  }

  private void numbers(
      String name,
      String type,
      String help,
      Map<Map<String, String>, HostUsage> usages,
      Function<HostUsage, OptionalLong> value) {
    if (usages.values().stream().anyMatch(usage -> value.apply(usage).isPresent())) {
      text.family(name, type, help);
      usages.forEach(
          (labels, usage) ->
              value.apply(usage).ifPresent(number -> text.sample(name, labels, number)));
    }
  }

  private static Map<String, String> repository(QueueNumbers queue) {
    return Map.of("repo", queue.repo().owner() + "/" + queue.repo().name());
  }

  private void gauge(String name, String help, ToIntFunction<Side> value) {
    text.family(name, "gauge", help);
    series.forEach((labels, side) -> text.sample(name, labels, value.applyAsInt(side)));
  }

  private void conclusions() {
    String name = "mq_pr_conclusions_1h_total";
    text.family(name, "gauge", "Pull requests that left the queue in the last hour, by how.");
    series.forEach(
        (labels, side) -> {
          for (Conclusion conclusion : Conclusion.values()) {
            String word = conclusion.name().toLowerCase(Locale.ROOT);
            text.sample(
                name,
                PrometheusText.with(labels, "conclusion", word),
                side.conclusions().getOrDefault(conclusion, 0));
          }
        });
  }

  private void histogram(String name, String help, Function<Side, Histogram> value) {
    text.family(name, "histogram", help);
    series.forEach(
        (labels, side) -> {
          Histogram h = value.apply(side);
          text.histogram(name, labels, Histogram.BOUNDS, h.counts(), h.sum(), h.count());
        });
  }

  private static Map<String, String> labels(QueueNumbers queue, String type) {
    var labels = new LinkedHashMap<String, String>();
    labels.put("repo", queue.repo().owner() + "/" + queue.repo().name());
    labels.put("branch", queue.branch());
    labels.put("queue_type", type);
    return labels;
  }

  private static Side sum(Side a, Side b) {
    var conclusions = new EnumMap<Conclusion, Integer>(Conclusion.class);
    conclusions.putAll(a.conclusions());
    b.conclusions().forEach((conclusion, n) -> conclusions.merge(conclusion, n, Integer::sum));
    return new Side(
        a.depth() + b.depth(),
        a.awaitingMergeability() + b.awaitingMergeability(),
        a.activeSlots() + b.activeSlots(),
        conclusions,
        a.restarts() + b.restarts(),
        sum(a.waitTime(), b.waitTime()),
        sum(a.testTime(), b.testTime()),
        sum(a.timeInQueue(), b.timeInQueue()));
  }

  private static Histogram sum(Histogram a, Histogram b) {
    var counts = new ArrayList<Integer>();
    for (int i = 0; i < a.counts().size(); i++) {
      counts.add(a.counts().get(i) + b.counts().get(i));
    }
    return new Histogram(counts, a.sum() + b.sum(), a.count() + b.count());
  }
}
