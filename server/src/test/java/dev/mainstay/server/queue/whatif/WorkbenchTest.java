package dev.mainstay.server.queue.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class WorkbenchTest {

  /** Holds the bench until it is let go. */
  private static CompletableFuture<Optional<String>> hold(Workbench bench, CountDownLatch end) {
    var begun = new CountDownLatch(1);
    var held =
        CompletableFuture.supplyAsync(
            () ->
                bench.work(
                    () -> {
                      begun.countDown();
                      await(end);
                      return "done";
                    }),
            Thread.ofVirtual()::start);
    await(begun);
    return held;
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void one_piece_is_worked_on_and_who_finds_no_room_is_told() {
    var end = new CountDownLatch(1);
    var full = new Workbench(1, Duration.ofDays(1));
    var first = hold(full, end);
    assertThat(full.work(() -> "no place in the line")).isEmpty();
    var impatient = new Workbench(2, Duration.ZERO);
    var other = hold(impatient, end);
    assertThat(impatient.work(() -> "the bench is taken")).isEmpty();
    end.countDown();
    assertThat(first.join()).contains("done");
    assertThat(other.join()).contains("done");
    assertThat(full.work(() -> "free again")).contains("free again");
    assertThat(impatient.work(() -> "free again")).contains("free again");
  }

  @Test
  void the_next_in_line_comes_when_the_bench_is_free() {
    var end = new CountDownLatch(1);
    var bench = new Workbench(2, Duration.ofDays(1));
    var first = hold(bench, end);
    var second =
        CompletableFuture.supplyAsync(
            () -> bench.work(() -> first.isDone() || end.getCount() == 0),
            Thread.ofVirtual()::start);
    end.countDown();
    assertThat(second.join()).contains(true);
    assertThat(first.join()).contains("done");
  }

  @Test
  void a_fault_is_thrown_on_and_holds_nobody_up() {
    var bench = new Workbench(1, Duration.ZERO);
    assertThatThrownBy(
            () ->
                bench.work(
                    () -> {
                      throw new UnsupportedOperationException("a fault");
                    }))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThat(bench.work(() -> Thread.currentThread().isVirtual())).contains(false);
  }
}
