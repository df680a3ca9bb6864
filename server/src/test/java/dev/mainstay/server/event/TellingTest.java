package dev.mainstay.server.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.Fact;
import dev.mainstay.server.platform.FactStore;
import dev.mainstay.server.platform.Json;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Two who turn the same facts into events. */
class TellingTest extends EventScene {

  @Test
  void a_fact_that_two_nodes_have_read_is_one_event() throws Exception {
    hook("/x", ",'kinds':['queue.paused']");
    queue("createQueue", "");
    node.close();
    try (var database = Database.connect(address, 4);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      long repository =
          database.query(h -> h.select("SELECT id FROM repository_view").mapTo(Long.class).one());
      var fact = new Fact("queue.paused", "queue/x", clock.instant(), Json.object());
      database.useTransaction(h -> FactStore.insert(h, repository, List.of(fact)));
      var secondHasRead = new CountDownLatch(1);
      var firstHasTold = new CountDownLatch(1);
      TellWorker first = teller(database, (row, data) -> await(secondHasRead));
      TellWorker second =
          teller(
              database,
              (row, data) -> {
                secondHasRead.countDown();
                await(firstHasTold);
              });
      Future<?> later = threads.submit(second::round);
      first.round();
      firstHasTold.countDown();
      later.get(1, TimeUnit.MINUTES);
      assertThat(count(database, "webhook_event")).isEqualTo(1);
      assertThat(count(database, "webhook_delivery")).isEqualTo(1);
      assertThat(count(database, "fact")).isZero();
    }
  }

  private TellWorker teller(Database database, Details details) {
    var pages = new Pages(URI.create("http://localhost"));
    return new TellWorker(database, clock, details, pages, () -> {});
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(1, TimeUnit.MINUTES)).as("both have read the fact").isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static int count(Database database, String table) {
    return database.query(
        h -> h.select("SELECT count(*) FROM " + table).mapTo(Integer.class).one());
  }
}
