package dev.mainstay.server.health.list;

import dev.mainstay.server.health.list.TestPlace.ByFailure;
import dev.mainstay.server.health.list.TestPlace.ById;
import dev.mainstay.server.health.list.TestPlace.ByRate;
import dev.mainstay.server.health.result.FailingStore;
import dev.mainstay.server.health.result.NumbersStore;
import dev.mainstay.server.health.result.Rates;
import dev.mainstay.server.health.test.RepoView;
import dev.mainstay.server.health.test.TestFilter;
import dev.mainstay.server.health.test.TestSearchStore;
import dev.mainstay.server.platform.Database;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Pages of tests in the order of their failures. Who failed is asked of the order in memory and
 * then filtered, piece by piece, until a page is full; tests that did not fail follow by their ids.
 */
final class TestSearch {
  private static final int PIECE = 1000;
  private static final int PIECE_BY_ID = 200;

  /** Of more tests the rates are not compared: they follow in the order of their failures. */
  private static final int MOST_RATED = 10_000;

  /** As the database compares ids: as bytes without a sign. */
  private static final Comparator<UUID> BY_ID =
      Comparator.comparing(UUID::getMostSignificantBits, Long::compareUnsigned)
          .thenComparing(UUID::getLeastSignificantBits, Long::compareUnsigned);

  private static final Comparator<ByRate> HIGHEST_RATE_FIRST =
      Comparator.comparingDouble(ByRate::rate).reversed().thenComparing(ByRate::test, BY_ID);

  private final Database database;
  private final FailingTests failing;
  private final RepoView repository;
  private final TestFilter filter;
  private final int take;
  private final List<UUID> found = new ArrayList<>();
  private Optional<TestPlace.Within> behindLast = Optional.empty();
  private boolean isMore;

  TestSearch(
      Database database, FailingTests failing, RepoView repository, TestFilter filter, int take) {
    this.database = database;
    this.failing = failing;
    this.repository = repository;
    this.filter = filter;
    this.take = take;
  }

  /** The tests of a page, and where the next one begins. */
  record Page(List<UUID> tests, Optional<TestPlace> next) {}

  /** The first page of an order by failures. */
  TestPlace first(TestOrder order, Instant now) {
    var within =
        order == TestOrder.FAILURE_RATE
            ? new ByRate(Double.MAX_VALUE, new UUID(0, 0))
            : new ByFailure(0);
    return new TestPlace(order, repository.stamp(), now, within);
  }

  Page page(TestPlace place) {
    switch (place.within()) {
      case ByRate from -> byRate(place, from);
      case ByFailure from -> byFailure(place, from.past());
      case ById from -> byId(place, from.test());
    }
    return new Page(found, behindLast.filter(behind -> isMore).map(place::at));
  }

  /** Takes the next test, which has this place behind it, or sees that the page was full. */
  private void take(UUID test, TestPlace.Within behind) {
    if (found.size() < take) {
      found.add(test);
      behindLast = Optional.of(behind);
    } else {
      isMore = true;
    }
  }

  private void byRate(TestPlace place, ByRate from) {
    List<UUID> rated = failing.page(window(place), 0, MOST_RATED).tests();
    var rates =
        rated.isEmpty()
            ? Map.<UUID, Rates.Numbers>of()
            : database.query(
                handle ->
                    NumbersStore.read(
                        handle,
                        repository.repositoryId(),
                        rated,
                        repository.unfoldedFrom(),
                        place.until()));
    List<ByRate> order =
        rated.stream()
            .map(test -> new ByRate(rates.getOrDefault(test, Rates.Numbers.NONE).week(), test))
            .filter(rate -> HIGHEST_RATE_FIRST.compare(rate, from) > 0)
            .sorted(HIGHEST_RATE_FIRST)
            .toList();
    for (int start = 0; start < order.size() && !isMore; start += PIECE) {
      List<ByRate> piece = order.subList(start, Math.min(order.size(), start + PIECE));
      Set<UUID> passed = passed(piece.stream().map(ByRate::test).toList());
      piece.stream()
          .filter(rate -> passed.contains(rate.test()))
          .forEach(rate -> take(rate.test(), rate));
    }
    byFailure(place, MOST_RATED);
  }

  private void byFailure(TestPlace place, int from) {
    int past = from;
    while (!isMore) {
      List<UUID> piece = failing.page(window(place), past, PIECE).tests();
      if (piece.isEmpty()) {
        byId(place, new UUID(0, 0));
        return;
      }
      Set<UUID> passed = passed(piece);
      for (UUID test : piece) {
        past++;
        if (passed.contains(test)) {
          take(test, new ByFailure(past));
        }
      }
    }
  }

  /** Tests without a failure in the window. */
  private void byId(TestPlace place, UUID from) {
    UUID last = from;
    boolean isEnd = false;
    while (!isMore && !isEnd) {
      List<UUID> piece = after(last);
      Set<UUID> failed = failed(place, piece);
      piece.stream()
          .filter(test -> !failed.contains(test))
          .forEach(test -> take(test, new ById(test)));
      isEnd = piece.size() < PIECE_BY_ID;
      last = isEnd ? last : piece.getLast();
    }
  }

  private List<UUID> after(UUID test) {
    return database.query(
        handle ->
            TestSearchStore.after(
                handle, repository.repositoryId(), filter, Optional.of(test), PIECE_BY_ID));
  }

  private Set<UUID> passed(List<UUID> tests) {
    return database.query(
        handle -> TestSearchStore.among(handle, repository.repositoryId(), filter, tests));
  }

  private Set<UUID> failed(TestPlace place, List<UUID> tests) {
    FailingTests.Window window = window(place);
    return tests.isEmpty()
        ? Set.of()
        : database
            .query(
                handle ->
                    FailingStore.ofTests(
                        handle,
                        window.repositoryId(),
                        tests,
                        window.stamp(),
                        window.start(),
                        window.end()))
            .stream()
            .map(FailingStore.Failed::test)
            .collect(Collectors.toSet());
  }

  /** A cursor that claims more uploads than there are gets what there is. */
  private FailingTests.Window window(TestPlace place) {
    return new FailingTests.Window(
        repository.repositoryId(),
        Math.min(place.stamp(), repository.stamp()),
        place.until().minus(Rates.WEEK),
        place.until().plusMillis(1));
  }
}
