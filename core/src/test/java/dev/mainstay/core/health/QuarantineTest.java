package dev.mainstay.core.health;

import static dev.mainstay.core.health.Quarantine.Choice.ALWAYS_QUARANTINE;
import static dev.mainstay.core.health.Quarantine.Choice.NEVER_QUARANTINE;
import static dev.mainstay.core.health.TestStatus.BROKEN;
import static dev.mainstay.core.health.TestStatus.FLAKY;
import static dev.mainstay.core.health.TestStatus.HEALTHY;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class QuarantineTest {
  private static final Quarantine.Switches MANUAL = new Quarantine.Switches(true, false);
  private static final Quarantine.Switches AUTOMATIC = new Quarantine.Switches(true, true);

  @Test
  void nothing_is_quarantined_where_quarantining_is_off() {
    var off = new Quarantine.Switches(false, true);
    assertThat(Quarantine.applies(off, BROKEN, Optional.of(ALWAYS_QUARANTINE))).isFalse();
  }

  @Test
  void an_override_decides_before_the_status() {
    assertThat(Quarantine.applies(MANUAL, HEALTHY, Optional.of(ALWAYS_QUARANTINE))).isTrue();
    assertThat(Quarantine.applies(AUTOMATIC, BROKEN, Optional.of(NEVER_QUARANTINE))).isFalse();
  }

  @Test
  void without_an_override_only_automatic_quarantining_looks_at_the_status() {
    assertThat(Quarantine.applies(MANUAL, FLAKY, Optional.empty())).isFalse();
    assertThat(Quarantine.applies(AUTOMATIC, FLAKY, Optional.empty())).isTrue();
    assertThat(Quarantine.applies(AUTOMATIC, BROKEN, Optional.empty())).isTrue();
    assertThat(Quarantine.applies(AUTOMATIC, HEALTHY, Optional.empty())).isFalse();
  }
}
