package dev.mainstay.core.health.replay;

import dev.mainstay.core.health.Judgement;
import dev.mainstay.core.health.Monitor;
import dev.mainstay.core.health.Standing;
import dev.mainstay.core.health.TestHistory;
import dev.mainstay.core.health.TestStatus;
import dev.mainstay.core.health.replay.World.Upload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Plays a world to several sets of monitors at once and writes down when each changed its mind. A
 * test is judged as soon as it failed; every few hours those are judged that failed lately or are
 * flagged.
 */
public final class Replay {
  private static final double SWEEP_HOURS = 12;
  private static final double LATELY_HOURS = 24;

  /** Monitors that judge together, under a name. */
  public record Contender(String name, List<Monitor> monitors) {
    public Contender {
      monitors = List.copyOf(monitors);
    }
  }

  /** A change of mind about a test. */
  record Change(int test, double hour, int uploads, int failures, TestStatus status) {}

  private final World world;
  private final Log log;
  private final List<Contender> contenders;
  private final List<Standing[]> standings = new ArrayList<>();
  private final List<List<Change>> changes = new ArrayList<>();
  private final WorldSettings settings;

  private Replay(WorldSettings settings, long seed, List<Contender> contenders) {
    this.settings = settings;
    this.contenders = contenders;
    world = new World(settings, seed);
    log = new Log(settings.tests());
    for (int i = 0; i < contenders.size(); i++) {
      var standing = new Standing[settings.tests()];
      Arrays.fill(standing, Standing.unflagged(Log.at(0)));
      standings.add(standing);
      changes.add(new ArrayList<>());
    }
  }

  /** The score of each contender, in their order. */
  public static List<Score> run(WorldSettings settings, long seed, List<Contender> contenders) {
    var replay = new Replay(settings, seed, contenders);
    replay.play();
    var scores = new ArrayList<Score>();
    for (int i = 0; i < contenders.size(); i++) {
      scores.add(Score.of(settings, replay.world, replay.log, replay.changes.get(i)));
    }
    return scores;
  }

  private void play() {
    double end = settings.days() * 24.0;
    double sweep = SWEEP_HOURS;
    Upload upload = world.next();
    while (upload.hour() < end) {
      for (; sweep <= upload.hour(); sweep += SWEEP_HOURS) {
        sweep(sweep);
      }
      log.add(upload);
      double now = upload.hour();
      upload.failed().stream().forEach(test -> judge(test, now));
      upload = world.next();
    }
  }

  private void sweep(double now) {
    for (int test = 0; test < settings.tests(); test++) {
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
        changes.get(i).add(new Change(test, now, log.uploads(), log.failures(test), status));
      }
    }
  }
}
