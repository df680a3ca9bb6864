package dev.mainstay.core.simulation.check.invariant;

/** An invariant: true of every queue, whatever happens to it. */
public enum Invariant {
  ANSWERS("Every event gets an answer."),
  SAME_AGAIN("The same event in the same state gives the same step."),
  HARMLESS_TWICE("What is told twice changes nothing the second time."),
  PLANNED_TO_THE_END("Nothing is left undone that could be done at once."),
  REASONS("Every transition has a reason."),
  TRANSITIONS("Transitions lead from where a pull request is to where it may go."),
  NOTHING_AFTER_THE_END("Nothing moves after its end."),
  ONE_ENTRY("A pull request is in the queue once, and only when submitted."),
  BUDGET("No group has more runs beside its own in progress than the budget allows."),
  SLOTS("No more runs are in progress than there are slots."),
  RUNS_AS_ASKED("A run is asked for as it stands in the queue, on the head of the target branch."),
  STANDS_ON_ALL_AHEAD("A run contains exactly what is ahead of it and meets its targets."),
  MERGES_ONLY_TESTED("What lands is what was tested."),
  AS_TESTED("What lands just as it was tested is asked for as the tested tree."),
  MERGES_ONCE("Nothing merges twice."),
  IN_ORDER("Nothing lands before what it was tested on."),
  OVERTAKING(
      "Nobody merges before one it stands on without having passed with it and without it; that one"
          + " is proven then."),
  GIVES_UP("Without a budget nobody is tested on top of one that failed."),
  LINE_FIRST("Without a budget nobody who waits gets a slot that one behind a failure needs."),
  NOT_WHILE_PAUSED("A paused queue starts nothing, merges nothing and keeps its order."),
  NOBODY_ENTERS("Only a running queue lets pull requests in, and only those that are ready."),
  MODES("The mode changes when nobody who was let in is left, then at once, and never before."),
  BATCHES("A batch is as large and waits as long as asked, and holds only what belongs together."),
  OTHERS_GO_ON("Only those are tested again who stood on what left; only urgent interrupts."),
  URGENT_AT_ONCE("Urgent is tested at once."),
  PRIORITIES("Who has the better priority, or came first, starts first."),
  SLOTS_ARE_USED("No slot stays free while somebody could use it."),
  LANES_ARE_APART("A lane never waits for a disjoint one."),
  RESTARTS_IN_PLACE("A restart tests anew, moves nobody and retests nobody else."),
  KNOWN_FLAKES(
      "Nobody is blamed for known flakes while retries are left, nor before results came."),
  RETRIES("Only known flakes are tried again, and no more often than asked."),
  BROKEN_TARGET("Nobody is blamed for what the target branch fails in, too."),
  GOES_ON("Once the target branch passes by itself, the queue goes on as people asked."),
  PATIENCE("Who failed waits for all it stands on, and for those behind as deep as asked."),
  TIMEOUTS("No run is in progress for longer than allowed."),
  RETESTS("Who stood on a leaver, or on a target branch that moved on, is retested."),
  LEAVES_WHEN_TOLD("Who was cancelled, closed or pushed to leaves at once, unless it is merging."),
  STAYS_WHEN_TOLD("Who is submitted again after a cancel is not cancelled."),
  LATEST_WORD("What the forge showed last is believed, in whatever order it arrives."),
  OWN_REASONS("Nobody wears another's reason."),
  CONFLICTS_HOLD_NOBODY_UP("Nobody stands on one that is in conflict with those ahead."),
  ALREADY_THERE("Who is on the target branch already is merged at once, and nobody else so."),
  JUST_VERDICTS("Nobody is rejected for what is not its fault."),
  MAIN_IS_GREEN("No broken change merges."),
  EVERY_WAIT_ENDS("In a quiet world every wait ends."),
  COMES_TO_REST("In a quiet world the queue comes to rest."),
  ENDS_ONCE("Every submission ends exactly once."),
  NOTHING_LEFT_BEHIND("No test branch, landing or wish to be woken is left behind.");

  private final String sentence;

  Invariant(String sentence) {
    this.sentence = sentence;
  }

  public String sentence() {
    return sentence;
  }
}
