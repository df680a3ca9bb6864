package dev.mainstay.core.health.replay;

import dev.mainstay.core.health.Monitor;
import dev.mainstay.core.health.Standing;
import dev.mainstay.core.health.TestHistory;
import dev.mainstay.core.health.TestStatus;
import dev.mainstay.core.health.judge.Judgement;
import dev.mainstay.core.health.replay.MadeUpRepository.Upload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Plays a made-up repository to several sets of monitors at once and writes down when each changed
 * its mind. A test is judged as soon as it failed; every few hours those are judged that failed
 * lately or are flagged.
 */
public final class MonitorTrial {
  private static final double SWEEP_HOURS = 12;
  private static final double LATELY_HOURS = 24;

  /** Monitors that judge together, under a name. */
  public record Contender(String name, List<Monitor> monitors) {
    public Contender {
      monitors = List.copyOf(monitors);
    }
  }

  private final MadeUpRepository repository;
  private final Log log;
  private final List<Contender> contenders;
  private final List<Standing[]> standings = new ArrayList<>();
  private final List<List<StatusChange>> changes = new ArrayList<>();
  private final RepositoryTraits traits;

  private MonitorTrial(RepositoryTraits traits, long seed, List<Contender> contenders) {
    this.traits = traits;
    this.contenders = contenders;
    repository = new MadeUpRepository(traits, seed);
    log = new Log(traits.tests());
    for (int i = 0; i < contenders.size(); i++) {
      var standing = new Standing[traits.tests()];
      Arrays.fill(standing, Standing.unflagged(Log.at(0)));
      standings.add(standing);
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
      scores.add(MonitorTally.of(traits, trial.repository, trial.log, trial.changes.get(i)));
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
      log.add(upload);
      double now = upload.hour();
      upload.failed().stream().forEach(test -> judge(test, now));
      upload = repository.next();
    }
  }

  private void sweep(double now) {
    for (int test = 0; test < traits.tests(); test++) {
      int each = test;
      boolean failedLately =
          log.lastFailure(test).filter(hour -> hour > now - LATELY_HOURS).isPresent();
      if (failedLately
          || standings.stream().anyMatch(s -> s[each].status() != TestStatus.HEALTHY)) {
        judge(test, now);
      }
    }
  }

  private void judge(int test, double now) {
    TestHistory history = log.history(test, now);
    for (int i = 0; i < contenders.size(); i++) {
      Standing before = standings.get(i)[test];
      Judgement judgement =
          Judgement.of(history, contenders.get(i).monitors(), Map.of(), before, Log.at(now));
      standings.get(i)[test] = judgement.after();
      if (judgement.changed()) {
        TestStatus status = judgement.after().status();
        changes.get(i).add(new StatusChange(test, now, log.uploads(), log.failures(test), status));
      }
    }
  }
}
