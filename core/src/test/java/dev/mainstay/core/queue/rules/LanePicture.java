package dev.mainstay.core.queue.rules;

import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.GroupId;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The queue as its users see it: {@code main <- A (testing) <- B+C (pending)}. Lanes that do not
 * meet are shown one after the other, then what is in bisection and what is not ready.
 */
final class LanePicture {
  private LanePicture() {}

  static String of(QueueState state) {
    List<Group> groups = new ArrayList<>(state.line());
    for (Entry entry : state.waiting()) {
      var change = new Change(entry.pr(), entry.admittedHead().orElseThrow());
      groups.add(Group.of(new GroupId(-entry.pr().number()), List.of(change), entry.reason()));
    }
    groups = Lanes.link(groups, state.settings().mode(), state::member);
    var parts = new ArrayList<String>();
    for (List<Group> lane : lanes(groups)) {
      parts.add("main <- " + join(lane, " <- ", state));
    }
    if (parts.isEmpty()) {
      parts.add("main");
    }
    List<Group> side = state.side().stream().filter(g -> !g.testsTarget()).toList();
    if (!side.isEmpty()) {
      parts.add("bisecting " + join(side, ", ", state));
    }
    String notReady =
        state.entries().values().stream()
            .filter(e -> e.is(PullRequestState.NOT_READY))
            .map(e -> Pr.nameOf(e.pr()))
            .collect(Collectors.joining(", "));
    if (!notReady.isEmpty()) {
      parts.add("not ready " + notReady);
    }
    return String.join("; ", parts);
  }

  /** Groups that are connected, in the order of their first one. */
  private static List<List<Group>> lanes(List<Group> groups) {
    var lanes = new ArrayList<List<Group>>();
    var ids = new ArrayList<Set<GroupId>>();
    for (Group group : groups) {
      var lane = new ArrayList<Group>();
      var members = new HashSet<GroupId>();
      for (int i = lanes.size() - 1; i >= 0; i--) {
        if (group.standsOn().stream().anyMatch(ids.get(i)::contains)) {
          lane.addAll(0, lanes.remove(i));
          members.addAll(ids.remove(i));
        }
      }
      lane.add(group);
      members.add(group.id());
      lanes.add(lane);
      ids.add(members);
    }
    return lanes;
  }

  private static String join(List<Group> groups, String separator, QueueState state) {
    return groups.stream().map(g -> show(g, state)).collect(Collectors.joining(separator));
  }

  private static String show(Group group, QueueState state) {
    String names = group.pullRequests().stream().map(Pr::nameOf).collect(Collectors.joining("+"));
    PullRequestState shown = state.member(group.members().getFirst().pr()).state();
    return "%s (%s)".formatted(names, shown.name().toLowerCase(Locale.ROOT).replace('_', ' '));
  }
}
