package dev.mainstay.core.health.replay;

import dev.mainstay.core.health.TestStatus;
import dev.mainstay.core.health.replay.MadeUpRepository.Regression;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Counts what a set of monitors said of a made-up repository against what was true of it. */
final class MonitorTally {
  private static final double AFTERMATH_HOURS = 24;

  private final RepositoryTraits traits;
  private final MadeUpRepository repository;
  private final Log log;
  private final List<StatusChange> changes;
  private final Set<Integer> broken = new HashSet<>();

  private MonitorTally(
      RepositoryTraits traits, MadeUpRepository repository, Log log, List<StatusChange> changes) {
    this.traits = traits;
    this.repository = repository;
    this.log = log;
    this.changes = changes;
    repository.regressions.forEach(r -> r.tests().stream().forEach(broken::add));
  }

  static MonitorScore of(
      RepositoryTraits traits, MadeUpRepository repository, Log log, List<StatusChange> changes) {
    return new MonitorTally(traits, repository, log, changes).score();
  }

  private MonitorScore score() {
    int flags = 0;
    int right = 0;
    var before = new HashMap<Integer, TestStatus>();
    var flagged = new HashSet<Integer>();
    for (StatusChange change : changes) {
      TestStatus was = before.put(change.test(), change.status());
      if ((was == null || was == TestStatus.HEALTHY) && change.status() != TestStatus.HEALTHY) {
        flags++;
        right += isRight(change) ? 1 : 0;
        flagged.add(change.test());
      }
    }
    var score = new Found();
    for (int test = 0; test < traits.tests(); test++) {
      score.add(test);
    }
    repository.regressions.forEach(score::add);
    return new MonitorScore(
        flags,
        right,
        score.flaky,
        score.failedFlaky,
        score.hoursToFlaky.size(),
        score.flakyAsFlaky,
        score.regressions,
        score.hoursToBroken.size(),
        score.brokenAsBroken,
        score.healthy,
        score.healthy - score.accused,
        flagged.size(),
        changes.size(),
        score.hoursToFlaky,
        score.runsToFlaky,
        score.failuresToFlaky,
        score.hoursToBroken,
        score.runsToBroken);
  }

  private boolean isRight(StatusChange change) {
    return repository.rates[change.test()] > 0
        || repository.regressions.stream()
            .filter(r -> r.tests().get(change.test()))
            .anyMatch(r -> change.hour() >= r.from() && change.hour() < r.to() + AFTERMATH_HOURS);
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

  private final class Found {
    private int flaky;
    private int failedFlaky;
    private int flakyAsFlaky;
    private int regressions;
    private int brokenAsBroken;
    private int healthy;
    private int accused;
    private final List<Double> hoursToFlaky = new ArrayList<>();
    private final List<Double> runsToFlaky = new ArrayList<>();
    private final List<Double> failuresToFlaky = new ArrayList<>();
    private final List<Double> hoursToBroken = new ArrayList<>();
    private final List<Double> runsToBroken = new ArrayList<>();

    /** Flaky tests that are also broken at times are left out: what is found is not clear. */
    void add(int test) {
      List<StatusChange> mine = changes.stream().filter(c -> c.test() == test).toList();
      if (broken.contains(test)) {
        return;
      }
      if (repository.rates[test] == 0) {
        healthy++;
        accused += mine.isEmpty() ? 0 : 1;
        return;
      }
      flaky++;
      failedFlaky += log.firstFlake(test).isPresent() ? 1 : 0;
      log.firstFlake(test).flatMap(first -> flagAfter(mine, first)).ifPresent(this::addFlaky);
    }

    private void addFlaky(StatusChange flag) {
      hoursToFlaky.add(flag.hour());
      runsToFlaky.add((double) flag.uploads());
      failuresToFlaky.add((double) flag.failures());
      flakyAsFlaky += flag.status() == TestStatus.FLAKY ? 1 : 0;
    }

    void add(Regression regression) {
      for (int test : regression.tests().stream().toArray()) {
        if (repository.rates[test] == 0) {
          regressions++;
          List<StatusChange> flags =
              changes.stream()
                  .filter(c -> c.test() == test && c.status() != TestStatus.HEALTHY)
                  .filter(c -> regression.isActive(c.hour()))
                  .toList();
          if (!flags.isEmpty()) {
            hoursToBroken.add(flags.getFirst().hour() - regression.from());
            runsToBroken.add(
                (double) log.uploadsBetween(regression.from(), flags.getFirst().hour()));
          }
          brokenAsBroken += flags.stream().anyMatch(c -> c.status() == TestStatus.BROKEN) ? 1 : 0;
        }
      }
    }
  }
}
