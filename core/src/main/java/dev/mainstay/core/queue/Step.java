package dev.mainstay.core.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** What one event led to: the next state, what is to be done, and who changed state and why. */
public record Step(QueueState after, List<QueueAction> actions, List<Transition> transitions) {
  public Step {
    actions = List.copyOf(actions);
    transitions = List.copyOf(transitions);
  }

  /** Applies the next rule to where this one led. */
  Step then(Function<QueueState, Step> rule) {
    Step next = rule.apply(after);
    return new Step(
        next.after, joined(actions, next.actions), joined(transitions, next.transitions));
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
