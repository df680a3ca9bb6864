package dev.mainstay.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.queue.HealthWindow.Step;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HealthWindowTest {
  private static final Instant NOW = Instant.parse("2026-03-10T15:20:00Z");

  private static String window(String from, String to, Step step) {
    return HealthWindow.of(time(from), time(to), step, NOW)
        .map(w -> w.from() + " " + w.to() + " " + w.count())
        .orElse("none");
  }

  private static Optional<Instant> time(String text) {
    return text.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(text));
  }

  @Test
  void it_is_the_last_seven_days_where_nothing_is_said() {
    assertThat(window("", "", Step.DAY)).isEqualTo("2026-03-04T00:00:00Z 2026-03-10T15:20:00Z 7");
    assertThat(window("", "", Step.HOUR))
        .isEqualTo("2026-03-03T16:00:00Z 2026-03-10T15:20:00Z 168");
    assertThat(window("", "2026-03-09T00:00:00Z", Step.DAY))
        .isEqualTo("2026-03-02T00:00:00Z 2026-03-09T00:00:00Z 7");
  }

  @Test
  void it_begins_with_a_step_and_ends_now_at_the_latest() {
    assertThat(window("2026-03-10T13:59:59Z", "2026-03-10T15:00:00Z", Step.HOUR))
        .isEqualTo("2026-03-10T13:00:00Z 2026-03-10T15:00:00Z 2");
    assertThat(window("2026-03-10T15:00:00Z", "2030-01-01T00:00:00Z", Step.HOUR))
        .isEqualTo("2026-03-10T15:00:00Z 2026-03-10T15:20:00Z 1");
  }

  @Test
  void nothing_and_too_much_are_none() {
    assertThat(window("2026-03-10T15:00:00Z", "2026-03-10T15:00:00Z", Step.DAY)).isEqualTo("none");
    assertThat(window("2026-03-10T15:20:00Z", "", Step.DAY)).isEqualTo("none");
    assertThat(window("2026-03-01T00:00:00Z", "2026-02-01T00:00:00Z", Step.DAY)).isEqualTo("none");
    assertThat(window("2025-02-04T00:00:00Z", "", Step.DAY)).endsWith(" 400");
    assertThat(window("2025-02-03T23:59:59Z", "", Step.DAY)).isEqualTo("none");
    assertThat(window("0000-01-01T00:00:00Z", "", Step.HOUR)).isEqualTo("none");
  }
}
