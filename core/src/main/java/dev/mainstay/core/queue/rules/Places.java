package dev.mainstay.core.queue.rules;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.Entries;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.GroupId;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueSettings.Mode;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Reason;
import dev.mainstay.core.queue.ReasonCode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The places in a queue: where each entry stands, and which ones must be merged before it. What
 * takes longer is found out when somebody asks, perhaps by two at a time, and kept.
 */
public final class Places {
  private final QueueState state;
  private final List<PullRequestRef> grouped;
  private final List<Entry> waiting;
  private volatile Optional<List<Group>> everybody = Optional.empty();
  private volatile Optional<Map<PullRequestRef, Reason>> filling = Optional.empty();

  public Places(QueueState state) {
    this.state = state;
    grouped =
        Stream.concat(state.line().stream(), state.side().stream())
            .flatMap(g -> g.pullRequests().stream())
            .toList();
    waiting = state.waiting();
  }

  /** Everyone in queue order: under test, in bisection, waiting, not ready. */
  public List<Entry> inOrder() {
    Stream<Entry> notReady =
        state.entries().values().stream().filter(e -> e.is(PullRequestState.NOT_READY));
    return Stream.of(grouped.stream().map(state::member), waiting.stream(), notReady)
        .flatMap(s -> s)
        .toList();
  }

  /** The place in the queue, counted from 1; those who are not ready have none. */
  public Optional<Integer> position(PullRequestRef pr) {
    int inGroup = grouped.indexOf(pr);
    if (inGroup >= 0) {
      return Optional.of(1 + inGroup);
    }
    int turn = turn(pr);
    return turn < 0 ? Optional.empty() : Optional.of(1 + grouped.size() + turn);
  }

  /** The number of entries that wait ahead of this one; below 0 where it does not wait. */
  private int turn(PullRequestRef pr) {
    return state.entry(pr).map(e -> Entries.turn(waiting, e)).orElse(-1);
  }

  /**
   * The reason for which an entry is where it is: one that waits may wait for its batch to fill.
   */
  public Reason reason(Entry entry) {
    return entry.is(PullRequestState.PENDING) && entry.reason().code() == ReasonCode.READY
        ? filling().getOrDefault(entry.pr(), entry.reason())
        : entry.reason();
  }

  private Map<PullRequestRef, Reason> filling() {
    Map<PullRequestRef, Reason> known = filling.orElseGet(() -> Filling.reasons(state));
    filling = Optional.of(known);
    return known;
  }

  /**
   * The pull requests of all groups that this one stands on, or would stand on if all started: the
   * nearest so many. Those in bisection and those who are not ready stand on nobody.
   */
  public List<PullRequestRef> waitsFor(PullRequestRef pr, int most) {
    List<PullRequestRef> nearest =
        state.settings().mode() == Mode.SINGLE ? ahead(pr, most) : below(pr, most);
    return List.copyOf(nearest.subList(0, Math.min(most, nearest.size())).reversed());
  }

  /** In single mode that is everybody ahead. The nearest comes first. */
  private List<PullRequestRef> ahead(PullRequestRef pr, int most) {
    var nearest = new ArrayList<PullRequestRef>();
    int turn = turn(pr);
    for (int i = turn - 1; i >= 0 && nearest.size() < most; i--) {
      nearest.add(waiting.get(i).pr());
    }
    boolean reached = turn >= 0;
    for (Group group : state.line().reversed()) {
      if (reached && !group.aside() && nearest.size() < most) {
        nearest.addAll(group.pullRequests().reversed());
      }
      reached |= group.holds(pr);
    }
    return nearest;
  }

  private List<PullRequestRef> below(PullRequestRef pr, int most) {
    var wanted = new HashSet<GroupId>();
    var nearest = new ArrayList<PullRequestRef>();
    for (Group group : everybody().reversed()) {
      if (group.holds(pr)) {
        wanted.addAll(group.standsOn());
      } else if (nearest.size() < most && wanted.remove(group.id())) {
        wanted.addAll(group.standsOn());
        nearest.addAll(group.pullRequests().reversed());
      }
    }
    return nearest;
  }

  /** The line, and behind it everybody who waits, each alone; all know what they stand on. */
  private List<Group> everybody() {
    List<Group> known = everybody.orElseGet(this::linked);
    everybody = Optional.of(known);
    return known;
  }

  private List<Group> linked() {
    var line = new ArrayList<>(state.line());
    for (Entry entry : waiting) {
      var change = new Change(entry.pr(), entry.admittedHead().orElseThrow());
      line.add(Group.of(new GroupId(-entry.pr().number()), List.of(change), entry.reason()));
    }
    return Lanes.link(line, state.settings().mode(), state::member);
  }
}
