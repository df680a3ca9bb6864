package dev.mainstay.server.health.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.health.TestStatus;
import org.junit.jupiter.api.Test;

/** The stored states of monitors can be read for ever. */
class StandingJsonTest {
  private static final String STORED =
      """
      {"monitors":[{"monitor":"0777bdf5-1b2e-4a24-8534-503b7d51aa42","active":true,"status":"flaky",\
      "since":"2026-03-02T18:00:00Z","evidence":{"sentence":"Failed and passed on abc.",\
      "from":"2026-02-23T18:00:00Z","to":"2026-03-02T18:00:00Z","runs":2,"failures":1,"commits":["abc"],\
      "numbers":{"commits":1.0}}}]}""";

  @Test
  void where_monitors_stood_is_read_and_written_as_before() {
    var states = StandingJson.read(STORED);
    assertThat(states).hasSize(1);
    assertThat(states.getFirst().status()).isEqualTo(TestStatus.FLAKY);
    assertThat(states.getFirst().evidence().commits()).containsExactly("abc");
    assertThat(StandingJson.write(states)).isEqualTo(STORED);
    assertThat(StandingJson.read("{\"monitors\": []}")).isEmpty();
  }
}
