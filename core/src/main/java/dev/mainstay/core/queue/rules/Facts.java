package dev.mainstay.core.queue.rules;

import dev.mainstay.core.queue.HeadTargets;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.RunResults;
import dev.mainstay.core.queue.Step;
import java.time.Instant;

/** Writes down what happened, and decides nothing. What is stale or unknown changes nothing. */
final class Facts {
  private Facts() {}

  static Step record(QueueEvent event, QueueState before, Instant now) {
    var next = new NextState(before, now);
    switch (event) {
      case QueueEvent.Submitted e -> Submissions.submitted(next, e);
      case QueueEvent.Cancelled e -> Submissions.cancelled(next, e);
      case QueueEvent.SnapshotTaken e -> Submissions.seen(next, e.pr(), e.snapshot());
      case QueueEvent.ImpactedTargetsSet e ->
          Submissions.targetsSet(next, e.pr(), new HeadTargets(e.head(), e.targets()));
      case QueueEvent.RestartRequested e -> RunReports.restarted(next, before.groupOf(e.pr()));
      case QueueEvent.TestBranchBuilt e -> RunReports.built(next, before, e);
      case QueueEvent.TestBranchConflicted e -> RunReports.conflicted(next, before, e);
      case QueueEvent.TestBranchNotBuilt e ->
          RunReports.notBuilt(next, before, e.run(), e.sentence());
      case QueueEvent.StatusReported e -> RunReports.told(next, before, e);
      case QueueEvent.TestsFailed e ->
          RunReports.resultsCame(next, before, e.run(), RunResults.of(e.failed(), e.tests()));
      case QueueEvent.ResultsExpected e -> RunReports.expected(next, before, e.run(), e.until());
      case QueueEvent.CiNeverStarted e -> RunReports.neverStarted(next, before, e.run());
      case QueueEvent.LandingEnded e -> LandingReports.ended(next, e);
      case QueueEvent.TargetMoved e -> TargetMoves.told(next, e);
      case QueueEvent.TargetBranchSeen e -> next.target = next.target.seen(e.there());
      case QueueEvent.SettingsChanged e -> Modes.settingsChanged(next, before, e.settings());
      case QueueEvent.LifecycleRequested e -> Modes.requested(next, e.lifecycle());
      case QueueEvent.ConnectionChanged e -> Submissions.connected(next, before, e.connection());
      case QueueEvent.Stalled(var stall) -> Stalls.seen(next, before, stall);
      case QueueEvent.TimePassed() -> {}
    }
    return next.done();
  }
}
