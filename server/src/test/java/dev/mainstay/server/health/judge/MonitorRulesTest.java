package dev.mainstay.server.health.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.health.MonitorRule.Bayesian;
import dev.mainstay.core.health.MonitorRule.FailureCount;
import dev.mainstay.core.health.MonitorRule.FailureRate;
import dev.mainstay.core.health.MonitorRule.PassOnRetry;
import dev.mainstay.core.health.TestStatus;
import java.util.List;
import org.junit.jupiter.api.Test;

class MonitorRulesTest {
  @Test
  void rules_of_every_kind_are_read_as_they_were_written() {
    for (var rule :
        List.of(
            PassOnRetry.DEFAULT,
            Bayesian.DEFAULT,
            new FailureRate(TestStatus.BROKEN, 0.5, 0.25, 4, 24, 48, List.of()),
            new FailureCount(TestStatus.FLAKY, 2, 12, 24, List.of()))) {
      assertThat(MonitorRules.read(MonitorRules.write(rule))).isEqualTo(rule);
    }
  }
}
