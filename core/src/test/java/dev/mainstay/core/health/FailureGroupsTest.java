package dev.mainstay.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.health.FailureGroups.Failure;
import dev.mainstay.core.health.FailureGroups.Group;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FailureGroupsTest {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  @Test
  void the_most_frequent_group_comes_first_named_by_its_latest_message() {
    var groups =
        FailureGroups.of(
            List.of(
                failure("Connection reset", 9, 1),
                failure("no order 17", 3, 1),
                failure("no order 4", 5, 2),
                failure("no order 99", 1, 1)),
            5);
    assertThat(groups).extracting(Group::title).containsExactly("no order 4", "Connection reset");
    assertThat(groups).extracting(Group::occurrences).containsExactly(4L, 1L);
    assertThat(groups.getFirst().latest().at()).isEqualTo(NOON.plusSeconds(5));
  }

  @Test
  void of_groups_as_frequent_the_latest_comes_first() {
    var groups = FailureGroups.of(List.of(failure("a", 1, 1), failure("b", 2, 1)), 5);
    assertThat(groups).extracting(Group::title).containsExactly("b", "a");
  }

  @Test
  void there_are_at_most_as_many_as_asked_for() {
    var groups = FailureGroups.of(List.of(failure("a", 1, 1), failure("b", 2, 3)), 1);
    assertThat(groups).extracting(Group::title).containsExactly("b");
    assertThat(FailureGroups.of(List.of(), 5)).isEmpty();
  }

  @Test
  void the_order_of_failures_does_not_matter() {
    var failures = new ArrayList<Failure>();
    for (int i = 0; i < 60; i++) {
      failures.add(failure((i % 7 == 0 ? "lost " : "found ") + i, i / 10, 1));
    }
    var groups = FailureGroups.of(failures, 5);
    for (int seed = 0; seed < 20; seed++) {
      Collections.shuffle(failures, new Random(seed));
      assertThat(FailureGroups.of(failures, 5)).isEqualTo(groups);
    }
  }

  private static Failure failure(String message, int second, long occurrences) {
    return new Failure("T", message, NOON.plusSeconds(second), occurrences);
  }
}
