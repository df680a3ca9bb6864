package dev.mainstay.core.simulation.check.play;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.QueueAction.StartRun;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.RunId;
import dev.mainstay.core.simulation.check.play.Luck.Roll;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Builds test branches and runs CI on them: slow, flaky, silent, and otherwise truthful. */
public final class TestBench {
  private final Agenda agenda;
  private final Luck luck;
  private final FakeForge forge;
  private final Post post;
  private FaultRates faults;
  private final TestNews news;
  private final Map<RunId, BenchRun> runs = new LinkedHashMap<>();
  private final Map<CommitSha, BenchRun> byCommit = new HashMap<>();

  public TestBench(
      Agenda agenda, Luck luck, FakeForge forge, Post post, FaultRates faults, Uploads uploads) {
    this.agenda = agenda;
    this.luck = luck;
    this.forge = forge;
    this.post = post;
    this.faults = faults;
    this.news = new TestNews(agenda, luck, post, uploads);
  }

  public void calmDown() {
    faults = FaultRates.NONE;
    news.calmDown();
  }

  /** Notes that a run was asked for; says whether it is a new one. */
  public boolean note(StartRun asked) {
    return runs.putIfAbsent(asked.run(), new BenchRun(asked)) == null;
  }

  public Optional<BenchRun> run(RunId id) {
    return Optional.ofNullable(runs.get(id));
  }

  public Optional<BenchRun> testedBy(CommitSha commit) {
    return Optional.ofNullable(byCommit.get(commit));
  }

  public Collection<BenchRun> runs() {
    return runs.values();
  }

  public void start(BenchRun run) {
    if (run.cancelled) {
      return;
    }
    RunId id = run.asked.run();
    if (luck.happens(faults.buildFails(), Roll.BUILD_FAILS, run.hash())) {
      run.tainted = true;
      post.send(new QueueEvent.TestBranchNotBuilt(id, "The forge is away"), run.hash());
      return;
    }
    build(run)
        .ifPresentOrElse(
            conflict -> post.send(conflict, run.hash()),
            () -> {
              var commit = new CommitSha("test" + id.number());
              var built = new QueueEvent.TestBranchBuilt(id, commit, bringNothing(run));
              taintIf(run, !post.send(built, run.hash()));
              test(run);
            });
  }

  private Optional<QueueEvent> build(BenchRun run) {
    Tree base = forge.tree(run.asked.base());
    Tree tree = base;
    for (Change change :
        Stream.concat(run.asked.standsOn().stream(), run.asked.tested().stream()).toList()) {
      Patch patch = Patch.of(change);
      if (!forge.merges(patch, tree)) {
        boolean withTarget = !forge.merges(patch, base);
        return Optional.of(
            new QueueEvent.TestBranchConflicted(run.asked.run(), change.pr(), withTarget));
      }
      tree = tree.with(patch);
    }
    byCommit.put(forge.record("test" + run.asked.run().number(), tree), run);
    return Optional.empty();
  }

  private List<PullRequestRef> bringNothing(BenchRun run) {
    Tree base = forge.tree(run.asked.base());
    return run.asked.tested().stream().filter(c -> base.has(Patch.of(c))).map(Change::pr).toList();
  }

  private void test(BenchRun run) {
    if (run.begun) {
      return;
    }
    run.begun = true;
    if (luck.happens(faults.silentCi(), Roll.CI_SILENCE, run.hash())) {
      run.tainted = true;
      agenda.in(
          Duration.ofMinutes(luck.between(20, 60, Roll.CI_START, run.hash())),
          () -> post.send(new QueueEvent.CiNeverStarted(run.asked.run()), run.hash()));
      return;
    }
    boolean good = forge.isGood(forge.tree(new CommitSha("test" + run.asked.run().number())));
    int size = run.asked.requiredStatuses().size();
    long culprit = good || size == 0 ? -1 : luck.between(0, size - 1, Roll.NOISE, run.hash());
    for (int i = 0; i < size; i++) {
      report(run, i, i != culprit);
    }
    noise(run);
  }

  private void report(BenchRun run, int index, boolean truth) {
    long about = Luck.mix(run.hash(), index);
    String name = run.asked.requiredStatuses().get(index);
    boolean flake = truth && luck.happens(faults.flaky(), Roll.FLAKE, about);
    boolean known = truth && news.flakes(about);
    run.broken |= !truth;
    run.flaked |= known;
    run.unexplained |= flake;
    run.out |= news.isOut();
    boolean slow = luck.happens(faults.slow(), Roll.SLOWNESS, about);
    taintIf(run, flake || known || slow || run.out);
    say(run, name, CheckState.PENDING, luck.between(5, 240, Roll.CI_START, about));
    long seconds = luck.between(300, slow ? 30_000 : 3000, Roll.BUILD_TIME, about);
    say(
        run,
        name,
        truth && !flake && !known && !run.out ? CheckState.SUCCESS : CheckState.FAILURE,
        240 + seconds);
  }

  /** A status nobody requires fails. */
  private void noise(BenchRun run) {
    if (luck.happens(0.2, Roll.NOISE, run.hash())) {
      say(run, "optional", CheckState.FAILURE, luck.between(60, 3000, Roll.NOISE, run.hash()));
    }
  }

  private void say(BenchRun run, String name, CheckState state, long seconds) {
    var event = new QueueEvent.StatusReported(run.asked.run(), name, state);
    long about = Luck.mix(run.hash(), Luck.mix(name.hashCode(), state.name().hashCode()));
    agenda.in(
        Duration.ofSeconds(seconds),
        () -> {
          if (!run.cancelled || luck.happens(0.3, Roll.WEBHOOK, about)) {
            taintIf(run, !post.send(event, about));
          }
        });
  }

  private static void taintIf(BenchRun run, boolean so) {
    run.tainted |= so;
  }

  /** What test health tells the queue before it hears of this. */
  public List<QueueEvent> before(QueueEvent.StatusReported report) {
    return run(report.run())
        .filter(r -> report.state() == CheckState.FAILURE)
        .filter(r -> r.asked.requiredStatuses().contains(report.name()))
        .map(news::of)
        .orElse(List.of());
  }

  /** The queue has just been told this: from now on it may rely on it. */
  public void heard(QueueEvent.StatusReported report) {
    if (report.state() == CheckState.SUCCESS) {
      run(report.run()).ifPresent(run -> run.succeeded.add(report.name()));
    }
  }
}
