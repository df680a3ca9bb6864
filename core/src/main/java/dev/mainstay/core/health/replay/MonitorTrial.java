package dev.mainstay.core.health.replay;

import dev.mainstay.core.health.Monitor;
import dev.mainstay.core.health.MonitorRule;
import dev.mainstay.core.health.MonitorState;
import dev.mainstay.core.health.Standing;
import dev.mainstay.core.health.TestHistory;
import dev.mainstay.core.health.TestStatus;
import dev.mainstay.core.health.judge.Estimate;
import dev.mainstay.core.health.judge.Judgement;
import dev.mainstay.core.health.replay.MadeUpRepository.Upload;
import dev.mainstay.core.health.replay.MonitorScore.Intervals;
import dev.mainstay.core.health.replay.MonitorScore.Share;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Plays a made-up repository to several sets of monitors at once and writes down when each changed
 * its mind. A test is judged as soon as it failed, and with each run of the stable branch while it
 * is flagged and failed lately; every few hours all are that failed lately or are flagged.
 */
public final class MonitorTrial {
  private static final double SWEEP_HOURS = 12;
  private static final double LATELY_HOURS = 24;
  private static final int EARLY_RUNS = 10;
  private static final double RARE = 0.01;
  private static final double OFTEN = 0.1;
  private static final double LEAST_RATE = 0.001;

  /** Monitors that judge together, under a name. */
  public record Contender(String name, List<Monitor> monitors) {
    public Contender {
      monitors = List.copyOf(monitors);
    }

    private boolean estimates() {
      return monitors.stream().anyMatch(m -> m.rule() instanceof MonitorRule.Bayesian);
    }
  }

  private final MadeUpRepository repository;
  private final Log log;
  private final List<Contender> contenders;
  private final List<Monitor> monitors;
  private final Standing[] standings;
  private final List<TestStatus[]> statuses = new ArrayList<>();
  private final List<List<StatusChange>> changes = new ArrayList<>();
  private final Share[] gates;
  private final RepositoryTraits traits;
  private Intervals intervals = Intervals.NONE;

  private MonitorTrial(RepositoryTraits traits, long seed, List<Contender> contenders) {
    this.traits = traits;
    this.contenders = contenders;
    repository = new MadeUpRepository(traits, seed);
    log = new Log(traits.tests());
    gates = new Share[contenders.size()];
    Arrays.fill(gates, Share.NONE);
    monitors = contenders.stream().flatMap(c -> c.monitors().stream()).distinct().toList();
    standings = new Standing[traits.tests()];
    Arrays.fill(standings, Standing.unflagged(Log.at(0)));
    for (int i = 0; i < contenders.size(); i++) {
      var status = new TestStatus[traits.tests()];
      Arrays.fill(status, TestStatus.HEALTHY);
      statuses.add(status);
      changes.add(new ArrayList<>());
    }
  }

  /** The score of each contender, in their order. */
  public static List<MonitorScore> run(
      RepositoryTraits traits, long seed, List<Contender> contenders) {
    var trial = new MonitorTrial(traits, seed, contenders);
    trial.play();
    var scores = new ArrayList<MonitorScore>();
    for (int i = 0; i < contenders.size(); i++) {
      scores.add(
          MonitorTally.of(
              trial.repository,
              trial.log,
              trial.changes.get(i),
              trial.gates[i],
              contenders.get(i).estimates() ? trial.intervals : Intervals.NONE));
    }
    return scores;
  }

  private void play() {
    double end = traits.days() * 24.0;
    double sweep = SWEEP_HOURS;
    Upload upload = repository.next();
    while (upload.hour() < end) {
      for (; sweep <= upload.hour(); sweep += SWEEP_HOURS) {
        sweep(sweep);
      }
      double now = upload.hour();
      atTheGate(upload);
      log.add(upload);
      var due = (BitSet) upload.failed().clone();
      if (upload.main()) {
        due.or(flaggedLately(now));
        if (log.targetRuns() == EARLY_RUNS) {
          estimate(now, true);
        }
      }
      boolean main = upload.main();
      due.stream().filter(test -> main || !isKnown(test)).forEach(test -> judge(test, now));
      upload = repository.next();
    }
    estimate(end, false);
  }

  private BitSet flaggedLately(double now) {
    var flagged = new BitSet();
    for (int test = 0; test < traits.tests(); test++) {
      if (isFlagged(test) && log.failedSince(test, now - LATELY_HOURS)) {
        flagged.set(test);
      }
    }
    return flagged;
  }

  private boolean isFlagged(int test) {
    return standings[test].status() != TestStatus.HEALTHY;
  }

  /** All contenders have flagged it: failures of pull requests tell them nothing new. */
  private boolean isKnown(int test) {
    return statuses.stream().allMatch(s -> s[test] != TestStatus.HEALTHY);
  }

  /**
   * A pull request that broke tests of its own must not pass, were quarantine automatic: nothing is
   * wrong with one of them otherwise, and yet all that failed is flagged.
   */
  private void atTheGate(Upload upload) {
    boolean breaks =
        upload.own().stream()
            .anyMatch(test -> repository.rates[test] == 0 && !isBroken(test, upload.hour()));
    if (breaks && upload.first()) {
      for (int i = 0; i < gates.length; i++) {
        TestStatus[] status = statuses.get(i);
        gates[i] =
            gates[i].count(
                upload.failed().stream().allMatch(test -> status[test] != TestStatus.HEALTHY));
      }
    }
  }

  private boolean isBroken(int test, double hour) {
    return repository.regressions.stream().anyMatch(r -> r.isActive(hour) && r.tests().get(test));
  }

  private void sweep(double now) {
    for (int test = 0; test < traits.tests(); test++) {
      if (isFlagged(test) || log.failedSince(test, now - LATELY_HOURS)) {
        judge(test, now);
      }
    }
  }

  /** Judges a test by all monitors at once; what each contender says follows from its own. */
  private void judge(int test, double now) {
    TestHistory history = log.history(test, now);
    standings[test] =
        Judgement.of(history, monitors, Map.of(), standings[test], Log.at(now)).after();
    for (int i = 0; i < contenders.size(); i++) {
      Optional<MonitorState> worst = worst(contenders.get(i), standings[test]);
      TestStatus status = worst.map(MonitorState::status).orElse(TestStatus.HEALTHY);
      if (status != statuses.get(i)[test]) {
        statuses.get(i)[test] = status;
        changes.get(i).add(change(test, now, status, worst));
      }
    }
  }

  private static Optional<MonitorState> worst(Contender contender, Standing standing) {
    return contender.monitors().stream()
        .flatMap(monitor -> standing.of(monitor.id()).stream())
        .filter(MonitorState::active)
        .max(Comparator.comparing(MonitorState::status));
  }

  private StatusChange change(
      int test, double now, TestStatus status, Optional<MonitorState> decidedBy) {
    return new StatusChange(
        test,
        now,
        log.uploads(),
        log.failures(test),
        status,
        decidedBy
            .map(state -> state.evidence().commits().stream().limit(2).toList())
            .orElse(List.of()));
  }

  /** Compares the estimates of flaky tests with their rates. */
  private void estimate(double now, boolean early) {
    for (int test = 0; test < traits.tests(); test++) {
      double rate = repository.rates[test];
      if (rate >= LEAST_RATE) {
        var seen = Estimate.of(log.history(test, now), MonitorRule.Bayesian.DEFAULT, Log.at(now));
        Share one = Share.NONE.count(seen.low() <= rate && rate <= seen.high());
        Share none = Share.NONE;
        boolean rare = rate < RARE;
        boolean often = rate >= OFTEN;
        intervals =
            intervals.plus(
                early
                    ? new Intervals(one, none, none, none)
                    : new Intervals(
                        none, rare ? one : none, rare || often ? none : one, often ? one : none));
      }
    }
  }
}
