package dev.mainstay.server.health.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TurnsTest {
  private final Turns turns = new Turns();
  private final int all = turns.free();

  @Test
  void one_that_takes_long_lets_others_have_its_turn_and_comes_back_for_one() {
    try (var turn = turns.take().orElseThrow()) {
      assertThat(turns.free()).isEqualTo(all - 1);
      turn.stepAside();
      turn.stepAside();
      assertThat(turns.free()).isEqualTo(all);
      turn.stepBack();
      turn.stepBack();
      assertThat(turns.free()).isEqualTo(all - 1);
    }
    assertThat(turns.free()).isEqualTo(all);
  }

  @Test
  void there_is_place_for_one_beside_the_turns_so_that_memory_stays_bounded() {
    try (var first = turns.take().orElseThrow()) {
      first.stepAside();
      try (var second = turns.take().orElseThrow()) {
        second.stepAside();
        assertThat(turns.free()).isEqualTo(all - 1);
      }
      assertThat(turns.free()).isEqualTo(all);
    }
    try (var third = turns.take().orElseThrow()) {
      third.stepAside();
      assertThat(turns.free()).as("the place is free again").isEqualTo(all);
    }
    assertThat(turns.free()).isEqualTo(all);
  }
}
