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
    var failed = new QueueEvent.TestsFailed(run.asked.run(), tests(run).size(), tests(run));
    if (luck.happens(uploads.never(), Roll.UPLOAD, Luck.mix(run.hash(), 1))) {
      return luck.happens(0.5, Roll.UPLOAD, Luck.mix(run.hash(), 2))
          ? List.of(expected(run))
          : List.of();
    }
    if (!luck.happens(uploads.late(), Roll.UPLOAD, Luck.mix(run.hash(), 3))) {
      return List.of(failed);
    }
    long seconds = luck.between(2, 90, Roll.UPLOAD, Luck.mix(run.hash(), 4));
    agenda.in(Duration.ofSeconds(seconds), () -> post.hand(failed));
    return List.of(expected(run));
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
      String own = "own" + Math.floorMod(run.hash(), 4);
      tests.add(new FailingTest(own, own, Optional.empty()));
    }
    if (run.flaked || tests.isEmpty()) {
      boolean isNew = isNew(run, 6, 1 - uploads.known());
      Optional<String> evidence = isNew ? Optional.empty() : Optional.of("both on one commit");
      tests.add(isNew ? 0 : tests.size(), new FailingTest("shaky", "shaky", evidence));
    }
    return tests;
  }

  private boolean isNew(BenchRun run, int which, double chance) {
    return new Luck(Luck.mix(run.hash(), run.asked.run().number()))
        .happens(chance, Roll.UPLOAD, which);
  }
}
