package dev.mainstay.bench.crash;

import dev.mainstay.bench.Waiting;
import dev.mainstay.bench.crash.Repo.Kind;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.queue.run.LogReplay;
import dev.mainstay.server.queue.store.QueueName;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** The checks when all is over: these must hold, whatever was killed meanwhile. */
final class Aftermath {
  private static final Duration LONGEST_SWEEP = Duration.ofMinutes(2);

  private final CrashQueue queue;
  private final Place place;
  private final Database database;
  private final Map<Integer, Kind> submitted;
  private final PrintStream out;
  private final List<String> faults = new ArrayList<>();

  Aftermath(
      CrashQueue queue,
      Place place,
      Database database,
      Map<Integer, Kind> submitted,
      PrintStream out) {
    this.queue = queue;
    this.place = place;
    this.database = database;
    this.submitted = submitted;
    this.out = out;
  }

  List<String> faults() throws IOException, InterruptedException {
    Map<Integer, String> ends = ends();
    int givenUp = 0;
    for (var one : submitted.entrySet()) {
      String end = ends.getOrDefault(one.getKey(), "lost");
      if (one.getValue() == Kind.GOOD && end.equals("FAILED") && isGivenUp(one.getKey())) {
        givenUp++;
      } else {
        checkEnd(one.getKey(), one.getValue(), end);
      }
    }
    checkMain(ends);
    checkEndedOnce();
    checkMainWasTested();
    checkReplay();
    checkNothingIsLeft();
    faults.addAll(place.faults(ends));
    long merged = ends.values().stream().filter("MERGED"::equals).count();
    out.printf(
        "%d submitted, %d merged, %d rejected, %d given up%n",
        submitted.size(), merged, ends.size() - merged - givenUp, givenUp);
    return faults;
  }

  private Map<Integer, String> ends() throws InterruptedException {
    var ends = new HashMap<Integer, String>();
    for (JsonNode pr : queue.history()) {
      int number = pr.path("prNumber").asInt();
      String head = pr.path("prSha").asString();
      place
          .leftAt(number)
          .filter(author -> !author.equals(head))
          .ifPresent(
              author ->
                  faults.add(
                      "#%d was left at %s, and the queue took %s for its head"
                          .formatted(number, author, head)));
      if (ends.put(number, pr.path("state").asString()) != null) {
        faults.add("#" + number + " has two submissions");
      }
    }
    return ends;
  }

  /** Whether the nodes of its test were killed so often that its command is held to be deadly. */
  private boolean isGivenUp(int number) throws InterruptedException {
    return queue
        .post("getTestRunLog", "pr", Map.of("number", number))
        .path("output")
        .asString()
        .contains("each time its node died before it ended");
  }

  private void checkEnd(int number, Kind kind, String end) {
    boolean overtaken = place.isOvertaken(number);
    boolean right =
        overtaken
            ? end.equals("FAILED") || end.equals("NOT_READY")
            : switch (kind) {
              case GOOD -> end.equals("MERGED");
              case BROKEN -> end.equals("FAILED");
              case CLASHING -> Set.of("MERGED", "FAILED", "NOT_READY").contains(end);
            };
    if (!right) {
      String was = overtaken ? "OVERTAKEN" : kind.name();
      faults.add("#%d is %s and ended as %s".formatted(number, was, end));
    }
  }

  private void checkMain(Map<Integer, String> ends) throws IOException {
    List<String> titles = place.repo().titles();
    ends.forEach(
        (number, end) -> {
          long times = titles.stream().filter(t -> t.endsWith("(#" + number + ")")).count();
          if (times != (end.equals("MERGED") ? 1 : 0)) {
            faults.add("#%d is %s and %d times on main".formatted(number, end, times));
          }
        });
  }

  private void checkEndedOnce() {
    List<String> twice =
        database.query(
            handle ->
                handle
                    .createQuery(
                        """
                        SELECT entry || ' ended ' || count(*) || ' times'
                        FROM pull_request_transition
                        WHERE to_state IN ('MERGED', 'FAILED', 'CANCELLED')
                        GROUP BY queue_id, entry HAVING count(*) > 1""")
                    .mapTo(String.class)
                    .list());
    twice.forEach(sentence -> faults.add("entry " + sentence));
  }

  /** Whatever main ever was is allowed by a run that passed. */
  private void checkMainWasTested() throws IOException {
    List<String> passed =
        database.query(
            handle ->
                handle
                    .createQuery("SELECT sha FROM test_run WHERE status = 'SUCCEEDED'")
                    .mapTo(String.class)
                    .list());
    Set<String> allowed = place.allowedBy(passed);
    place.repo().treesOfMain().stream()
        .filter(tree -> !allowed.contains(tree))
        .forEach(tree -> faults.add("main was " + tree + ", which no test has passed on"));
  }

  private void checkReplay() {
    long organization =
        database.query(
            handle -> handle.select("SELECT id FROM organization").mapTo(Long.class).one());
    new LogReplay(database)
        .of(new QueueName(organization, CrashQueue.NAME, "main"))
        .flatMap(LogReplay.Result::difference)
        .ifPresent(difference -> faults.add("the log leads elsewhere: " + difference));
  }

  private void checkNothingIsLeft() throws IOException, InterruptedException {
    Waiting.until(
        () -> {
          place.tell(queue.fleet());
          return place.repo().testBranches().isEmpty();
        },
        LONGEST_SWEEP);
    place.repo().testBranches().forEach(branch -> faults.add(branch + " is left behind"));
  }
}
