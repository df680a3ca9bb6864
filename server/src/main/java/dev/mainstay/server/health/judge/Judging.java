package dev.mainstay.server.health.judge;

import dev.mainstay.core.health.HistoryNeed;
import dev.mainstay.core.health.Monitor;
import dev.mainstay.core.health.Quarantine;
import dev.mainstay.core.health.Standing;
import dev.mainstay.core.health.TestStatus;
import dev.mainstay.core.health.judge.Judgement;
import dev.mainstay.server.health.result.FeedStore;
import dev.mainstay.server.health.result.HistoryStore;
import dev.mainstay.server.health.test.QuarantineCap;
import dev.mainstay.server.health.test.StandingStore;
import dev.mainstay.server.health.test.TestRow;
import dev.mainstay.server.health.test.TestSettingsStore;
import dev.mainstay.server.health.test.TestStore;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.Fact;
import dev.mainstay.server.platform.FactStore;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;

/**
 * Finds the tests that new results may have changed, and judges them. Each step is one transaction
 * that takes what it works on and leaves what it found: a crash repeats it, and nodes share the
 * work without knowing of each other.
 */
public final class Judging {
  private static final int UPLOADS_AT_ONCE = 20;
  private static final int TESTS_AT_ONCE = 2000;

  private final Database database;
  private final Clock clock;
  private volatile long lastJudged;

  public Judging(Database database, Clock clock) {
    this.database = database;
    this.clock = clock;
  }

  /** Does all there is to do, unless the node is closing. */
  public void round(BooleanSupplier isClosing) {
    while (!isClosing.getAsBoolean() && step() >= 0) {}
  }

  /** Does some of what there is to do; returns how many tests were judged, or -1 for nothing. */
  public int step() {
    boolean found = markReviews() > 0;
    QuarantineEnds.byTimeOrTicket(database, now());
    for (long repository : database.query(JudgeStore::behind)) {
      found |= database.inTransaction(handle -> lookThrough(handle, repository));
    }
    int judged = judgeSome();
    return judged == 0 && !found ? -1 : judged;
  }

  private int markReviews() {
    int marked = 0;
    var tests = database.query(h -> JudgeStore.toReview(h, now(), TESTS_AT_ONCE));
    for (var one : tests.entrySet()) {
      marked += database.inTransaction(h -> JudgeStore.mark(h, one.getKey(), one.getValue()));
    }
    return marked;
  }

  /**
   * Judges tests of the next repository that has any which nobody else is at. Repositories take
   * turns, so that none waits for another that never ends.
   */
  private int judgeSome() {
    long last = lastJudged;
    int judged = judgeBetween(last, Long.MAX_VALUE);
    return judged == 0 ? judgeBetween(0, last) : judged;
  }

  private int judgeBetween(long after, long last) {
    Optional<Long> due = dueBetween(after, last);
    while (due.isPresent()) {
      long repository = due.get();
      int judged = database.inTransaction(handle -> judgeSome(handle, repository));
      if (judged > 0) {
        lastJudged = repository;
        return judged;
      }
      due = dueBetween(repository, last);
    }
    return 0;
  }

  private Optional<Long> dueBetween(long after, long last) {
    return database.query(h -> JudgeStore.dueAfter(h, after)).filter(due -> due <= last);
  }

  /** Marks the tests of some uploads; false when there was none or another node is at it. */
  private boolean lookThrough(Handle handle, long repositoryId) {
    JudgeStore.setUp(handle, repositoryId, now());
    Optional<Long> cursor = JudgeStore.lockCursor(handle, repositoryId);
    if (cursor.isEmpty()) {
      return false;
    }
    var uploads = FeedStore.after(handle, repositoryId, cursor.get(), UPLOADS_AT_ONCE);
    if (uploads.isEmpty()) {
      return false;
    }
    var need = HistoryNeed.of(MonitorStore.all(handle, repositoryId), now());
    if (need.splitsSince().isPresent()) {
      Set<String> commits = new HashSet<>();
      uploads.forEach(upload -> commits.add(upload.commit()));
      commits.remove("");
      JudgeStore.markSplit(handle, repositoryId, commits);
    }
    need.hoursSince().ifPresent(since -> JudgeStore.markRun(handle, repositoryId, uploads, since));
    QuarantineEnds.byPasses(handle, repositoryId, now());
    JudgeStore.moveCursor(handle, repositoryId, uploads.getLast().stamp());
    return true;
  }

  private int judgeSome(Handle handle, long id) {
    JudgeStore.lock(handle, id, false);
    List<UUID> tests = JudgeStore.take(handle, id, TESTS_AT_ONCE);
    if (tests.isEmpty()) {
      return 0;
    }
    Instant now = now();
    List<Monitor> monitors = MonitorStore.all(handle, id);
    var histories = HistoryStore.read(handle, id, tests, HistoryNeed.of(monitors, now));
    var mutes = MonitorStore.mutes(handle, id, tests, now);
    var standings = StandingStore.find(handle, id, tests);
    var judged = new ArrayList<StandingStore.Judged>();
    var changes = new ArrayList<StatusChangeStore.Changed>();
    var facts = new ArrayList<Fact>();
    for (UUID test : tests) {
      Standing before = standings.get(test);
      if (before != null) {
        var muted = mutes.getOrDefault(test, Map.of());
        var judgement = Judgement.of(histories.apply(test), monitors, muted, before, now);
        // The end of a mute may change the judgement too.
        Optional<Instant> review =
            Stream.concat(judgement.nextReviewAt().stream(), muted.values().stream())
                .min(Instant::compareTo);
        judged.add(new StandingStore.Judged(test, judgement.after(), review));
        facts.addAll(JudgedFacts.monitors(test, before, judgement.after(), monitors, now));
        if (judgement.changed()) {
          changes.add(new StatusChangeStore.Changed(test, before, judgement));
          facts.addAll(JudgedFacts.status(test, before, judgement, monitors, now));
        }
      }
    }
    if (!judged.isEmpty()) {
      StandingStore.save(handle, id, judged);
      StatusChangeStore.insert(handle, id, changes, now);
      facts.addAll(quarantineEnds(handle, id, changes, now));
      if (changes.stream().anyMatch(c -> c.judgement().after().status() != TestStatus.HEALTHY)) {
        facts.addAll(QuarantineCap.enforce(handle, id, now));
      }
      // Last, as in an upload: whoever writes facts waits for nobody after that.
      FactStore.insert(handle, id, facts);
    }
    return tests.size();
  }

  private static List<Fact> quarantineEnds(
      Handle handle, long repositoryId, List<StatusChangeStore.Changed> changes, Instant now) {
    List<StatusChangeStore.Changed> healed =
        changes.stream().filter(c -> c.judgement().after().status() == TestStatus.HEALTHY).toList();
    var switches =
        healed.isEmpty()
            ? Quarantine.Switches.OFF
            : TestSettingsStore.find(handle, repositoryId).quarantine();
    if (!switches.enabled()) {
      return List.of();
    }
    Map<UUID, TestRow> rows =
        TestStore.find(
            handle, repositoryId, healed.stream().map(StatusChangeStore.Changed::test).toList());
    return healed.stream()
        .flatMap(
            c ->
                Optional.ofNullable(rows.get(c.test()))
                    .flatMap(
                        row ->
                            JudgedFacts.quarantineEnd(
                                row, switches, c.before(), c.judgement().after(), now))
                    .stream())
        .toList();
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }
}
