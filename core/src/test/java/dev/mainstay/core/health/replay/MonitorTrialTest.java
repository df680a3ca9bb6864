package dev.mainstay.core.health.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.health.Monitor;
import dev.mainstay.core.health.MonitorId;
import dev.mainstay.core.health.MonitorRule;
import dev.mainstay.core.health.replay.MonitorTrial.Contender;
import dev.mainstay.core.health.replay.RepositoryTraits.Flakes;
import dev.mainstay.core.health.replay.RepositoryTraits.Troubles;
import java.util.BitSet;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A small share of what {@code bench/run monitors} measures. */
class MonitorTrialTest {
  private static final Contender RETRY =
      new Contender("retry", List.of(monitor(1, MonitorRule.PassOnRetry.DEFAULT)));
  private static final Contender BAYESIAN =
      new Contender("bayesian", List.of(monitor(2, MonitorRule.Bayesian.DEFAULT)));
  private static final List<Double> RATES =
      RepositoryTraits.STATED_RATES.stream().filter(rate -> rate > 0.002).toList();

  private static MonitorScore bayesian(Flakes flakes, double retry, Troubles troubles) {
    var traits = new RepositoryTraits(200, flakes, 6, 1, 4, retry, troubles);
    return MonitorTrial.run(traits, 42, List.of(RETRY, BAYESIAN)).getLast();
  }

  @Test
  void bayesian_finds_flaky_tests_and_spares_the_healthy_though_there_are_outages() {
    var troubles = new Troubles(2, 1, 0, 0.1, 0.5, 2, 0.005);
    var traits = new RepositoryTraits(200, Flakes.of(15, RATES), 6, 1, 4, 0.5, troubles);
    List<MonitorScore> scores = MonitorTrial.run(traits, 42, List.of(RETRY, BAYESIAN));
    assertThat(scores).allMatch(score -> score.falseAlarms().part() == 0);
    assertThat(scores.getLast().failedTwice().whole()).isGreaterThan(5);
    assertThat(scores.getLast().failedTwice().value()).isGreaterThan(0.9);
    assertThat(scores.getLast().gates().part()).isZero();
  }

  @Test
  void it_needs_no_retries() {
    MonitorScore score = bayesian(Flakes.of(15, RATES), 0, new Troubles(0, 0, 0, 0.1, 0.5, 0, 0));
    assertThat(score.failedTwice().value()).isGreaterThan(0.7);
    assertThat(score.falseAlarms().part()).isZero();
  }

  @Test
  void it_tells_regressions_soon_and_what_broke_them() {
    MonitorScore score = bayesian(Flakes.of(5, RATES), 0.3, new Troubles(4, 4, 1, 0.2, 0.2, 0, 0));
    assertThat(score.broken().soon().whole()).isGreaterThan(15);
    assertThat(score.broken().soon().value()).isGreaterThan(0.9);
    assertThat(score.broken().named().value()).isEqualTo(1);
    assertThat(score.broken().calledFlaky().value()).isLessThan(0.1);
  }

  @Test
  void recorded_runs_are_played_as_they_were() {
    var both = new BitSet();
    both.set(0, 2);
    var recorded = new RecordedRuns(2, List.of(both, new BitSet(), new BitSet(), new BitSet()));
    assertThat(recorded.rate(1)).isEqualTo(0.25);
    MonitorScore score =
        bayesian(new Flakes(0, RATES, 0, recorded), 0.5, new Troubles(0, 0, 0, 0, 0, 0, 0));
    assertThat(score.failedTwice()).isEqualTo(new MonitorScore.Share(2, 2));
    assertThat(score.falseAlarms()).isEqualTo(new MonitorScore.Share(0, 200));
  }

  @Test
  void the_same_seed_is_the_same_world() {
    var traits =
        new RepositoryTraits(
            40,
            new Flakes(5, RepositoryTraits.STATED_RATES, 1, RecordedRuns.NONE),
            2,
            1,
            4,
            0.5,
            new Troubles(2, 2, 1, 0.1, 0.5, 2, 0.01));
    assertThat(MonitorTrial.run(traits, 5, List.of(BAYESIAN)))
        .isEqualTo(MonitorTrial.run(traits, 5, List.of(BAYESIAN)))
        .isNotEqualTo(MonitorTrial.run(traits, 6, List.of(BAYESIAN)));
  }

  private static Monitor monitor(long id, MonitorRule rule) {
    return new Monitor(new MonitorId(new UUID(0, id)), "m" + id, true, rule);
  }
}
