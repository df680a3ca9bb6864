package dev.mainstay.core.simulation.check.play;

import dev.mainstay.core.queue.FailingTest;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.RunId;
import dev.mainstay.core.simulation.check.play.Luck.Roll;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Results of tests, as test health tells them: in time, late, or never. */
final class TestNews {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Agenda agenda;
  private final Luck luck;
  private final Post post;
  private Uploads uploads;
  private final Map<RunId, List<QueueEvent>> told = new HashMap<>();

  TestNews(Agenda agenda, Luck luck, Post post, Uploads uploads) {
    this.agenda = agenda;
    this.luck = luck;
    this.post = post;
    this.uploads = uploads;
  }

  void calmDown() {
    uploads = Uploads.NONE;
  }

  /** A status fails because of a test that may be known to be flaky. */
  boolean flakes(long about) {
    return luck.happens(uploads.flakes(), Roll.KNOWN_FLAKE, about);
  }

  /** Nothing passes now. */
  boolean isOut() {
    return uploads.isOut(agenda.now());
  }

  /** All that is told with the failure of a run, each time the same. */
  List<QueueEvent> of(BenchRun run) {
    if (uploads.equals(Uploads.NONE)) {
      return List.of();
    }
    List<QueueEvent> known = told.get(run.asked.run());
    if (known == null) {
      known = tell(run);
      told.put(run.asked.run(), known);
    }
    return known;
  }

  private List<QueueEvent> tell(BenchRun run) {
    QueueEvent failed = failed(run, tests(run));
    if (luck.happens(uploads.never(), Roll.UPLOAD, Luck.mix(run.hash(), 1))) {
      return luck.happens(0.5, Roll.UPLOAD, Luck.mix(run.hash(), 2))
          ? List.of(expected(run))
          : List.of();
    }
    if (luck.happens(uploads.late(), Roll.UPLOAD, Luck.mix(run.hash(), 3))) {
      tellLater(failed, luck.between(2, 90, Roll.UPLOAD, Luck.mix(run.hash(), 4)));
      return List.of(expected(run));
    }
    if (run.out && luck.happens(uploads.inParts(), Roll.UPLOAD, Luck.mix(run.hash(), 7))) {
      return List.of(part(run));
    }
    return List.of(failed);
  }

  /** The last test, mostly one of its own, and later all, also those of the target branch. */
  private QueueEvent part(BenchRun run) {
    var whole = new ArrayList<>(tests(run));
    if (whole.size() == 1) {
      whole.add(own(run));
    }
    long seconds = luck.between(2, 300, Roll.UPLOAD, Luck.mix(run.hash(), 8));
    tellLater(failed(run, whole), seconds);
    return failed(run, whole.subList(whole.size() - 1, whole.size()));
  }

  private void tellLater(QueueEvent failed, long seconds) {
    agenda.in(Duration.ofSeconds(seconds), () -> post.hand(failed));
  }

  private static QueueEvent failed(BenchRun run, List<FailingTest> tests) {
    return new QueueEvent.TestsFailed(run.asked.run(), tests.size(), tests);
  }

  private QueueEvent expected(BenchRun run) {
    return new QueueEvent.ResultsExpected(run.asked.run(), agenda.now().plus(PATIENCE));
  }

  /** A change may break a test that is known to be flaky, and a flake may be a new one. */
  private List<FailingTest> tests(BenchRun run) {
    var tests = new ArrayList<FailingTest>();
    if (run.out) {
      Optional<String> seen =
          uploads.seen() ? Optional.of("it fails on main, too") : Optional.empty();
      tests.add(new FailingTest("out", "out", Optional.empty(), seen));
    }
    if (run.unexplained || (run.broken && isNew(run, 5, 0.8))) {
      tests.add(own(run));
    }
    if (run.flaked || tests.isEmpty()) {
      boolean isNew = isNew(run, 6, 1 - uploads.known());
      Optional<String> evidence = isNew ? Optional.empty() : Optional.of("both on one commit");
      tests.add(isNew ? 0 : tests.size(), new FailingTest("shaky", "shaky", evidence));
    }
    return tests;
  }

  private static FailingTest own(BenchRun run) {
    String own = "own" + Math.floorMod(run.hash(), 4);
    return new FailingTest(own, own, Optional.empty());
  }

  private boolean isNew(BenchRun run, int which, double chance) {
    return new Luck(Luck.mix(run.hash(), run.asked.run().number()))
        .happens(chance, Roll.UPLOAD, which);
  }
}
