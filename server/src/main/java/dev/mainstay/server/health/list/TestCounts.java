package dev.mainstay.server.health.list;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.mainstay.server.health.result.Rates;
import dev.mainstay.server.health.result.RecentFailureStore;
import dev.mainstay.server.health.test.TestCountStore;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/** How many tests a repository has, in the words of the API. */
record TestCounts(
    long total,
    long healthy,
    long flaky,
    long broken,
    long quarantined,
    @JsonProperty("failed_24h") long failedOfDay) {

  static Map<Long, TestCounts> of(Handle handle, Collection<Long> repositories, Instant now) {
    var counts = TestCountStore.of(handle, repositories, now);
    var failed = RecentFailureStore.failed(handle, repositories, now.minus(Rates.DAY));
    return repositories.stream()
        .distinct()
        .collect(
            Collectors.toMap(
                id -> id,
                id ->
                    of(
                        counts.getOrDefault(id, TestCountStore.Counts.NONE),
                        failed.getOrDefault(id, 0L))));
  }

  TestCounts plus(TestCounts other) {
    return new TestCounts(
        total + other.total,
        healthy + other.healthy,
        flaky + other.flaky,
        broken + other.broken,
        quarantined + other.quarantined,
        failedOfDay + other.failedOfDay);
  }

  private static TestCounts of(TestCountStore.Counts counts, long failed) {
    return new TestCounts(
        counts.total(),
        counts.total() - counts.flaky() - counts.broken(),
        counts.flaky(),
        counts.broken(),
        counts.quarantined(),
        failed);
  }
}
