package dev.mainstay.server.health.list;

import com.github.benmanes.caffeine.cache.Cache;
import dev.mainstay.server.health.result.FailingStore;
import dev.mainstay.server.platform.Caches;
import dev.mainstay.server.platform.Database;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The tests that failed in a window, as of a stamp of their repository. The answer depends on those
 * alone, so every node gives the same one at any later time: that is what keeps pages steady.
 *
 * <p>Nodes keep the order of the last days in memory for some stamps. From one of them the next is
 * made by adding the uploads in between; an order that was never kept, or lies further back, is
 * read from the failures. A window that ends before the latest failures needs those few tests
 * looked up.
 */
public final class FailingTests {
  private static final Duration KEPT_BACK = Duration.ofDays(8);
  private static final Instant NO_END = Instant.parse("9999-01-01T00:00:00Z");
  private static final int MOST_LOOKED_UP = 200;
  private static final int MOST_ORDERS = 12;
  private static final long MOST_TESTS = 4_000_000;

  private final Database database;
  private final Clock clock;
  private final Cache<Long, OfRepository> repositories =
      Caches.weighing(MOST_TESTS, r -> (int) Math.min(r.size, MOST_TESTS));

  public FailingTests(Database database, Clock clock) {
    this.database = database;
    this.clock = clock;
  }

  /** A question: the tests of a repository that failed in a window, as of a stamp. */
  record Window(long repositoryId, long stamp, Instant start, Instant end) {}

  /** A page of the answer, and how many tests it has in all. */
  record Page(List<UUID> tests, int total) {}

  Page page(Window window, long offset, int size) {
    OfRepository repository = repositories.get(window.repositoryId, id -> new OfRepository());
    long before = repository.size;
    Page page = repository.page(window, offset, size);
    if (repository.size != before) {
      // Weighs it again.
      repositories.asMap().replace(window.repositoryId, repository, repository);
    }
    return page;
  }

  /** An open window and its order. */
  private record Latest(Window window, FailingOrder order) {}

  /**
   * The kept orders of one repository. Whoever comes second while one is read waits for the first.
   */
  private final class OfRepository {
    /**
     * By the window: one without an end holds all that failed since its start. The least recent
     * goes first, and the newest never, as the next one is made from it.
     */
    private final Map<Window, FailingOrder> orders = new LinkedHashMap<>(8, 0.75f, true);

    private volatile long size;

    Page page(Window window, long offset, int size) {
      Latest latest = latest(window);
      FailingOrder order = latest.order;
      if (window.start.isBefore(latest.window.start)) {
        return page(read(window), 0, Integer.MAX_VALUE, offset, size);
      }
      int later = order.countSince(window.end);
      int all = order.countSince(window.start);
      if (later == 0) {
        return page(order, 0, all, offset, size);
      }
      if (later > MOST_LOOKED_UP) {
        return page(read(window), 0, Integer.MAX_VALUE, offset, size);
      }
      FailingOrder part = order.part(later, all, lookUp(order.tests(0, later), window));
      return page(part, 0, part.size(), offset, size);
    }

    private static Page page(FailingOrder order, int from, int to, long offset, int size) {
      int end = Math.min(to, order.size());
      int first = (int) Math.min(end, from + offset);
      return new Page(order.tests(first, Math.min(end, first + size)), end - from);
    }

    private List<FailingStore.Failed> lookUp(List<UUID> tests, Window window) {
      return database.query(
          handle ->
              FailingStore.ofTests(
                  handle, window.repositoryId, tests, window.stamp, window.start, window.end));
    }

    /** The order of all that failed in the last days, as of the window's stamp. */
    private synchronized Latest latest(Window window) {
      Optional<Latest> found = floor(window.stamp);
      if (found.isEmpty()) {
        Instant since = clock.instant().minus(KEPT_BACK).truncatedTo(ChronoUnit.MILLIS);
        var open = new Window(window.repositoryId, window.stamp, since, NO_END);
        return new Latest(open, read(open));
      }
      Latest before = found.get();
      if (before.window.stamp == window.stamp) {
        return before;
      }
      var open = new Window(window.repositoryId, window.stamp, before.window.start, NO_END);
      var failures =
          database.query(
              handle ->
                  FailingStore.between(
                      handle, window.repositoryId, before.window.stamp, window.stamp));
      var latest = new Latest(open, before.order.after(failures));
      keep(open, latest.order);
      return latest;
    }

    /** The kept open window of the highest stamp up to one, unless it holds too much past. */
    private Optional<Latest> floor(long stamp) {
      Instant oldest = clock.instant().minus(KEPT_BACK.multipliedBy(2));
      return orders.entrySet().stream()
          .map(e -> new Latest(e.getKey(), e.getValue()))
          .filter(l -> l.window.end.equals(NO_END))
          .filter(l -> l.window.stamp <= stamp && l.window.start.isAfter(oldest))
          .max(Comparator.comparingLong(l -> l.window.stamp));
    }

    /** The order of a window, from the failures themselves unless it is kept. */
    private synchronized FailingOrder read(Window window) {
      FailingOrder known = orders.get(window);
      if (known != null) {
        return known;
      }
      FailingOrder order =
          FailingOrder.of(
              database.inTransaction(
                  handle ->
                      FailingStore.inWindow(
                          handle, window.repositoryId, window.stamp, window.start, window.end)));
      keep(window, order);
      return order;
    }

    private void keep(Window window, FailingOrder order) {
      orders.put(window, order);
      long total = orders.values().stream().mapToLong(FailingOrder::size).sum();
      Iterator<FailingOrder> eldest = orders.values().iterator();
      while (orders.size() > 1 && (orders.size() > MOST_ORDERS || total > MOST_TESTS)) {
        total -= eldest.next().size();
        eldest.remove();
      }
      size = total;
    }
  }
}
