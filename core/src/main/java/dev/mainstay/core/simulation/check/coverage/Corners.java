package dev.mainstay.core.simulation.check.coverage;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.GroupId;
import dev.mainstay.core.queue.LandingInFlight;
import dev.mainstay.core.queue.LandingProblem;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.ReasonCode;
import dev.mainstay.core.queue.RunId;
import dev.mainstay.core.simulation.check.invariant.Observation;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** All corners there are, and those that one event visits. */
final class Corners {
  private static final String REASON = "reason";
  private static final String LANDING = "landing";
  private static final String MOVE = "target moved";
  private static final String MERGING = "merging";
  private static final String GONE = "not in the queue";
  private static final List<String> ABOUT_ONE =
      List.of("submitted", "cancelled", "restarted", "shown", "older snapshot", "targets told");
  private static final List<String> ABOUT_A_RUN =
      List.of(
          "built",
          "conflicted",
          "not built",
          "status",
          "CI never started",
          "results",
          "results expected");
  private static final List<String> RUNS = List.of("in the line", "in bisection", "unwanted");
  private static final List<String> STATES =
      List.of("not ready", "pending", "testing", "tests passed", "pending failure", MERGING, GONE);
  private static final List<String> PROBLEMS =
      List.of("forge away", "head moved", "target moved", "conflict", "tree differs", "refused");
  private static final List<String> BUSY =
      List.of(
          "with an empty queue",
          "with the line busy",
          "with both busy",
          "with only the side queue busy");

  /** Reasons for which somebody waits, and for which nobody changes state. */
  private static final Set<ReasonCode> OF_NO_TRANSITION =
      EnumSet.of(
          ReasonCode.BATCH_FILLING,
          ReasonCode.QUEUE_NOT_RUNNING,
          ReasonCode.MERGEABILITY_UNKNOWN,
          ReasonCode.TARGET_BRANCH_MISSING);

  private Corners() {}

  static List<Corner> all() {
    var all = new ArrayList<Corner>();
    Stream.of(ReasonCode.values())
        .filter(r -> !OF_NO_TRANSITION.contains(r))
        .forEach(r -> all.add(new Corner(REASON, r.code())));
    ABOUT_ONE.forEach(kind -> STATES.forEach(s -> all.add(new Corner(kind, s))));
    ABOUT_A_RUN.forEach(kind -> RUNS.forEach(s -> all.add(new Corner(kind, s))));
    all.removeIf(c -> c.kind().equals("older snapshot") && c.name().equals(GONE));
    all.add(new Corner(LANDING, "whole"));
    all.add(new Corner(LANDING, "told twice"));
    all.add(new Corner(LANDING, "overtaking"));
    all.add(new Corner(LANDING, "overtaking, in part or not at all"));
    PROBLEMS.forEach(p -> all.add(new Corner(LANDING, "nothing, " + p)));
    PROBLEMS.stream()
        .filter(p -> !p.equals("target moved") && !p.equals("tree differs"))
        .forEach(p -> all.add(new Corner(LANDING, "half, " + p)));
    Stream.of("at once", "after a gap", "while merging", "old news")
        .forEach(m -> all.add(new Corner(MOVE, m)));
    for (QueueLifecycle lifecycle : QueueLifecycle.values()) {
      BUSY.forEach(b -> all.add(new Corner(asked(lifecycle), b)));
    }
    // An empty queue switches at once.
    all.remove(new Corner(asked(QueueLifecycle.SWITCHING_MODES), BUSY.getFirst()));
    Stream.of("forge connected", "forge gone", "branch missing", "branch there")
        .forEach(w -> all.add(new Corner("forge", w)));
    return all;
  }

  static List<Corner> of(Observation o) {
    var visited = new ArrayList<Corner>();
    o.step().transitions().forEach(t -> visited.add(new Corner(REASON, t.reason().code().code())));
    if (o.after().lifecycle() != o.before().lifecycle()) {
      visited.add(new Corner(asked(o.after().lifecycle()), busy(o.before())));
    }
    about(o.event(), o.before()).ifPresent(visited::add);
    return visited;
  }

  private static Optional<Corner> about(QueueEvent event, QueueState before) {
    return switch (event) {
      case QueueEvent.Submitted e -> Optional.of(one("submitted", e.pr(), before));
      case QueueEvent.Cancelled e -> Optional.of(one("cancelled", e.pr(), before));
      case QueueEvent.RestartRequested e -> Optional.of(one("restarted", e.pr(), before));
      case QueueEvent.SnapshotTaken e ->
          Optional.of(one(isOlder(e, before) ? "older snapshot" : "shown", e.pr(), before));
      case QueueEvent.ImpactedTargetsSet e -> Optional.of(one("targets told", e.pr(), before));
      case QueueEvent.TestBranchBuilt e -> Optional.of(run("built", e.run(), before));
      case QueueEvent.TestBranchConflicted e -> Optional.of(run("conflicted", e.run(), before));
      case QueueEvent.TestBranchNotBuilt e -> Optional.of(run("not built", e.run(), before));
      case QueueEvent.StatusReported e -> Optional.of(run("status", e.run(), before));
      case QueueEvent.CiNeverStarted e -> Optional.of(run("CI never started", e.run(), before));
      case QueueEvent.TestsFailed e -> Optional.of(run("results", e.run(), before));
      case QueueEvent.ResultsExpected e -> Optional.of(run("results expected", e.run(), before));
      case QueueEvent.LandingEnded e -> Optional.of(new Corner(LANDING, landing(e, before)));
      case QueueEvent.TargetMoved e -> Optional.of(new Corner(MOVE, move(e, before)));
      case QueueEvent.TargetBranchSeen e ->
          Optional.of(new Corner("forge", e.there() ? "branch there" : "branch missing"));
      case QueueEvent.ConnectionChanged e ->
          Optional.of(
              new Corner("forge", e.connection().connected() ? "forge connected" : "forge gone"));
      case QueueEvent.SettingsChanged e -> Optional.empty();
      case QueueEvent.LifecycleRequested e -> Optional.empty();
      case QueueEvent.Stalled e -> Optional.empty();
      case QueueEvent.TimePassed() -> Optional.empty();
    };
  }

  private static Corner one(String kind, PullRequestRef pr, QueueState state) {
    Optional<Entry> entry = state.entry(pr);
    boolean merging = state.groupOf(pr).filter(g -> state.isLanding(g.id())).isPresent();
    return new Corner(
        kind, merging ? MERGING : entry.map(Entry::state).map(Corners::words).orElse(GONE));
  }

  private static boolean isOlder(QueueEvent.SnapshotTaken shown, QueueState state) {
    return state
        .entry(shown.pr())
        .flatMap(Entry::snapshot)
        .filter(s -> s.asOf().isAfter(shown.snapshot().asOf()))
        .isPresent();
  }

  private static Corner run(String kind, RunId run, QueueState state) {
    Optional<Group> group = state.groupOf(run);
    boolean aside = group.filter(g -> g.half().isPresent()).isPresent();
    return new Corner(kind, group.isEmpty() ? "unwanted" : aside ? "in bisection" : "in the line");
  }

  private static String landing(QueueEvent.LandingEnded ended, QueueState state) {
    if (state.landing().filter(l -> l.id().equals(ended.landing())).isEmpty()) {
      return "told twice";
    }
    if (overtakes(state)) {
      return ended.problem().isEmpty() ? "overtaking" : "overtaking, in part or not at all";
    }
    return ended
        .problem()
        .map(p -> (ended.landed().isEmpty() ? "nothing, " : "half, ") + words(p))
        .orElse("whole");
  }

  private static boolean overtakes(QueueState state) {
    List<GroupId> landing = state.landing().map(LandingInFlight::groups).orElse(List.of());
    return state.line().stream()
        .filter(g -> landing.contains(g.id()))
        .anyMatch(g -> !landing.containsAll(g.standsOn()));
  }

  private static String words(LandingProblem problem) {
    return switch (problem) {
      case LandingProblem.ForgeUnavailable p -> "forge away";
      case LandingProblem.HeadMoved p -> "head moved";
      case LandingProblem.TargetMoved p -> "target moved";
      case LandingProblem.Conflicted p -> "conflict";
      case LandingProblem.TreeDiffered p -> "tree differs";
      case LandingProblem.Untested p -> "made otherwise";
      case LandingProblem.Refused p -> "refused";
    };
  }

  private static String move(QueueEvent.TargetMoved move, QueueState state) {
    if (state.landing().isPresent()) {
      return "while merging";
    }
    if (!state.target().isNews(move)) {
      return "old news";
    }
    return move.from().equals(state.target().head()) ? "at once" : "after a gap";
  }

  private static String asked(QueueLifecycle lifecycle) {
    return lifecycle.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static String busy(QueueState state) {
    boolean line = !state.line().isEmpty();
    boolean side = !state.side().isEmpty();
    return BUSY.get(line ? (side ? 2 : 1) : side ? 3 : 0);
  }

  private static String words(PullRequestState state) {
    return state.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
