package dev.mainstay.server.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Questions of one moment are asked as one, and none gets an answer from before it came. */
class TogetherTest {
  private final List<Set<String>> asked = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch firstAsked = new CountDownLatch(1);
  private final CountDownLatch answered = new CountDownLatch(1);
  private final Together<String, Integer> lengths = new Together<>(this::ask);

  private Map<String, Integer> ask(Set<String> keys) {
    asked.add(Set.copyOf(keys));
    if (keys.contains("first")) {
      firstAsked.countDown();
      await(answered);
    }
    if (keys.contains("bad")) {
      throw new IllegalStateException("no such length");
    }
    return keys.stream()
        .filter(key -> !key.isEmpty())
        .collect(Collectors.toMap(key -> key, String::length));
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Asks {@code first}, and comes back while that is being asked: who comes now is too late. */
  private FutureTask<Optional<Integer>> first() {
    var task = waiting("first");
    await(firstAsked);
    return task;
  }

  /** Asks in a thread of its own, and comes back when that waits. */
  private FutureTask<Optional<Integer>> waiting(String key) {
    var task = new FutureTask<>(() -> lengths.find(key));
    Thread thread = Thread.ofPlatform().start(task);
    while (thread.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    return task;
  }

  @Test
  void alone_it_is_asked_at_once_and_anew_each_time() {
    assertThat(lengths.find("abc")).contains(3);
    assertThat(lengths.find("abc")).contains(3);
    assertThat(lengths.find("")).isEmpty();
    assertThat(asked).containsExactly(Set.of("abc"), Set.of("abc"), Set.of(""));
  }

  @Test
  void those_who_come_while_one_is_asked_share_the_next() throws Exception {
    var first = first();
    var again = waiting("firs");
    var second = waiting("second");
    var same = waiting("second");
    answered.countDown();
    assertThat(first.get()).contains(5);
    assertThat(again.get()).contains(4);
    assertThat(second.get()).contains(6);
    assertThat(same.get()).contains(6);
    assertThat(asked).containsExactly(Set.of("first"), Set.of("firs", "second"));
  }

  @Test
  void a_fault_is_told_to_all_who_shared_it_and_to_nobody_else() throws Exception {
    var first = first();
    var bad = waiting("bad");
    var beside = waiting("good");
    answered.countDown();
    assertThat(first.get()).contains(5);
    assertThatThrownBy(bad::get)
        .isInstanceOf(ExecutionException.class)
        .hasRootCauseMessage("no such length");
    assertThatThrownBy(beside::get).hasRootCauseMessage("no such length");
    assertThat(lengths.find("good")).contains(4);
  }
}
