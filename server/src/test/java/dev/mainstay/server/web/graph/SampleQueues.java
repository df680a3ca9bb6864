package dev.mainstay.server.web.graph;

import dev.mainstay.server.web.graph.QueuePicture.Entry;
import dev.mainstay.server.web.graph.QueuePicture.Run;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

/** Queues to draw. */
final class SampleQueues {
  private static final Instant NOON = Instant.parse("2026-01-05T12:00:00Z");
  private static final List<String> TITLES =
      List.of(
          "Retry uploads that the proxy cut short",
          "Fix typo",
          "Let the checkout page remember the voucher code across reloads and tabs",
          "Bump jackson to 2.21",
          "Search: rank exact matches first",
          "Remove the old importer",
          "Cache the price list per tenant");

  private SampleQueues() {}

  static QueuePicture of(boolean parallel, List<Entry> entries, List<Run> runs) {
    return new QueuePicture("main", parallel, parallel ? 80 : 5, "#all", entries, runs);
  }

  static QueuePicture single(int size) {
    var entries = new ArrayList<Entry>();
    var runs = new ArrayList<Run>();
    for (int i = 0; i < size; i++) {
      String state =
          i == 0 && size > 2
              ? "TESTS_PASSED"
              : i == 2 && size > 3 ? "PENDING_FAILURE" : i < 5 ? "TESTING" : "PENDING";
      List<Integer> ahead = IntStream.range(0, i).map(n -> 1200 + n * 3).boxed().toList();
      entries.add(entry(1200 + i * 3, i, state, ahead, i < 5 ? "r" + i : "", List.of()));
      if (i < 5) {
        runs.add(run("r" + i, "MAIN", List.of(1200 + i * 3), List.of(), 1 + 2 * i, 9));
      }
    }
    return of(false, entries, runs);
  }

  /** Lanes of different lengths; the last of some touches two of them. */
  static QueuePicture parallel(int size, int lanes) {
    var dice = new Random(7);
    var entries = new ArrayList<Entry>();
    var runs = new ArrayList<Run>();
    var last = new ArrayList<Optional<Integer>>();
    IntStream.range(0, lanes).forEach(i -> last.add(Optional.empty()));
    for (int i = 0; i < size; i++) {
      int lane = (int) (lanes * dice.nextDouble() * dice.nextDouble());
      int number = 4000 + i;
      var on = new ArrayList<Integer>();
      last.get(lane).ifPresent(on::add);
      if (lane % 4 == 1 && dice.nextInt(3) == 0) {
        last.get(lane - 1).ifPresent(on::add);
        last.set(lane - 1, Optional.of(number));
      }
      last.set(lane, Optional.of(number));
      boolean tests = i < Math.max(3, size / 4);
      String state = tests ? i % 7 == 3 ? "PENDING_FAILURE" : "TESTING" : "PENDING";
      entries.add(
          entry(number, i, state, on, tests ? "r" + i : "", List.of("//area" + lane, "//lib")));
      if (tests) {
        runs.add(run("r" + i, "MAIN", List.of(number), on, i % 6, 6));
      }
    }
    return of(true, entries, runs);
  }

  /** Everything on everything at random. */
  static QueuePicture tangled(int size, long seed) {
    var dice = new Random(seed);
    var entries = new ArrayList<Entry>();
    for (int i = 0; i < size; i++) {
      var on = new ArrayList<Integer>();
      for (int k = dice.nextInt(4); k > 0 && i > 0; k--) {
        on.add(dice.nextInt(i));
      }
      entries.add(entry(i, i, i < 9 ? "TESTING" : "PENDING", on, "", List.of("//a")));
    }
    return of(true, entries, List.of());
  }

  /** Two batches in line, one that is bisected, some who wait and some who are not ready. */
  static QueuePicture batches(int notReady) {
    var entries = new ArrayList<Entry>();
    var runs = new ArrayList<Run>();
    var ahead = new ArrayList<Integer>();
    int[] sizes = {3, 11, 1, 2};
    int number = 310;
    for (int batch = 0; batch < sizes.length; batch++) {
      List<Integer> members = IntStream.range(number, number + sizes[batch]).boxed().toList();
      String state = batch == 0 ? "TESTS_PASSED" : batch == 2 ? "PENDING_FAILURE" : "TESTING";
      for (int member : members) {
        entries.add(entry(member, member, state, List.copyOf(ahead), "b" + batch, List.of()));
      }
      runs.add(run("b" + batch, "MAIN", members, ahead, 2 + batch, 8));
      ahead.addAll(members);
      number += sizes[batch];
    }
    for (int i = 0; i < 4; i++) {
      entries.add(entry(400 + i, i, "PENDING", List.copyOf(ahead), "", List.of()));
      ahead.add(400 + i);
    }
    for (int i = 0; i < 4; i++) {
      entries.add(entry(280 + i, i, "TESTING", List.of(), "s" + i / 2, List.of()));
    }
    runs.add(run("s0", "BISECTION", List.of(280, 281), List.of(), 5, 8));
    runs.add(run("s1", "BISECTION", List.of(282, 283), List.of(280, 281), 1, 8));
    for (int i = 0; i < notReady; i++) {
      entries.add(entry(500 + i, i, "NOT_READY", List.of(), "", List.of()));
    }
    return of(false, entries, runs);
  }

  static Entry entry(
      int number, int turn, String state, List<Integer> on, String run, List<String> targets) {
    return new Entry(
        number,
        TITLES.get(turn % TITLES.size()),
        List.of("maria", "jonathan-van-der-berg", "li").get(turn % 3),
        state,
        turn % 9 == 4 ? "urgent" : "medium",
        on,
        run.isEmpty() ? Optional.empty() : Optional.of(run),
        Optional.of(turn + 1),
        state.equals("PENDING_FAILURE") ? "unit-tests failed; it waits for those ahead." : "",
        targets,
        "/acme/shop/main/pull/" + number,
        false);
  }

  static Entry titled(int number, String title) {
    return new Entry(
        number,
        title,
        title,
        title,
        title,
        List.of(),
        Optional.of(title),
        Optional.empty(),
        title,
        List.of(title),
        title,
        false);
  }

  static Run run(
      String id, String kind, List<Integer> members, List<Integer> on, int done, int total) {
    return new Run(id, kind, "IN_PROGRESS", members, on, done, total, NOON, "/acme/run/" + id);
  }
}
