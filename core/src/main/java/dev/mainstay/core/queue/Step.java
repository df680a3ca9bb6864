package dev.mainstay.core.queue;

import dev.mainstay.core.code.PullRequestRef;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The step that one event led to: the next state, the open entries that are new or differ in it,
 * the entries that ended, in their end state, what is to be done, and who changed state and why.
 */
public record Step(
    QueueState after,
    Map<PullRequestRef, Entry> changed,
    List<Entry> ended,
    List<QueueAction> actions,
    List<Transition> transitions) {
  public Step {
    changed = Map.copyOf(changed);
    ended = List.copyOf(ended);
    actions = List.copyOf(actions);
    transitions = List.copyOf(transitions);
  }

  /** Nothing happens, and nobody changes. */
  public static Step nothing(QueueState state) {
    return new Step(state, Map.of(), List.of(), List.of(), List.of());
  }

  /** The very same one: equal states may differ in who was looked at. */
  @SuppressWarnings("ReferenceEquality")
  private boolean leavesAsIs(QueueState before) {
    return after == before
        && changed.isEmpty()
        && ended.isEmpty()
        && actions.isEmpty()
        && transitions.isEmpty();
  }

  /** Applies the next rule to where this one led. */
  public Step then(Function<QueueState, Step> rule) {
    return then(rule.apply(after));
  }

  /** This one, and then the one that began where it led. */
  public Step then(Step next) {
    if (next.leavesAsIs(after)) {
      return this;
    }
    return new Step(
        next.after,
        changedBy(next),
        joined(ended, next.ended),
        joined(actions, next.actions),
        joined(transitions, next.transitions));
  }

  private Map<PullRequestRef, Entry> changedBy(Step next) {
    if (changed.isEmpty() || (next.changed.isEmpty() && next.ended.isEmpty())) {
      return changed.isEmpty() ? next.changed : changed;
    }
    var all = new LinkedHashMap<>(changed);
    next.ended.forEach(e -> all.remove(e.pr()));
    all.putAll(next.changed);
    return all;
  }

  /** Some entry was further and waits for a slot again. */
  public boolean fallsBack() {
    return !transitions.isEmpty() && transitions.stream().anyMatch(Transition::fallsBack);
  }

  /** Runs that it both starts and cancels are not asked for at all. */
  public Step withoutVainRuns() {
    if (actions.size() < 2) {
      return this;
    }
    Set<RunId> started = new HashSet<>();
    Set<RunId> vain = new HashSet<>();
    for (QueueAction action : actions) {
      if (action instanceof QueueAction.StartRun start) {
        started.add(start.run());
      } else if (action instanceof QueueAction.CancelRun cancel && started.contains(cancel.run())) {
        vain.add(cancel.run());
      }
    }
    if (vain.isEmpty()) {
      return this;
    }
    List<QueueAction> asked = actions.stream().filter(a -> !isOf(a, vain)).toList();
    return new Step(after, changed, ended, asked, transitions);
  }

  private static boolean isOf(QueueAction action, Set<RunId> runs) {
    return switch (action) {
      case QueueAction.StartRun start -> runs.contains(start.run());
      case QueueAction.CancelRun cancel -> runs.contains(cancel.run());
      default -> false;
    };
  }

  private static <T> List<T> joined(List<T> first, List<T> second) {
    if (second.isEmpty() || first.isEmpty()) {
      return second.isEmpty() ? first : second;
    }
    var all = new ArrayList<>(first);
    all.addAll(second);
    return all;
  }
}
