package dev.mainstay.server.health.list;

import dev.mainstay.core.code.RepoName;
import dev.mainstay.server.health.test.RepoApi;
import dev.mainstay.server.health.test.RepoFields;
import dev.mainstay.server.health.test.SummaryStore;
import dev.mainstay.server.health.test.SummaryStore.Listed;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.http.PrometheusText;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.platform.http.Scope;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.jdbi.v3.core.Handle;

/**
 * The numbers of the tests of an organization, or of one repository, for Prometheus. As with
 * queues, the label does not name the host: repositories that only their hosts tell apart are added
 * up.
 */
public final class TestMetricsApi {
  private static final int AT_ONCE = 500;

  private final Database database;
  private final Clock clock;

  public TestMetricsApi(Database database, Clock clock) {
    this.database = database;
    this.clock = clock;
  }

  public List<Route> routes() {
    return List.of(Route.get("/v1/getTestHealthMetrics", Scope.READ, this::metrics));
  }

  private Reply metrics(Request request) {
    var in = request.parameters();
    Optional<RepoName> one = RepoFields.parameters(in);
    in.check();
    long organization = request.caller().organizationId();
    Instant now = clock.instant();
    Map<String, TestCounts> counts =
        database.query(
            handle ->
                one.map(name -> one(handle, organization, name, now))
                    .orElseGet(() -> all(handle, organization, now)));
    return Reply.bytes(PrometheusText.CONTENT_TYPE, write(counts).getBytes(StandardCharsets.UTF_8));
  }

  private static Map<String, TestCounts> one(
      Handle handle, long organization, RepoName name, Instant now) {
    List<Listed> found = SummaryStore.one(handle, organization, name);
    if (found.isEmpty()) {
      throw RepoApi.noSuchRepository();
    }
    return counted(handle, found, now, new LinkedHashMap<>());
  }

  private static Map<String, TestCounts> all(Handle handle, long organization, Instant now) {
    var counts = new LinkedHashMap<String, TestCounts>();
    List<Listed> page = SummaryStore.page(handle, organization, "", AT_ONCE);
    while (!page.isEmpty()) {
      counted(handle, page, now, counts);
      page = SummaryStore.page(handle, organization, page.getLast().name().key(), AT_ONCE);
    }
    return counts;
  }

  private static Map<String, TestCounts> counted(
      Handle handle, List<Listed> repositories, Instant now, Map<String, TestCounts> into) {
    var ids = repositories.stream().map(Listed::id).toList();
    Map<Long, TestCounts> counts = TestCounts.of(handle, ids, now);
    repositories.forEach(
        r ->
            into.merge(
                r.name().owner() + "/" + r.name().name(),
                Objects.requireNonNull(counts.get(r.id())),
                TestCounts::plus));
    return into;
  }

  private static String write(Map<String, TestCounts> counts) {
    var text = new PrometheusText();
    text.family("th_tests", "gauge", "Tests that a repository has, by their status.");
    counts.forEach(
        (repo, tests) -> {
          text.sample("th_tests", labels(repo, "healthy"), tests.healthy());
          text.sample("th_tests", labels(repo, "flaky"), tests.flaky());
          text.sample("th_tests", labels(repo, "broken"), tests.broken());
        });
    gauge(text, "th_tests_quarantined", "Those that may fail.", counts, TestCounts::quarantined);
    gauge(
        text,
        "th_tests_failed_1d",
        "Those that failed in the last 24 hours.",
        counts,
        TestCounts::failedOfDay);
    return text.toString();
  }

  private static Map<String, String> labels(String repo, String status) {
    return PrometheusText.with(Map.of("repo", repo), "status", status);
  }

  private static void gauge(
      PrometheusText text,
      String name,
      String help,
      Map<String, TestCounts> counts,
      ToLongFunction<TestCounts> value) {
    text.family(name, "gauge", help);
    counts.forEach(
        (repo, tests) -> text.sample(name, Map.of("repo", repo), value.applyAsLong(tests)));
  }
}
