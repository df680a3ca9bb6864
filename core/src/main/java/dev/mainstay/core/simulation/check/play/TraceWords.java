package dev.mainstay.core.simulation.check.play;

import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.LandingProblem;
import dev.mainstay.core.queue.PullRequestSnapshot;
import dev.mainstay.core.queue.PullRequestSnapshot.Status;
import dev.mainstay.core.queue.QueueAction;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.queue.QueueSettings.DirectMergeMode;
import dev.mainstay.core.queue.QueueSettings.Sizing;
import dev.mainstay.core.queue.Transition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Events, actions and transitions in the words of a trace. */
public final class TraceWords {
  private TraceWords() {}

  public static String of(QueueEvent event) {
    return switch (event) {
      case QueueEvent.Submitted e ->
          "submit %s, priority %d%s%s"
              .formatted(
                  e.pr(),
                  e.priority().value(),
                  e.noBatch() ? ", alone" : "",
                  e.snapshot().map(s -> ", " + of(s)).orElse(""));
      case QueueEvent.Cancelled e -> "cancel " + e.pr();
      case QueueEvent.RestartRequested e -> "restart " + e.pr();
      case QueueEvent.SnapshotTaken e -> "forge: " + e.pr() + " is " + of(e.snapshot());
      case QueueEvent.ImpactedTargetsSet e ->
          "targets of %s at %s: %s"
              .formatted(
                  e.pr(), e.head(), e.targets().all() ? "ALL" : e.targets().names().toString());
      case QueueEvent.TestBranchBuilt e -> e.run() + ": test branch built";
      case QueueEvent.TestBranchConflicted e ->
          "%s: %s does not merge%s"
              .formatted(e.run(), e.pr(), e.withTarget() ? " with the target branch" : "");
      case QueueEvent.TestBranchNotBuilt e -> e.run() + ": test branch not built";
      case QueueEvent.StatusReported e -> "%s: %s %s".formatted(e.run(), e.name(), e.state());
      case QueueEvent.TestsFailed e ->
          "%s: %s failed".formatted(e.run(), e.tests().stream().map(t -> t.name()).toList());
      case QueueEvent.ResultsExpected e -> e.run() + ": results are expected";
      case QueueEvent.CiNeverStarted e -> e.run() + ": CI never started";
      case QueueEvent.LandingEnded e ->
          "%s: merged %s%s"
              .formatted(
                  e.landing(),
                  e.landed().stream().map(QueueEvent.Landed::pr).toList(),
                  e.problem().map(p -> ", then " + of(p)).orElse(""));
      case QueueEvent.TargetMoved e ->
          "target branch moved to %s%s"
              .formatted(
                  e.to(), e.touched().map(t -> t.all() ? " (ALL)" : " " + t.names()).orElse(""));
      case QueueEvent.TargetBranchSeen e ->
          e.there() ? "target branch is there" : "target branch is missing";
      case QueueEvent.SettingsChanged e -> "settings: " + of(e.settings());
      case QueueEvent.LifecycleRequested e -> "ask for " + e.lifecycle();
      case QueueEvent.ConnectionChanged e ->
          e.connection().connected() ? "forge connected" : "forge disconnected";
      case QueueEvent.Stalled e -> "stalled: " + e.stall().sentence();
      case QueueEvent.TimePassed() -> "time passed";
    };
  }

  public static String of(QueueSettings s) {
    var words = new ArrayList<String>();
    words.add(s.isParallel() ? "parallel mode" : "single mode");
    words.add(s.concurrency() + " slots");
    words.add(s.bisectionSlots() + " for bisection");
    words.add(s.testingTimeoutMinutes() + " min timeout");
    words.add(s.requiredStatuses().map(List::toString).orElse("the forge's statuses"));
    if (s.batch()) {
      words.add(
          "batches of %d within %d min"
              .formatted(s.batchingMinSize(), s.batchingMaxWaitTimeMinutes()));
    }
    if (s.batchSizing() == Sizing.AUTO) {
      words.add("sizes batches");
    }
    if (s.timeoutSizing() == Sizing.AUTO) {
      words.add("sizes timeouts");
    }
    if (s.pendingFailureDepth() > 0) {
      words.add("failure depth " + s.pendingFailureDepth());
    }
    if (s.canOptimisticallyMerge()) {
      words.add("optimistic");
    }
    if (s.hermeticTests()) {
      words.add("hermetic");
    }
    if (s.speculationBudget() > 0) {
      words.add("budget " + s.speculationBudget());
    }
    if (s.flakeRetries() != 1) {
      words.add(s.flakeRetries() + " flake retries");
    }
    if (s.directMergeMode() == DirectMergeMode.ALWAYS) {
      words.add("direct merge");
    }
    if (s.skipsRedundantTests()) {
      words.add("skips redundant tests");
    }
    return String.join(", ", words);
  }

  /** Deeds that nobody tells the queue of; the rest shows as an event. */
  public static Optional<String> of(Deed deed) {
    return switch (deed) {
      case Deed.Push d -> Optional.of("push to #" + d.pr());
      case Deed.SetDraft d ->
          Optional.of("#%d is %s".formatted(d.pr(), d.draft() ? "a draft" : "no draft"));
      case Deed.SetOpen d ->
          Optional.of("#%d is %s".formatted(d.pr(), d.open() ? "reopened" : "closed"));
      case Deed.ChangeBase d ->
          Optional.of("#%d is for %s branch".formatted(d.pr(), d.toOurs() ? "our" : "another"));
      case Deed.PushToTarget d -> Optional.of("push %d to the target branch".formatted(d.number()));
      case Deed.MergeByHand d -> Optional.of("merge #%d by hand".formatted(d.pr()));
      case Deed.ReplayActions d ->
          Optional.of("the last %d actions are done again".formatted(d.count()));
      case Deed.ReplayEvents d ->
          Optional.of("the last %d events are told again".formatted(d.count()));
      case Deed.Submit d -> Optional.empty();
      case Deed.Cancel d -> Optional.empty();
      case Deed.Restart d -> Optional.empty();
      case Deed.TellTargets d -> Optional.empty();
      case Deed.Ask d -> Optional.empty();
      case Deed.Configure d -> Optional.empty();
      case Deed.Connect d -> Optional.empty();
    };
  }

  public static String of(PullRequestSnapshot s) {
    return "%s, %s%s%s"
        .formatted(
            s.head(),
            s.mergeability(),
            s.status() == Status.OPEN ? "" : ", " + s.status(),
            s.baseBranch().equals(FakeForge.BRANCH) ? "" : ", for another branch");
  }

  private static String of(LandingProblem problem) {
    return switch (problem) {
      case LandingProblem.HeadMoved p -> p.pr() + " has another head";
      case LandingProblem.TargetMoved p -> "the target branch is at " + p.head();
      case LandingProblem.Conflicted p -> p.pr() + " conflicts";
      case LandingProblem.TreeDiffered() -> "the tree differs";
      case LandingProblem.Untested p -> "made otherwise by the forge";
      case LandingProblem.Refused p -> p.pr() + " is refused";
      case LandingProblem.ForgeUnavailable p -> "the forge is away";
    };
  }

  public static String of(QueueAction action) {
    return switch (action) {
      case QueueAction.StartRun a ->
          "%s (%s): test %s on %s%s"
              .formatted(
                  a.run(),
                  a.kind(),
                  prs(a.tested()),
                  a.base(),
                  a.standsOn().isEmpty() ? "" : " + " + prs(a.standsOn()));
      case QueueAction.CancelRun a -> a.run() + ": cancel";
      case QueueAction.Land a ->
          "%s: merge %s onto %s%s"
              .formatted(
                  a.landing(),
                  prs(a.changes()),
                  a.onto(),
                  a.tested()
                      .map(t -> " as " + t + (a.exactTree() ? "" : ", inexact"))
                      .orElse(" directly"));
      case QueueAction.TakeSnapshot a -> "look at " + a.pr();
      case QueueAction.WakeAt a -> "wake at " + Trace.clock(a.at()).strip();
    };
  }

  public static String of(Transition t) {
    return "%s %s -> %s (%s)"
        .formatted(
            t.pr(), t.from().map(Enum::name).orElse("new"), t.to(), t.reason().code().code());
  }

  public static String prs(List<Change> changes) {
    return changes.stream().map(c -> Patch.of(c).toString()).collect(Collectors.joining("+"));
  }
}
