package dev.mainstay.core.chance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.mainstay.core.chance.Learned.Driver;
import dev.mainstay.core.code.PullRequestRef;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class LearnedTest {
  private static final Trait ADA = new Trait(Trait.Kind.AUTHOR, "ada");
  private static final Trait BOB = new Trait(Trait.Kind.AUTHOR, "bob");
  private static final Trait LARGE = new Trait(Trait.Kind.SIZE, "more than 10 files");
  private static final PullRequestRef PR = new PullRequestRef(7);

  private Learned learned = Learned.NOTHING;

  private void passes(int times, int others, Trait... traits) {
    for (int i = 0; i < times; i++) {
      learned = learned.passed(List.of(traits), others);
    }
  }

  private void fails(int times, int others, Trait... traits) {
    for (int i = 0; i < times; i++) {
      learned = learned.failed(PR, List.of(traits), others);
    }
  }

  @Test
  void before_anything_is_learned_everybody_is_as_usual() {
    assertThat(learned.fails(List.of())).isCloseTo(0.05, within(1e-9));
    assertThat(learned.fails(List.of(ADA, LARGE))).isCloseTo(0.05, within(1e-9));
    assertThat(learned.conflicts()).isCloseTo(0.04, within(1e-9));
    assertThat(learned.drivers(List.of(ADA, LARGE), 0.001)).isEmpty();
  }

  @Test
  void an_author_whose_changes_fail_is_told_from_one_whose_pass() {
    for (int i = 0; i < 20; i++) {
      fails(1, 0, BOB);
      passes(1, 0, BOB);
      passes(2, 0, ADA);
    }
    assertThat(learned.fails(List.of(BOB))).isBetween(0.35, 0.6);
    assertThat(learned.fails(List.of(ADA))).isLessThan(0.06);
    assertThat(learned.drivers(List.of(BOB, LARGE), 0.01))
        .singleElement()
        .satisfies(d -> assertThat(d.trait()).isEqualTo(BOB))
        .extracting(Driver::moves)
        .satisfies(moves -> assertThat(moves).isPositive());
    assertThat(learned.drivers(List.of(ADA), 0.01)).allMatch(d -> d.moves() < 0);
  }

  @Test
  void who_mends_his_ways_is_believed() {
    fails(30, 0, BOB);
    double before = learned.fails(List.of(BOB));
    passes(60, 0, BOB);
    assertThat(before).isGreaterThan(0.5);
    assertThat(learned.fails(List.of(BOB))).isLessThan(0.2);
  }

  @Test
  void a_long_past_does_not_outweigh_what_is_true_now() {
    for (int i = 0; i < 1_500; i++) {
      fails(1, 0, BOB);
      passes(1, 0, BOB);
    }
    passes(300, 0, BOB);
    assertThat(learned.fails(List.of(BOB))).isLessThan(0.3);
  }

  @Test
  void a_failure_on_top_of_many_others_is_hardly_its_own() {
    fails(1, 0, BOB);
    double alone = learned.fails(List.of(BOB));
    learned = Learned.NOTHING;
    fails(1, 20, BOB);
    assertThat(learned.fails(List.of(BOB))).isLessThan(alone);
    assertThat(learned.conflicts()).isGreaterThan(0.04);
  }

  @Test
  void pairs_that_pass_together_make_conflicts_rarer() {
    passes(100, 3);
    assertThat(learned.conflicts()).isLessThan(0.01);
    double rare = learned.conflicts();
    fails(20, 3);
    assertThat(learned.conflicts()).isGreaterThan(rare);
  }

  @Test
  void traits_not_seen_for_long_and_failures_of_long_ago_are_forgotten() {
    fails(1, 0, BOB);
    for (int i = 0; i < 600; i++) {
      var author = new Trait(Trait.Kind.AUTHOR, "author " + i);
      learned = learned.failed(new PullRequestRef(1000 + i), List.of(author), 0);
    }
    assertThat(learned.weights()).hasSize(500).doesNotContainKey(BOB);
    assertThat(learned.weights()).containsKey(new Trait(Trait.Kind.AUTHOR, "author 599"));
    assertThat(learned.failedBefore()).hasSize(200).contains(new PullRequestRef(1599));
    assertThat(learned.failedBefore()).doesNotContain(PR);
  }

  @Test
  void chances_stay_chances_however_one_sided_the_past_is() {
    fails(5_000, 0, BOB, LARGE);
    assertThat(learned.fails(List.of(BOB, LARGE))).isBetween(0.9, 1.0);
    passes(5_000, 50, ADA);
    assertThat(learned.fails(List.of(ADA))).isBetween(0.0, 0.05).isPositive();
    assertThat(learned.conflicts()).isBetween(0.0, 0.01).isPositive();
  }

  @Test
  void a_trait_is_read_as_it_is_written() {
    var odd = new Trait(Trait.Kind.TARGET, "//a b:c d");
    assertThat(Trait.valueOf(odd.toString())).isEqualTo(odd);
  }

  @Test
  void lengths_of_tests_are_known_to_a_fifth_and_old_ones_fade() {
    Durations durations = Durations.NONE;
    for (int i = 1; i <= 100; i++) {
      durations = durations.after(Duration.ofMinutes(10));
    }
    assertThat(durations.within(0.5)).isBetween(Duration.ofMinutes(8), Duration.ofMinutes(12));
    for (int i = 1; i <= 300; i++) {
      durations = durations.after(Duration.ofMinutes(40));
    }
    assertThat(durations.within(0.06)).isGreaterThan(Duration.ofMinutes(30));
    assertThat(durations.within(0.95)).isBetween(Duration.ofMinutes(34), Duration.ofMinutes(48));
    assertThat(durations.known()).isBetween(90.0, 100.5);
    assertThat(durations.after(Duration.ofDays(400)).within(1)).isLessThan(Duration.ofDays(10));
  }
}
