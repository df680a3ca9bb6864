package dev.mainstay.core.queue.rules;

import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.QueueAction;
import dev.mainstay.core.queue.QueueEvent.StatusReported;
import dev.mainstay.core.queue.QueueEvent.TestBranchBuilt;
import dev.mainstay.core.queue.QueueEvent.TestBranchConflicted;
import dev.mainstay.core.queue.Reason;
import dev.mainstay.core.queue.ReasonCode;
import dev.mainstay.core.queue.Run;
import java.time.Duration;
import java.util.Optional;

/**
 * Facts about a test run. A run that is over or no longer wanted hears nothing more. Where the
 * forge could not build the test branch, it is asked again after a while: its outage fails nobody.
 */
final class RunReports {
  static final Duration REST = Duration.ofMinutes(1);

  private RunReports() {}

  static void built(NextState next, Optional<Group> group, TestBranchBuilt event) {
    unbuilt(group).ifPresent(g -> built(next, g, event));
    group.filter(g -> isNews(g, event)).ifPresent(g -> learn(next, g, event));
  }

  /** CI may have spoken of the test branch before we did: then the rest of the news comes later. */
  private static boolean isNews(Group group, TestBranchBuilt event) {
    return group.run().flatMap(Run::commit).equals(Optional.of(event.commit()))
        && run(group).bringNothing().isEmpty()
        && !event.bringNothing().isEmpty();
  }

  private static void learn(NextState next, Group group, TestBranchBuilt event) {
    next.put(group.with(run(group).bringing(event.bringNothing())));
  }

  private static void built(NextState next, Group group, TestBranchBuilt event) {
    next.moved();
    if (group.aside()) {
      Conflicts.mergesNow(next, group);
    } else {
      next.put(group.with(run(group).built(event.commit(), event.bringNothing(), next.now)));
    }
  }

  static void told(NextState next, Optional<Group> group, StatusReported event) {
    inProgress(group).ifPresent(g -> told(next, g, run(g).told(event.name(), event.state())));
  }

  private static void told(NextState next, Group group, Run run) {
    if (!run.equals(run(group))) {
      next.put(group.with(run));
      next.moved();
    }
  }

  static void neverStarted(NextState next, Optional<Group> group) {
    var why = new Reason(ReasonCode.CI_NEVER_STARTED, "CI never started on the test branch.");
    inProgress(group)
        .filter(g -> !run(g).heard())
        .ifPresent(g -> next.put(g.with(run(g).failed(why))));
  }

  static void notBuilt(NextState next, Optional<Group> group, String sentence) {
    var why = new Reason(ReasonCode.FORGE_UNAVAILABLE, sentence);
    unbuilt(group).ifPresent(g -> rest(next, g, why));
  }

  private static void rest(NextState next, Group group, Reason why) {
    next.retestInPlace(group, why, next.now.plus(REST));
    group.pullRequests().forEach(pr -> next.act(new QueueAction.TakeSnapshot(next.nextId(), pr)));
  }

  static void conflicted(NextState next, Optional<Group> found, TestBranchConflicted event) {
    unbuilt(found).ifPresent(group -> conflicted(next, group, event));
  }

  private static void conflicted(NextState next, Group group, TestBranchConflicted event) {
    boolean first = group.standsOn().isEmpty() && group.context().isEmpty();
    if (event.withTarget() || (first && group.members().getFirst().pr().equals(event.pr()))) {
      next.entry(event.pr())
          .flatMap(e -> e.admittedHead().map(e::conflictingAt))
          .ifPresent(next::put);
      return;
    }
    if (group.half().isEmpty()) {
      Conflicts.found(next, group, event.pr());
      return;
    }
    String sentence = event.pr() + " conflicts with another one of its batch.";
    var why = new Reason(ReasonCode.MERGE_CONFLICT, sentence);
    next.put(group.with(run(group).failed(why)));
  }

  /** In place: no position changes, and nobody else is tested again. */
  static void restarted(NextState next, Optional<Group> group) {
    var why = new Reason(ReasonCode.RESTARTED, "Its tests were restarted.");
    group
        .filter(g -> g.run().isPresent() && !isLanding(next, g))
        .ifPresent(g -> next.retest(g, why, true));
  }

  private static boolean isLanding(NextState next, Group group) {
    return next.landing.filter(l -> l.groups().contains(group.id())).isPresent();
  }

  private static Optional<Group> inProgress(Optional<Group> group) {
    return group.filter(Group::isTesting);
  }

  private static Optional<Group> unbuilt(Optional<Group> group) {
    return group.filter(Group::isUnbuilt);
  }

  private static Run run(Group group) {
    return group.run().orElseThrow();
  }
}
