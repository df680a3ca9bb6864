package dev.mainstay.core.health.replay;

import dev.mainstay.core.health.TestStatus;
import dev.mainstay.core.health.replay.MadeUpRepository.Regression;
import dev.mainstay.core.health.replay.MonitorScore.Broken;
import dev.mainstay.core.health.replay.MonitorScore.Intervals;
import dev.mainstay.core.health.replay.MonitorScore.Share;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Counts what a set of monitors said of a made-up repository against what was true of it. */
final class MonitorTally {
  private static final int SOON = 3;

  private final MadeUpRepository repository;
  private final Log log;
  private final List<StatusChange> changes;
  private final BitSet broken = new BitSet();
  private Share failed = Share.NONE;
  private Share failedTwice = Share.NONE;
  private Share missedAlike = Share.NONE;
  private Share falseAlarms = Share.NONE;
  private Share soon = Share.NONE;
  private Share named = Share.NONE;
  private Share calledFlaky = Share.NONE;
  private int flaps;
  private final List<Double> hoursToFlaky = new ArrayList<>();
  private final List<Double> failuresToFlaky = new ArrayList<>();
  private final List<Double> targetRuns = new ArrayList<>();

  private MonitorTally(MadeUpRepository repository, Log log, List<StatusChange> changes) {
    this.repository = repository;
    this.log = log;
    this.changes = changes;
    repository.regressions.forEach(r -> broken.or(r.tests()));
  }

  static MonitorScore of(
      MadeUpRepository repository,
      Log log,
      List<StatusChange> changes,
      Share gates,
      Intervals intervals) {
    return new MonitorTally(repository, log, changes).score(gates, intervals);
  }

  private MonitorScore score(Share gates, Intervals intervals) {
    for (int test = 0; test < repository.rates.length; test++) {
      if (!broken.get(test)) {
        add(test);
      } else if (repository.rates[test] == 0) {
        calledFlaky =
            calledFlaky.count(of(test).stream().anyMatch(c -> c.status() == TestStatus.FLAKY));
      }
    }
    repository.regressions.forEach(this::add);
    return new MonitorScore(
        failed,
        failedTwice,
        missedAlike,
        falseAlarms,
        flaps,
        hoursToFlaky,
        failuresToFlaky,
        new Broken(soon, named, calledFlaky, targetRuns),
        gates,
        intervals);
  }

  private List<StatusChange> of(int test) {
    return changes.stream().filter(c -> c.test() == test).toList();
  }

  private void add(int test) {
    List<StatusChange> mine = of(test);
    if (repository.rates[test] == 0) {
      falseAlarms = falseAlarms.count(!mine.isEmpty());
      return;
    }
    Optional<Double> first = log.firstFlake(test);
    if (first.isPresent()) {
      Optional<StatusChange> flag = flagAfter(mine, first.get());
      failed = failed.count(flag.isPresent());
      if (log.flakes(test) > 1) {
        failedTwice = failedTwice.count(flag.isPresent());
        missedAlike = flag.isPresent() ? missedAlike : missedAlike.count(looksHealthy(test));
      }
      flag.ifPresent(
          f -> {
            hoursToFlaky.add(Math.max(0, f.hour() - first.get()));
            failuresToFlaky.add((double) f.failures());
            flaps += mine.size() - 1;
          });
    }
  }

  /**
   * Some healthy test failed on as many commits of the stable branch and as many pull requests.
   * Those that were broken for longer than a commit are not asked: such failures follow each other.
   */
  private boolean looksHealthy(int test) {
    var lasting = new BitSet();
    repository.regressions.stream()
        .filter(regression -> regression.commits() > 1)
        .forEach(regression -> lasting.or(regression.tests()));
    Optional<Log.Failures> mine = log.failuresAt(test);
    return mine.isPresent()
        && IntStream.range(0, repository.rates.length)
            .filter(other -> repository.rates[other] == 0 && !lasting.get(other))
            .mapToObj(log::failuresAt)
            .flatMap(Optional::stream)
            .anyMatch(theirs -> theirs.cover(mine.get()));
  }

  /** The flag that was up when a test first flaked, or the first one after that. */
  private static Optional<StatusChange> flagAfter(List<StatusChange> changes, double first) {
    Optional<StatusChange> up = Optional.empty();
    for (StatusChange change : changes) {
      if (change.hour() >= first && up.isPresent()) {
        return up;
      }
      up = change.status() == TestStatus.HEALTHY ? Optional.empty() : Optional.of(change);
    }
    return up;
  }

  private void add(Regression regression) {
    for (int test : regression.tests().stream().toArray()) {
      Optional<StatusChange> called =
          of(test).stream()
              .filter(c -> c.status() == TestStatus.BROKEN && regression.isActive(c.hour()))
              .findFirst();
      boolean alone = isAlone(regression, test);
      double from = regression.from();
      if (alone && log.failuresOnTarget(test, from, regression.to()) >= SOON) {
        soon =
            soon.count(
                called.filter(c -> log.failuresOnTarget(test, from, c.hour()) <= SOON).isPresent());
      }
      called.ifPresent(c -> targetRuns.add((double) log.failuresOnTarget(test, from, c.hour())));
      called
          .filter(c -> !c.commits().isEmpty() && alone)
          .ifPresent(c -> named = named.count(c.commits().equals(blamed(regression))));
    }
  }

  /** No other regression breaks the test at the same time. */
  private boolean isAlone(Regression regression, int test) {
    return repository.regressions.stream()
        .noneMatch(
            other ->
                !other.equals(regression)
                    && other.tests().get(test)
                    && other.from() <= regression.to()
                    && regression.from() <= other.to());
  }

  private static List<String> blamed(Regression regression) {
    return List.of(
        MadeUpRepository.mainCommit(regression.breaking()),
        MadeUpRepository.mainCommit(regression.breaking() - 1));
  }
}
