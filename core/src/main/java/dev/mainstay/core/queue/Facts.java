package dev.mainstay.core.queue;

import java.time.Instant;

/** Writes down what happened, and decides nothing. What is stale or unknown changes nothing. */
final class Facts {
  private Facts() {}

  static Step record(QueueEvent event, QueueState before, Instant now) {
    var draft = new Draft(before, now);
    switch (event) {
      case QueueEvent.Submitted e -> Submissions.submitted(draft, e);
      case QueueEvent.Cancelled e -> Submissions.cancelled(draft, e);
      case QueueEvent.SnapshotTaken e -> Submissions.seen(draft, e.pr(), e.snapshot());
      case QueueEvent.ImpactedTargetsSet e ->
          Submissions.targetsSet(draft, e.pr(), new HeadTargets(e.head(), e.targets()));
      case QueueEvent.RestartRequested e -> RunReports.restarted(draft, before.groupOf(e.pr()));
      case QueueEvent.TestBranchBuilt e -> RunReports.built(draft, before.groupOf(e.run()), e);
      case QueueEvent.TestBranchConflicted e ->
          RunReports.conflicted(draft, before.groupOf(e.run()), e);
      case QueueEvent.TestBranchNotBuilt e ->
          RunReports.notBuilt(draft, before.groupOf(e.run()), e.sentence());
      case QueueEvent.StatusReported e -> RunReports.told(draft, before.groupOf(e.run()), e);
      case QueueEvent.CiNeverStarted e -> RunReports.neverStarted(draft, before.groupOf(e.run()));
      case QueueEvent.LandingEnded e -> LandingReports.ended(draft, e);
      case QueueEvent.TargetMoved e -> TargetMoves.told(draft, e);
      case QueueEvent.SettingsChanged e -> Modes.settingsChanged(draft, before, e.settings());
      case QueueEvent.LifecycleRequested e -> Modes.requested(draft, e.lifecycle());
      case QueueEvent.ConnectionChanged e -> Submissions.connected(draft, before, e.connection());
      case QueueEvent.TimePassed() -> {}
    }
    return draft.done();
  }
}
