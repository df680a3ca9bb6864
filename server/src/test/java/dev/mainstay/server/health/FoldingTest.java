package dev.mainstay.server.health;

import static dev.mainstay.server.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.TestNode.Answer;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The runs of a test are counted once, whatever of them is folded and whatever happens beside. */
class FoldingTest extends JudgingScene {

  private static final String WAITING = "Who waits is seen on the server that has the rows.";

  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** What ran before a repository is known is late. */
  @BeforeEach
  void aRepositoryIsKnown() {
    shop.upload(at("12:00"), "", "takes passed");
    clock.advance(Duration.ofMinutes(150));
  }

  @AfterEach
  void end() {
    threads.shutdownNow();
  }

  @Test
  void hours_are_folded_when_they_are_over_for_an_hour_and_late_results_the_next_time() {
    shop.upload(at("12:59"), "&commit=1", "adds failed", "takes passed");
    shop.upload(at("12:30"), "&commit=2", "adds passed", "adds skipped");
    shop.upload(at("13:00"), "&commit=3", "adds passed");
    shop.upload(at("14:00"), "&commit=4", "adds failed");
    assertThat(told()).isEqualTo("2 of 4 failed");

    fold();
    assertThat(told()).isEqualTo("2 of 4 failed");
    assertThat(folded()).isEqualTo(5);
    assertThat(number("SELECT sum(passes_from[13] + failures_from[13] * 10) FROM test_day"))
        .isEqualTo(13);
    assertThat(number("SELECT sum(passes_from[14] + failures_from[14]) FROM test_day")).isZero();

    twoSuites("12:15", "13:15");
    shop.upload(at("14:20").minus(Duration.ofDays(2)), "&commit=6", "adds passed");
    assertThat(told()).isEqualTo("4 of 7 failed");
    assertThat(late()).isEqualTo(2);

    clock.advance(Duration.ofHours(2));
    fold();
    assertThat(told()).isEqualTo("4 of 7 failed");
    assertThat(folded()).isEqualTo(10);
    assertThat(late()).isZero();

    clock.advance(Duration.ofDays(3));
    shop.upload(now().minus(Duration.ofHours(30)), "&commit=7", "adds passed");
    fold();
    assertThat(told()).isEqualTo("4 of 8 failed");
  }

  @Test
  void runs_that_nobody_has_folded_yet_are_of_the_day_on_which_they_were() {
    shop.upload(now(), "&commit=1", "adds failed");
    shop.upload(now(), "&commit=2", "adds passed");
    clock.advance(Duration.ofHours(26));
    shop.upload(now(), "&commit=3", "adds failed");
    shop.upload(now(), "&commit=4", "adds passed");
    for (int round = 0; round < 2; round++) {
      assertThat(told()).isEqualTo("2 of 4 failed");
      assertThat(shop.details("adds").path("failure_rate_last_24h").asDouble()).isEqualTo(0.5);
      clock.advance(Duration.ofHours(2));
      fold();
    }
  }

  @Test
  void an_upload_that_was_under_way_while_its_hour_was_folded_is_counted_once() throws Exception {
    assumeFalse(TestDatabase.isSpread(), WAITING);
    shop.upload(at("13:10"), "&commit=1", "adds failed");
    var late =
        database.inTransaction(
            handle -> {
              handle.execute("LOCK TABLE test IN EXCLUSIVE MODE");
              var upload = threads.submit(() -> upload("13:20"));
              waiting(1);
              clock.advance(Duration.ofHours(1));
              fold();
              assertThat(folded()).isEqualTo(2);
              return upload;
            });
    late.get();
    assertThat(told()).isEqualTo("1 of 2 failed");

    clock.advance(Duration.ofHours(1));
    fold();
    assertThat(folded()).isEqualTo(4);
    assertThat(told()).isEqualTo("1 of 2 failed");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void an_upload_and_the_folding_of_its_hour_wait_for_each_other_and_it_is_counted_once(
      boolean uploadIsFirst) throws Exception {
    assumeFalse(TestDatabase.isSpread(), WAITING);
    shop.upload(at("13:10"), "&commit=1", "adds failed");
    Callable<?> upload = () -> upload("13:20");
    Callable<?> folding = Executors.callable(this::fold);
    var both = uploadIsFirst ? List.of(upload, folding) : List.of(folding, upload);
    clock.advance(Duration.ofHours(1));
    var begun = new ArrayList<Future<?>>();
    database.useTransaction(
        handle -> {
          handle.execute("SELECT FROM result_feed FOR UPDATE");
          for (var one : both) {
            begun.add(threads.submit(one));
            waiting(begun.size());
          }
        });
    for (var one : begun) {
      one.get();
    }
    assertThat(told()).isEqualTo("1 of 2 failed");

    clock.advance(Duration.ofHours(1));
    fold();
    assertThat(told()).isEqualTo("1 of 2 failed");
    assertThat(folded()).isEqualTo(4);
  }

  @ParameterizedTest
  @CsvSource({"13:20, 5", "15:20, 3"})
  void an_upload_that_arrives_while_hours_are_folded_is_counted_once_and_hides_none(
      String time, int folded) throws Exception {
    assumeFalse(TestDatabase.isSpread(), WAITING);
    shop.upload(at("12:10"), "&commit=1", "adds failed");
    fold();
    shop.upload(at("12:20"), "&commit=2", "adds failed");
    clock.advance(Duration.ofHours(1));
    shop.upload(at("14:10"), "&commit=3", "adds failed");
    var folding =
        database.inTransaction(
            handle -> {
              handle.execute("LOCK TABLE test_hour_30 IN ACCESS EXCLUSIVE MODE");
              var begun = threads.submit(this::fold);
              waiting(1);
              upload(time);
              return begun;
            });
    folding.get();
    assertThat(told()).isEqualTo("3 of 4 failed");
    fold();
    assertThat(told()).isEqualTo("3 of 4 failed");
    assertThat(folded()).isEqualTo(folded);
  }

  private static Instant at(String time) {
    return Instant.parse("2026-03-01T%s:00Z".formatted(time));
  }

  private Answer upload(String time) {
    return shop.upload(at(time), "&commit=late", "adds passed", "wins passed");
  }

  /** Two failures in one upload. */
  private void twoSuites(String... times) {
    var suites = new StringBuilder();
    for (String time : times) {
      suites
          .append("<testsuite name='Suite' timestamp='%s'>".formatted(at(time)))
          .append(
              "<testcase classname='C' file='src/adds.py' name='adds'><failure/></testcase></testsuite>");
    }
    var answer =
        node.post(
            "/v1/test-results?repo=github.com/acme/shop&commit=5",
            node.token(),
            "application/xml",
            BodyPublishers.ofString("<testsuites>%s</testsuites>".formatted(suites)));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
  }

  /** Until so many wait for a lock. */
  private void waiting(long those) {
    until(
        () -> number("SELECT count(*) FROM pg_locks WHERE NOT granted"),
        waiting -> waiting >= those);
  }

  /** What is told of a test in two places, which agree. */
  private String told() {
    JsonNode days =
        shop.ask("/v1/tests/days", "\"test_id\":\"%s\"".formatted(shop.id("adds")))
            .json()
            .path("days");
    int runs = days.valueStream().mapToInt(day -> day.path("runs").asInt()).sum();
    int failures = days.valueStream().mapToInt(day -> day.path("failures").asInt()).sum();
    assertThat(shop.details("adds").path("failure_rate_last_7d").asDouble())
        .isEqualTo((double) failures / runs);
    return "%d of %d failed".formatted(failures, runs);
  }

  private long late() {
    return number("SELECT count(*) FROM test_hour");
  }

  private long folded() {
    return number("SELECT coalesce(sum(passes + failures + skips), 0) FROM test_day");
  }
}
