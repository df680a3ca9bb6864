package dev.mainstay.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class NodeClockTest {
  private static final Instant BEGIN = Instant.parse("2026-03-01T12:00:00Z");
  private static final Duration HOURS = Duration.ofHours(6);

  private final SetClocks clocks = new SetClocks();
  private final NodeClock clock = new NodeClock(clocks);

  @Test
  void it_begins_with_the_databases_time_whatever_the_machine_says() {
    clocks.machine = HOURS;
    assertThat(new NodeClock(clocks).instant()).isEqualTo(BEGIN);
    pass(90);
    assertThat(clock.instant()).isEqualTo(BEGIN.plusSeconds(90));
  }

  @Test
  void a_first_answer_that_took_long_is_asked_for_again_and_no_clock_is_said_to_have_jumped() {
    clocks.late = 2;
    var begun = new NodeClock(clocks);
    clocks.steady += 1_000_000_000;
    begun.look();
    assertThat(begun.seen()).allMatch(seen -> seen.jumps() == 0);
    assertThat(begun.instant()).isEqualTo(BEGIN.plusNanos(clocks.steady));
  }

  @Test
  void a_jump_of_the_machine_moves_nothing_and_is_told() {
    pass(10);
    clocks.machine = HOURS;
    pass(8);
    clocks.machine = Duration.ZERO;
    pass(10);
    assertThat(clock.instant()).isEqualTo(BEGIN.plusSeconds(28));
    assertThat(clock.seen().getFirst()).isEqualTo(new NodeClock.Seen("machine", Duration.ZERO, 2));
    assertThat(clock.seen().getLast().jumps()).isZero();
  }

  @Test
  void a_jump_of_the_database_for_a_moment_moves_next_to_nothing() {
    pass(10);
    clocks.database = HOURS;
    pass(8);
    assertThat(clock.seen().getLast().jumps()).isEqualTo(1);
    clocks.database = Duration.ZERO;
    pass(1);
    assertThat(ahead()).isBetween(Duration.ofMillis(500), Duration.ofSeconds(1));
    pass(20);
    assertThat(ahead()).isEqualTo(Duration.ZERO);
    assertThat(clock.seen().getLast().jumps()).isEqualTo(2);
  }

  @Test
  void a_clock_that_was_set_for_good_is_followed_by_a_tenth_of_the_time_that_passes() {
    clocks.database = HOURS.negated();
    pass(600);
    assertThat(ahead()).isEqualTo(Duration.ofMillis(-59_900));
    clocks.database = HOURS;
    pass(660);
    assertThat(ahead()).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(7));
  }

  @Test
  void it_never_goes_back() {
    Instant before = clock.instant();
    for (int i = 0; i < 2000; i++) {
      clocks.database = Duration.ofMillis(i % 7 * 300 - 900);
      clocks.steady += 7_000_000;
      if (i % 5 == 0) {
        clock.look();
      }
      assertThat(clock.instant()).isAfter(before);
      before = clock.instant();
    }
  }

  @Test
  void it_goes_on_evenly_where_the_database_does_not_answer() {
    clocks.database = HOURS;
    clock.look();
    clocks.steady += Duration.ofMinutes(10).toNanos();
    assertThat(clock.instant()).isEqualTo(BEGIN.plusSeconds(600).plusMillis(100));
    clocks.slow = true;
    clocks.database = Duration.ZERO;
    clock.look();
    assertThat(clock.seen().getLast().jumps())
        .as("an answer that came late is not heard")
        .isEqualTo(1);
  }

  private Duration ahead() {
    return Duration.between(BEGIN.plusNanos(clocks.steady), clock.instant());
  }

  private void pass(int seconds) {
    for (int i = 0; i < seconds; i++) {
      clocks.steady += 1_000_000_000;
      clock.look();
    }
  }

  /** Clocks that are ahead of the true time by what a test says. */
  private static final class SetClocks implements NodeClock.Clocks {
    private Duration machine = Duration.ZERO;
    private Duration database = Duration.ZERO;
    private long steady;
    private boolean slow;
    private int late;

    @Override
    public Instant machine() {
      return BEGIN.plusNanos(steady).plus(machine);
    }

    @Override
    public Instant database() {
      steady += slow ? 600_000_000 : 0;
      steady += late-- > 0 ? 4_000_000_000L : 0;
      return BEGIN.plusNanos(steady).plus(database);
    }

    @Override
    public long steady() {
      return steady;
    }
  }
}
