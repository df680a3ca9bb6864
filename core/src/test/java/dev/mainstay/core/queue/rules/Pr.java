package dev.mainstay.core.queue.rules;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.Priority;
import java.util.List;
import java.util.Optional;

/** A pull request in a scenario: a letter, and how it is submitted. */
record Pr(
    String name,
    int number,
    Priority priority,
    boolean noBatch,
    Optional<ImpactedTargets> targets) {
  static final Pr A = named("A");
  static final Pr B = named("B");
  static final Pr C = named("C");
  static final Pr D = named("D");
  static final Pr E = named("E");
  static final Pr F = named("F");
  static final Pr G = named("G");
  static final Pr H = named("H");
  static final Pr U = named("U");

  static Pr named(String letter) {
    return new Pr(letter, letter.charAt(0) - '@', Priority.DEFAULT, false, Optional.empty());
  }

  static String nameOf(PullRequestRef ref) {
    return String.valueOf((char) ('@' + ref.number()));
  }

  PullRequestRef ref() {
    return new PullRequestRef(number);
  }

  Pr with(Priority wanted) {
    return new Pr(name, number, wanted, noBatch, targets);
  }

  Pr urgent() {
    return with(Priority.URGENT);
  }

  Pr high() {
    return with(Priority.HIGH);
  }

  Pr low() {
    return with(Priority.LOW);
  }

  Pr alone() {
    return new Pr(name, number, priority, true, targets);
  }

  Pr touching(String... names) {
    return touching(ImpactedTargets.of(List.of(names)));
  }

  Pr touching(ImpactedTargets touched) {
    return new Pr(name, number, priority, noBatch, Optional.of(touched));
  }

  Outcome passes() {
    return new Outcome(this, CheckState.SUCCESS);
  }

  Outcome fails() {
    return new Outcome(this, CheckState.FAILURE);
  }

  /** The end of a pull request's tests. */
  record Outcome(Pr pr, CheckState state) {}
}
