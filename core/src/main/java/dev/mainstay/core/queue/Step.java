package dev.mainstay.core.queue;

import java.util.List;

/** What one event led to: the next state, what is to be done, and who changed state and why. */
public record Step(QueueState after, List<QueueAction> actions, List<Transition> transitions) {
  public Step {
    actions = List.copyOf(actions);
    transitions = List.copyOf(transitions);
  }
}
