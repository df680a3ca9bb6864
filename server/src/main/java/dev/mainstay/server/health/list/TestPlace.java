package dev.mainstay.server.health.list;

import dev.mainstay.server.platform.http.ListPage;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/**
 * A place in a list of tests that is ordered by their failures, as of a stamp and a time. Such a
 * list has three parts: tests by their rates, by their last failures, and by their ids.
 */
record TestPlace(TestOrder order, long stamp, Instant until, Within within) {
  static final int PARTS = 6;
  private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");

  /** A place within one of the parts: what comes next is behind it. */
  sealed interface Within {}

  record ByRate(double rate, UUID test) implements Within {}

  record ByFailure(int past) implements Within {}

  record ById(UUID test) implements Within {}

  TestPlace at(Within next) {
    return new TestPlace(order, stamp, until, next);
  }

  static TestPlace read(List<String> key) {
    var until = Instant.ofEpochMilli(Long.parseLong(key.get(2)));
    if (until.isBefore(Instant.EPOCH) || until.isAfter(LATEST)) {
      throw new IllegalArgumentException("beyond the times that are stored");
    }
    return new TestPlace(
        TestOrder.valueOf(key.getFirst().toUpperCase(Locale.ROOT)),
        Long.parseLong(key.get(1)),
        until,
        within(key.get(3), key.get(4), key.get(5)));
  }

  private static Within within(String part, String number, String test) {
    return switch (part) {
      case "rate" -> new ByRate(Double.parseDouble(number), UUID.fromString(test));
      case "failure" -> new ByFailure(Math.max(0, Integer.parseInt(number)));
      case "id" -> new ById(UUID.fromString(test));
      default -> throw new IllegalArgumentException("no part of a list: " + part);
    };
  }

  String cursor() {
    String first = order.name().toLowerCase(Locale.ROOT);
    String moment = Long.toString(until.toEpochMilli());
    return switch (within) {
      case ByRate(double rate, UUID test) ->
          ListPage.cursor(
              first, Long.toString(stamp), moment, "rate", Double.toString(rate), test.toString());
      case ByFailure(int past) ->
          ListPage.cursor(
              first, Long.toString(stamp), moment, "failure", Integer.toString(past), "");
      case ById(UUID test) ->
          ListPage.cursor(first, Long.toString(stamp), moment, "id", "", test.toString());
    };
  }
}
