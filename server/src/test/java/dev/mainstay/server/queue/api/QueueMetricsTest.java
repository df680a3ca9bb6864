package dev.mainstay.server.queue.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.code.RepoName;
import dev.mainstay.server.forge.HostUsage;
import dev.mainstay.server.queue.QueueNumbers;
import dev.mainstay.server.queue.QueueNumbers.Conclusion;
import dev.mainstay.server.queue.QueueNumbers.Histogram;
import dev.mainstay.server.queue.QueueNumbers.Side;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class QueueMetricsTest {
  private static final Histogram NONE = new Histogram(List.of(0, 0, 0, 0, 0, 0, 0, 0), 0, 0);
  private static final Side IDLE = new Side(0, 0, 0, Map.of(), 0, NONE, NONE, NONE);

  @Test
  void a_queue_is_written_family_by_family() {
    var wait = new Histogram(List.of(1, 2, 2, 2, 2, 2, 2, 3), 7290.5, 4);
    var main =
        new Side(
            7, 1, 5, Map.of(Conclusion.MERGED, 3, Conclusion.CANCELLED, 1), 2, wait, NONE, NONE);
    String text = write(quiet(repo("github.com", "acme/web"), "main", main, IDLE));
    assertThat(text)
        .startsWith(
            """
            # HELP mq_depth_current Pull requests in the queue that are ready.
            # TYPE mq_depth_current gauge
            mq_depth_current{repo="acme/web/shop",branch="main",queue_type="main"} 7
            mq_depth_current{repo="acme/web/shop",branch="main",queue_type="bisection"} 0
            # HELP mq_awaiting_mergeability\s""")
        .contains(
            "mq_awaiting_mergeability{repo=\"acme/web/shop\",branch=\"main\",queue_type=\"main\"} 1\n")
        .contains("# TYPE mq_pr_conclusions_1h_total gauge\n")
        .contains("queue_type=\"main\",conclusion=\"merged\"} 3\n")
        .contains("queue_type=\"main\",conclusion=\"failed\"} 0\n")
        .contains("queue_type=\"main\",conclusion=\"cancelled\"} 1\n")
        .contains(
            """
            # TYPE mq_pr_wait_duration_1h_seconds histogram
            mq_pr_wait_duration_1h_seconds_bucket{repo="acme/web/shop",branch="main",queue_type="main",le="60"} 1
            mq_pr_wait_duration_1h_seconds_bucket{repo="acme/web/shop",branch="main",queue_type="main",le="300"} 2
            """)
        .contains(
            """
            queue_type="main",le="7200"} 3
            mq_pr_wait_duration_1h_seconds_bucket{repo="acme/web/shop",branch="main",queue_type="main",le="+Inf"} 4
            mq_pr_wait_duration_1h_seconds_sum{repo="acme/web/shop",branch="main",queue_type="main"} 7290.5
            mq_pr_wait_duration_1h_seconds_count{repo="acme/web/shop",branch="main",queue_type="main"} 4
            """);
  }

  @Test
  void every_metric_of_the_contract_is_there_even_without_a_queue() {
    assertThat(
            write().lines().filter(line -> line.startsWith("# TYPE")).collect(Collectors.toList()))
        .containsExactly(
            "# TYPE mq_depth_current gauge",
            "# TYPE mq_awaiting_mergeability gauge",
            "# TYPE mq_testing_slots_active gauge",
            "# TYPE mq_pr_conclusions_1h_total gauge",
            "# TYPE mq_pr_restarts_1h_total gauge",
            "# TYPE mq_pr_wait_duration_1h_seconds histogram",
            "# TYPE mq_pr_test_duration_1h_seconds histogram",
            "# TYPE mq_pr_time_in_queue_1h_seconds histogram",
            "# TYPE mq_alarm gauge",
            "# TYPE mq_stalled gauge");
  }

  @Test
  void a_label_may_hold_anything_a_branch_may() {
    assertThat(write(quiet(repo("h", "o"), "a\"b\\c\nd", IDLE, IDLE)))
        .contains("branch=\"a\\\"b\\\\c\\nd\"");
  }

  @Test
  void repositories_that_differ_only_in_their_host_are_one_series() {
    var h = new Histogram(List.of(1, 1, 1, 1, 1, 1, 1, 1), 30, 1);
    var side = new Side(2, 0, 1, Map.of(Conclusion.FAILED, 2), 1, h, h, h);
    String text =
        write(
            quiet(repo("a.example", "o"), "main", side, IDLE),
            quiet(repo("b.example", "o"), "main", side, IDLE));
    assertThat(text)
        .contains("mq_depth_current{repo=\"o/shop\",branch=\"main\",queue_type=\"main\"} 4\n")
        .contains("conclusion=\"failed\"} 4\n")
        .contains("seconds_sum{repo=\"o/shop\",branch=\"main\",queue_type=\"main\"} 60.0\n");
    var series =
        text.lines()
            .filter(l -> !l.startsWith("#"))
            .map(l -> l.replaceFirst(" [^ ]*$", ""))
            .toList();
    assertThat(series).doesNotHaveDuplicates();
  }

  @Test
  void alarms_and_the_use_of_hosts_are_told_by_repository() {
    var usage = new HostUsage(40, 30, OptionalLong.of(5000), OptionalLong.of(4321), Duration.ZERO);
    var web = repo("github.com", "acme");
    String text =
        write(
            new QueueNumbers(web, "main", IDLE, IDLE, true, false, Optional.of(usage)),
            new QueueNumbers(web, "next", IDLE, IDLE, false, true, Optional.of(usage)));
    assertThat(text)
        .contains("mq_alarm{repo=\"acme/shop\",branch=\"main\",queue_type=\"main\"} 1\n")
        .contains("mq_alarm{repo=\"acme/shop\",branch=\"next\",queue_type=\"main\"} 0\n")
        .contains("mq_stalled{repo=\"acme/shop\",branch=\"main\",queue_type=\"main\"} 0\n")
        .contains("mq_stalled{repo=\"acme/shop\",branch=\"next\",queue_type=\"main\"} 1\n")
        .contains(
            "# TYPE mq_forge_requests_total counter\nmq_forge_requests_total{repo=\"acme/shop\"} 40\n#")
        .contains("mq_forge_unchanged_total{repo=\"acme/shop\"} 30\n")
        .contains("mq_forge_limit{repo=\"acme/shop\"} 5000\n")
        .contains(
            "# TYPE mq_forge_limit_remaining gauge\nmq_forge_limit_remaining{repo=\"acme/shop\"} 4321\n");
    assertThat(write(quiet(web, "main", IDLE, IDLE))).doesNotContain("mq_forge");
  }

  private static QueueNumbers quiet(RepoName repo, String branch, Side main, Side bisection) {
    return new QueueNumbers(repo, branch, main, bisection, false, false, Optional.empty());
  }

  private static RepoName repo(String host, String owner) {
    return new RepoName(host, owner, "shop");
  }

  private static String write(QueueNumbers... queues) {
    return QueueMetrics.write(List.of(queues), List.of());
  }
}
