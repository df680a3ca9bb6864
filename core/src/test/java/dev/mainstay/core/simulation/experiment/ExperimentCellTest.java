package dev.mainstay.core.simulation.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExperimentCellTest {

  @Test
  void a_cell_is_read_and_written_the_same_way() {
    assertThat(ExperimentCell.parse(" 500/100 ").name()).isEqualTo("500/100");
    assertThat(ExperimentCell.parse("500/100/Targets=3/failures=0.2/flakes=1%").name())
        .isEqualTo("500/100/targets=3/failures=20%/flakes=1%");
    assertThat(ExperimentCell.parse("9/8/flakes=0.5%/targets=1/failures=5%").name())
        .isEqualTo("9/8/flakes=0.5%");
    assertThat(ExperimentCell.parse("9/8/drift=0.5").name()).isEqualTo("9/8/authors=50/drift=0.5");
    assertThat(ExperimentCell.measured())
        .allSatisfy(cell -> assertThat(ExperimentCell.parse(cell.name())).isEqualTo(cell));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "500",
        "500/",
        "0/5",
        "5/1001",
        "2001/5",
        "5/5/",
        "5/5/targets",
        "5/5/targets=0",
        "5/5/targets=1.5",
        "5/5/failures=101%",
        "5/5/flakes=NaN",
        "5/5/authors=-1",
        "5/5/drift=0",
        "5/5/drift=Infinity",
        "5/5/colour=red"
      })
  void what_is_no_cell_is_refused_with_how_one_is_written(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ExperimentCell.parse(text))
        .withMessageContaining("'" + text + "' is not a cell")
        .withMessageContaining("500/500/targets=3, failures=20%");
  }

  @Test
  void three_targets_meet_as_often_as_one() {
    double one = ExperimentCell.parse("500/500").world(4).world(1).shareMeetingSomethingInFlight();
    double three =
        ExperimentCell.parse("500/500/targets=3").world(4).world(1).shareMeetingSomethingInFlight();

    assertThat(three).isCloseTo(one, within(0.05));
  }

  @Test
  void authors_who_drift_are_others_in_each_hour_and_told_of() {
    var still = ExperimentCell.parse("500/1/authors=50").world(2).world(1);
    var drifting = ExperimentCell.parse("500/1/authors=50/drift=1").world(2).world(1);

    assertThat(drifting.changes().subList(0, 400)).isEqualTo(still.changes().subList(0, 400));
    assertThat(drifting.changes()).isNotEqualTo(still.changes());
    assertThat(still.change(0).origin().author()).isPresent();
  }

  @Test
  void a_spread_is_the_mean_and_the_deviation_of_a_sample() {
    assertThat(Spread.of(DoubleStream.of(1, 3))).isEqualTo(new Spread(2, Math.sqrt(2)));
    assertThat(Spread.of(DoubleStream.of(7))).isEqualTo(new Spread(7, 0));
  }
}
