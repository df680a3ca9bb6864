package dev.mainstay.core.queue;

import dev.mainstay.core.code.PullRequestRef;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * The step that one event led to: the next state, whose entries were touched (put, changed or taken
 * out), what is to be done, and who changed state and why.
 */
public record Step(
    QueueState after,
    Set<PullRequestRef> touched,
    List<QueueAction> actions,
    List<Transition> transitions) {
  public Step {
    touched = Set.copyOf(touched);
    actions = List.copyOf(actions);
    transitions = List.copyOf(transitions);
  }

  /** Applies the next rule to where this one led. */
  public Step then(Function<QueueState, Step> rule) {
    return then(rule.apply(after));
  }

  /** This one, and then the one that began where it led. */
  public Step then(Step next) {
    return new Step(
        next.after,
        joined(touched, next.touched),
        joined(actions, next.actions),
        joined(transitions, next.transitions));
  }

  /** Some entry was further and waits for a slot again. */
  public boolean fallsBack() {
    return transitions.stream().anyMatch(Transition::fallsBack);
  }

  private static <T> Set<T> joined(Set<T> first, Set<T> second) {
    if (second.isEmpty() || first.isEmpty()) {
      return second.isEmpty() ? first : second;
    }
    var all = new HashSet<>(first);
    all.addAll(second);
    return all;
  }

  private static <T> List<T> joined(List<T> first, List<T> second) {
    if (second.isEmpty()) {
      return first;
    }
    var all = new ArrayList<>(first);
    all.addAll(second);
    return all;
  }
}
