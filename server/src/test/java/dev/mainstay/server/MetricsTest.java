package dev.mainstay.server;

import static dev.mainstay.server.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The numbers of a process, as a Prometheus asks for them. */
class MetricsTest {
  private static double value(String metrics, String series) {
    Matcher found =
        Pattern.compile("^" + Pattern.quote(series) + " (\\S+)$", Pattern.MULTILINE)
            .matcher(metrics);
    assertThat(found.find()).as("%s in%n%s", series, metrics).isTrue();
    return Double.parseDouble(found.group(1));
  }

  @Test
  void requests_are_counted_by_their_answers_and_their_time() {
    try (var node = TestNode.start()) {
      String before = node.get("/metrics", "").body();
      node.get("/healthz", "");
      node.get("/v1/whoami", "mst_wrong");
      node.get("/v1/nowhere", node.token());
      String after =
          until(
              () -> node.get("/metrics", "").body(),
              text -> grown(before, text, "mainstay_http_requests_total{status=\"4xx\"}") == 2);
      assertThat(grown(before, after, "mainstay_http_requests_total{status=\"2xx\"}"))
          .isGreaterThanOrEqualTo(2);
      assertThat(grown(before, after, "mainstay_http_requests_total{status=\"5xx\"}")).isZero();
      double timed = grown(before, after, "mainstay_http_request_duration_seconds_count{}");
      assertThat(timed).isGreaterThanOrEqualTo(4);
      assertThat(grown(before, after, "mainstay_http_request_duration_seconds_bucket{le=\"+Inf\"}"))
          .isEqualTo(timed);
      assertThat(grown(before, after, "mainstay_http_request_duration_seconds_sum{}")).isPositive();
      double last = 0;
      for (String bound : new String[] {"0.005", "0.1", "1.0", "10.0", "+Inf"}) {
        double upTo =
            value(after, "mainstay_http_request_duration_seconds_bucket{le=\"" + bound + "\"}");
        assertThat(upTo).as(bound).isGreaterThanOrEqualTo(last);
        last = upTo;
      }
    }
  }

  @Test
  void a_process_tells_what_it_is_and_what_it_has() {
    try (var node = TestNode.start()) {
      String metrics = node.get("/metrics", "").body();
      assertThat(metrics).containsPattern("mainstay_build_info\\{version=\"[^\"]+\"} 1\n");
      assertThat(value(metrics, "process_start_time_seconds{}"))
          .isBetween(1.7e9, System.currentTimeMillis() / 1e3);
      assertThat(value(metrics, "process_cpu_seconds_total{}")).isPositive();
      assertThat(value(metrics, "jvm_memory_used_bytes{area=\"heap\"}"))
          .isBetween(1e6, value(metrics, "jvm_memory_max_bytes{area=\"heap\"}"));
      until(() -> node.get("/metrics", "").body(), text -> connections(text) > 0);
      until(
          () -> value(node.get("/metrics", "").body(), "mainstay_database_waiting{}"),
          waiting -> waiting == 0);
    }
  }

  private static double connections(String metrics) {
    return value(metrics, "mainstay_database_connections{state=\"active\"}")
        + value(metrics, "mainstay_database_connections{state=\"idle\"}");
  }

  private static double grown(String before, String after, String series) {
    return value(after, series) - value(before, series);
  }
}
