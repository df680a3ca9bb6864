package dev.mainstay.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ScoreTest {

  @Test
  void percentiles_are_values_that_occurred() {
    var hundred = new Percentiles(LongStream.rangeClosed(1, 100).map(n -> 101 - n));
    assertThat(hundred.at(50)).isEqualTo(50);
    assertThat(hundred.at(95)).isEqualTo(95);
    assertThat(hundred.at(99)).isEqualTo(99);

    var three = new Percentiles(LongStream.of(30, 10, 20));
    assertThat(three.at(50)).isEqualTo(20);
    assertThat(three.at(99)).isEqualTo(30);
    assertThat(three.at(0)).isEqualTo(10);
    assertThat(new Percentiles(LongStream.empty()).at(50)).isZero();
  }

  @Test
  void a_score_adds_up_its_worlds() {
    var first =
        new PolicyOutcome(
            List.of(
                new Decision(0, 0, minutes(10), true, false),
                new Decision(1, minutes(1), minutes(31), false, true)),
            4,
            3,
            minutes(50),
            minutes(30),
            minutes(3),
            7);
    var second =
        new PolicyOutcome(
            List.of(new Decision(0, 0, minutes(20), true, false)),
            1,
            1,
            minutes(10),
            minutes(30),
            0,
            2);

    Score score = Score.of(List.of(first, second));

    assertThat(score.changes()).isEqualTo(3);
    assertThat(score.landed()).isEqualTo(2);
    assertThat(score.rejected()).isEqualTo(1);
    assertThat(score.turnaround()).isEqualTo(new Score.Turnaround(20, 30, 30));
    assertThat(score.landedPerHour()).isCloseTo(2, within(1e-9));
    assertThat(score.buildsPerChange()).isCloseTo(5 / 3.0, within(1e-9));
    assertThat(score.ciMinutesPerChange()).isCloseTo(20, within(1e-9));
    assertThat(score.wastedBuilds()).isEqualTo(1);
    assertThat(score.wastedShare()).isCloseTo(0.2, within(1e-9));
    assertThat(score.falseEjections()).isEqualTo(1);
    assertThat(score.greenShare()).isCloseTo(0.95, within(1e-9));
    assertThat(score.events()).isEqualTo(9);
  }

  private static long minutes(int count) {
    return count * 60_000L;
  }
}
