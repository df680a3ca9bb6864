package dev.mainstay.core.health.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.health.Glob;
import dev.mainstay.core.health.Monitor;
import dev.mainstay.core.health.MonitorId;
import dev.mainstay.core.health.MonitorRule;
import dev.mainstay.core.health.TestStatus;
import dev.mainstay.core.health.replay.MonitorTrial.Contender;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A small share of what {@code bench/run monitors} measures. */
class MonitorTrialTest {
  private static final List<Glob> MAIN = List.of(new Glob("main"));
  private static final Contender THREE =
      new Contender(
          "three",
          List.of(
              monitor(1, MonitorRule.PassOnRetry.DEFAULT),
              monitor(2, new MonitorRule.FailureRate(TestStatus.BROKEN, 0.5, 0.2, 5, 24, 72, MAIN)),
              monitor(3, new MonitorRule.FailureCount(TestStatus.FLAKY, 3, 24, 72, MAIN))));
  private static final Contender BAYESIAN =
      new Contender("bayesian", List.of(monitor(4, MonitorRule.Bayesian.DEFAULT)));

  @Test
  void bayesian_finds_as_many_flaky_tests_as_the_three_others_and_spares_the_healthy() {
    List<Double> rates =
        RepositoryTraits.STATED_RATES.stream().filter(rate -> rate > 0.002).toList();
    var settings = RepositoryTraits.of(200, 5, rates);
    List<MonitorScore> scores = MonitorTrial.run(settings, 42, List.of(THREE, BAYESIAN));
    MonitorScore three = scores.getFirst();
    MonitorScore bayesian = scores.getLast();
    assertThat(bayesian.failedFlaky()).isGreaterThan(5);
    assertThat(bayesian.recall()).isGreaterThanOrEqualTo(three.recall());
    assertThat(bayesian.sparedShare()).isGreaterThanOrEqualTo(0.99);
    assertThat(bayesian.precision()).isGreaterThanOrEqualTo(0.99);
    assertThat(bayesian.recallOfBroken()).isGreaterThan(0.6);
    assertThat(three.sparedShare()).isLessThan(bayesian.sparedShare());
  }

  @Test
  void the_same_seed_is_the_same_world() {
    var settings = RepositoryTraits.of(40, 2, RepositoryTraits.STATED_RATES);
    assertThat(MonitorTrial.run(settings, 5, List.of(BAYESIAN)))
        .isEqualTo(MonitorTrial.run(settings, 5, List.of(BAYESIAN)))
        .isNotEqualTo(MonitorTrial.run(settings, 6, List.of(BAYESIAN)));
  }

  private static Monitor monitor(long id, MonitorRule rule) {
    return new Monitor(new MonitorId(new UUID(0, id)), "m" + id, true, rule);
  }
}
