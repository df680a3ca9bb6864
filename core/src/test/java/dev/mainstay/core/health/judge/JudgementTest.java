package dev.mainstay.core.health.judge;

import static dev.mainstay.core.health.judge.Past.NOON;
import static dev.mainstay.core.health.judge.Past.daysAgo;
import static dev.mainstay.core.health.judge.Past.monitor;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.health.BranchClass;
import dev.mainstay.core.health.Glob;
import dev.mainstay.core.health.Monitor;
import dev.mainstay.core.health.MonitorId;
import dev.mainstay.core.health.MonitorRule.Bayesian;
import dev.mainstay.core.health.MonitorRule.FailureCount;
import dev.mainstay.core.health.MonitorRule.FailureRate;
import dev.mainstay.core.health.MonitorRule.PassOnRetry;
import dev.mainstay.core.health.MonitorState;
import dev.mainstay.core.health.Standing;
import dev.mainstay.core.health.TestHistory;
import dev.mainstay.core.health.TestStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class JudgementTest {
  private static final Monitor RETRY = monitor("retry", PassOnRetry.DEFAULT);
  private static final Monitor RATE =
      monitor(
          "rate",
          new FailureRate(TestStatus.BROKEN, 0.5, 0.25, 4, 24, 30, List.of(new Glob("main"))));
  private static final Monitor COUNT =
      monitor("count", new FailureCount(TestStatus.FLAKY, 2, 12, 36, List.of()));
  private static final Monitor BAYESIAN = monitor("bayesian", Bayesian.DEFAULT);

  @Test
  void the_most_severe_active_monitor_wins() {
    var past = new Past().split("c", "main", daysAgo(1)).ran("main", 1, 0, 4);
    Judgement judgement = past.judge(NOON, RETRY, RATE, COUNT);
    assertThat(judgement.after().status()).isEqualTo(TestStatus.BROKEN);
    assertThat(judgement.decidedBy().orElseThrow().monitor()).isEqualTo(RATE.id());
    assertThat(judgement.after().monitors()).filteredOn(MonitorState::active).hasSize(3);
  }

  @Test
  void when_the_most_severe_resolves_the_next_one_gives_the_status() {
    var past = new Past().split("c", "main", daysAgo(1)).ran("main", 1, 0, 4);
    Standing broken = past.judge(NOON, RETRY, RATE).after();
    Judgement judgement =
        past.ran("main", 0, 40, 0).judge(broken, NOON.plusSeconds(1), RETRY, RATE);
    assertThat(judgement.after().status()).isEqualTo(TestStatus.FLAKY);
    assertThat(judgement.changed()).isTrue();
    assertThat(judgement.after().reason()).startsWith("Failed and passed on the same commit");
  }

  @Test
  void of_two_as_severe_the_one_that_was_active_first_is_the_reason() {
    Standing first = new Past().ran("x", 1, 0, 2).judge(NOON, RETRY, COUNT).after();
    var both = new Past().ran("x", 1, 0, 2).split("c", "x", NOON);
    assertThat(
            both.judge(first, NOON.plusSeconds(9), RETRY, COUNT)
                .decidedBy()
                .orElseThrow()
                .monitor())
        .isEqualTo(COUNT.id());
  }

  @Test
  void a_muted_monitor_does_not_count_until_the_mute_ends() {
    var past = new Past().split("c", "main", daysAgo(1));
    Instant until = NOON.plus(Duration.ofHours(3));
    Judgement muted =
        Judgement.of(
            past.history(),
            List.of(RETRY),
            Map.of(RETRY.id(), until),
            Standing.unflagged(daysAgo(9)),
            NOON);
    assertThat(muted.after().status()).isEqualTo(TestStatus.HEALTHY);
    assertThat(muted.after().reason())
        .isEqualTo(
            "The monitor \"retry\" is muted for this test until 2026-03-10T15:00:00Z; it saw: "
                + "Failed and passed on the same commit, c (main), in the last 7 days.");
    assertThat(muted.nextReviewAt()).contains(until);
    Judgement after =
        Judgement.of(
            past.history(), List.of(RETRY), Map.of(RETRY.id(), until), muted.after(), until);
    assertThat(after.after().status()).isEqualTo(TestStatus.FLAKY);
    assertThat(after.after().monitors().getFirst().since()).isEqualTo(NOON);
  }

  @Test
  void muting_one_monitor_leaves_the_others() {
    var past = new Past().split("c", "main", daysAgo(1)).ran("main", 1, 0, 4);
    var judgement =
        Judgement.of(
            past.history(),
            List.of(RETRY, RATE),
            Map.of(RATE.id(), NOON.plusSeconds(1)),
            Standing.unflagged(NOON),
            NOON);
    assertThat(judgement.after().status()).isEqualTo(TestStatus.FLAKY);
  }

  @Test
  void a_monitor_that_is_switched_off_or_deleted_flags_nothing_any_more() {
    var past = new Past().split("c", "main", daysAgo(1));
    Standing flaky = past.judge(NOON, RETRY).after();
    var off = new Monitor(RETRY.id(), RETRY.name(), false, RETRY.rule());
    Judgement judgement = past.judge(flaky, NOON, off);
    assertThat(judgement.after().status()).isEqualTo(TestStatus.HEALTHY);
    assertThat(judgement.after().reason())
        .isEqualTo("The monitor that flagged this test is no longer on.");
    assertThat(past.judge(judgement.after(), NOON).after()).isEqualTo(judgement.after());
  }

  @Test
  void a_preview_tells_what_a_monitor_that_is_off_would_flag() {
    var off = new Monitor(RETRY.id(), "r", false, RETRY.rule());
    var history = new Past().split("c", "main", daysAgo(1)).history();
    assertThat(Judgement.preview(history, off, NOON).after().status()).isEqualTo(TestStatus.FLAKY);
  }

  @Test
  void a_test_without_history_or_monitors_is_healthy() {
    assertThat(Judgement.preview(TestHistory.EMPTY, BAYESIAN, NOON).after())
        .isEqualTo(Standing.unflagged(NOON));
    assertThat(new Past().split("c", "main", NOON).judge(NOON).after().status())
        .isEqualTo(TestStatus.HEALTHY);
  }

  @Test
  void judging_twice_gives_the_same_and_order_does_not_matter() {
    for (int seed = 0; seed < 60; seed++) {
      var random = new Random(seed);
      TestHistory history = any(random);
      Standing before = Judgement.of(any(random), all(), Map.of(), start(), daysAgo(1)).after();
      var mutes =
          random.nextInt(4) == 0
              ? Map.of(RETRY.id(), NOON.plusSeconds(99))
              : Map.<MonitorId, Instant>of();
      Judgement once = Judgement.of(history, all(), mutes, before, NOON);
      assertThat(Judgement.of(shuffled(history, random), all(), mutes, before, NOON))
          .as("seed %d", seed)
          .isEqualTo(once);
      Judgement twice = Judgement.of(history, all(), mutes, once.after(), NOON);
      assertThat(twice.after()).as("seed %d", seed).isEqualTo(once.after());
      assertThat(twice.changed()).isFalse();
      assertThat(twice.nextReviewAt()).isEqualTo(once.nextReviewAt());
    }
  }

  /** The states are compared, since sentences may count on in the same state. */
  @Test
  void without_new_results_nothing_changes_before_the_next_review() {
    for (int seed = 0; seed < 60; seed++) {
      var random = new Random(seed);
      TestHistory history = any(random);
      Judgement now = Judgement.of(history, all(), Map.of(), start(), NOON);
      assertThat(now.nextReviewAt().filter(at -> !at.isAfter(NOON))).isEmpty();
      Instant until = now.nextReviewAt().orElse(NOON.plus(Duration.ofDays(40)));
      for (int i = 0; i < 8; i++) {
        long ahead = (long) (Duration.between(NOON, until).toMillis() * random.nextDouble());
        Judgement later =
            Judgement.of(history, all(), Map.of(), now.after(), NOON.plusMillis(ahead));
        assertThat(active(later)).as("seed %d", seed).isEqualTo(active(now));
      }
    }
  }

  @Test
  void reviews_in_turn_end_in_health() {
    for (int seed = 0; seed < 60; seed++) {
      TestHistory history = any(new Random(seed));
      Judgement judgement = Judgement.of(history, all(), Map.of(), start(), NOON);
      int reviews = 0;
      while (judgement.nextReviewAt().isPresent() && reviews++ < 400) {
        judgement =
            Judgement.of(
                history, all(), Map.of(), judgement.after(), judgement.nextReviewAt().get());
      }
      assertThat(reviews).as("seed %d", seed).isLessThan(400);
      assertThat(judgement.after().status()).as("seed %d", seed).isEqualTo(TestStatus.HEALTHY);
    }
  }

  private static List<Monitor> all() {
    return List.of(RETRY, RATE, COUNT, BAYESIAN);
  }

  private static Standing start() {
    return Standing.unflagged(daysAgo(30));
  }

  private static List<String> active(Judgement judgement) {
    return judgement.after().monitors().stream()
        .map(state -> state.monitor() + " " + state.active() + " " + state.status())
        .toList();
  }

  private static TestHistory any(Random random) {
    var past = new Past();
    double failing = random.nextBoolean() ? 0.05 : 0.6;
    int runs = random.nextInt(120);
    for (int i = 0; i < runs; i++) {
      boolean stable = random.nextInt(3) > 0;
      past.run(
          stable ? "main" : "feature/" + random.nextInt(5),
          stable ? BranchClass.STABLE : BranchClass.PULL_REQUEST,
          "c" + random.nextInt(60),
          daysAgo(random.nextDouble() * 12),
          random.nextDouble() < failing,
          1,
          500);
    }
    for (int i = random.nextInt(4); i > 0; i--) {
      past.split("c" + random.nextInt(60), "main", daysAgo(random.nextDouble() * 9));
    }
    return past.history();
  }

  private static TestHistory shuffled(TestHistory history, Random random) {
    return new TestHistory(
        shuffled(history.hours(), random),
        shuffled(history.splits(), random),
        shuffled(history.runs(), random));
  }

  private static <T> List<T> shuffled(List<T> list, Random random) {
    var copy = new ArrayList<>(list);
    Collections.shuffle(copy, random);
    return copy;
  }
}
