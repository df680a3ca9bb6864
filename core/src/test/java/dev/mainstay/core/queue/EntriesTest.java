package dev.mainstay.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.code.PullRequestRef;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Entries that come, change and go are what a plain map of them says. */
class EntriesTest {
  private static final int MOST_NUMBERS = 400;

  private final Random random = new Random(7);
  private final Map<PullRequestRef, Entry> model = new HashMap<>();
  private Entries entries = Entries.of(List.of());
  private long lastId;

  @Test
  void any_mixture_of_changes_leads_to_what_a_map_would_hold() {
    for (int turn = 0; turn < 2_000; turn++) {
      change(1 + random.nextInt(turn % 50 == 0 ? 140 : 4));
      assertSame();
    }
  }

  @Test
  void a_queue_that_only_grows_and_then_only_shrinks_is_whole_at_every_size() {
    for (int number = 1; number <= MOST_NUMBERS; number++) {
      apply(Map.of(new PullRequestRef(number), Optional.of(arriving(number))));
      assertSame();
    }
    for (int number = MOST_NUMBERS; number >= 1; number--) {
      apply(Map.of(new PullRequestRef(number), Optional.empty()));
      assertSame();
    }
  }

  private void change(int count) {
    var changes = new LinkedHashMap<PullRequestRef, Optional<Entry>>();
    for (int i = 0; i < count; i++) {
      int number = 1 + random.nextInt(MOST_NUMBERS);
      var pr = new PullRequestRef(number);
      Entry open = model.get(pr);
      int roll = random.nextInt(10);
      if (open == null || roll == 0) {
        changes.put(pr, Optional.of(arriving(number)));
      } else if (roll < 4) {
        changes.put(pr, Optional.empty());
      } else {
        changes.put(pr, Optional.of(changed(open)));
      }
    }
    apply(changes);
  }

  private void apply(Map<PullRequestRef, Optional<Entry>> changes) {
    entries = entries.with(changes);
    changes.forEach(
        (pr, entry) -> entry.ifPresentOrElse(e -> model.put(pr, e), () -> model.remove(pr)));
  }

  private Entry arriving(int number) {
    var event =
        new QueueEvent.Submitted(
            new PullRequestRef(number), priority(), false, Optional.empty(), Optional.empty());
    return Entry.submitted(new EntryId(++lastId), event, why(), Instant.EPOCH);
  }

  private Entry changed(Entry entry) {
    PullRequestState state =
        random.nextBoolean() ? PullRequestState.PENDING : PullRequestState.TESTING;
    return entry.with(priority(), false).in(state, why(), Instant.EPOCH);
  }

  private Priority priority() {
    return new Priority(100 + random.nextInt(3));
  }

  private static Reason why() {
    return new Reason(ReasonCode.SUBMITTED, "It was submitted.");
  }

  private void assertSame() {
    List<Entry> byArrival =
        model.values().stream().sorted(Comparator.comparingLong(e -> e.id().number())).toList();
    assertThat(entries.values()).isEqualTo(byArrival);
    assertThat(entries.pending())
        .isEqualTo(
            byArrival.stream()
                .filter(e -> e.is(PullRequestState.PENDING))
                .sorted(Comparator.comparingInt(e -> e.priority().value()))
                .toList());
    for (int number = 1; number <= MOST_NUMBERS; number++) {
      var pr = new PullRequestRef(number);
      assertThat(entries.find(pr)).isEqualTo(Optional.ofNullable(model.get(pr)));
    }
  }
}
