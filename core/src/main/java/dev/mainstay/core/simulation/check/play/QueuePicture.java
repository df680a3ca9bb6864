package dev.mainstay.core.simulation.check.play;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.QueueState;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The queue in one line, as its users see it. */
public final class QueuePicture {
  private QueuePicture() {}

  public static String of(QueueState state) {
    var picture = new StringBuilder(state.target().branch());
    state.line().forEach(g -> picture.append(" <- ").append(group(g, state)));
    if (!state.side().isEmpty()) {
      picture.append(" | bisecting ").append(groups(state.side(), state));
    }
    List<Entry> waiting = state.entries().values().stream().filter(e -> waits(e, state)).toList();
    if (!waiting.isEmpty()) {
      picture.append(" | waiting ");
      picture.append(waiting.stream().map(QueuePicture::entry).collect(Collectors.joining(", ")));
    }
    if (state.landing().isPresent()) {
      picture.append(" | merging");
    }
    if (state.lifecycle() != QueueLifecycle.RUNNING) {
      picture.append(" | ").append(state.lifecycle());
    }
    return picture.toString();
  }

  private static boolean waits(Entry entry, QueueState state) {
    return state.line().stream().noneMatch(g -> g.holds(entry.pr()))
        && state.side().stream().noneMatch(g -> g.holds(entry.pr()));
  }

  private static String groups(List<Group> groups, QueueState state) {
    return groups.stream().map(g -> group(g, state)).collect(Collectors.joining(", "));
  }

  private static String group(Group group, QueueState state) {
    String prs =
        group.members().stream()
            .map(m -> m.pr() + urgency(m.pr(), state))
            .collect(Collectors.joining("+"));
    var states =
        group.members().stream()
            .flatMap(m -> state.entry(m.pr()).stream())
            .map(e -> word(e.state()))
            .distinct()
            .collect(Collectors.joining("/"));
    String stands = state.settings().isParallel() ? on(group, state) : "";
    return prs + " (" + states + stands + ")";
  }

  private static String on(Group group, QueueState state) {
    String below =
        state.line().stream()
            .filter(g -> group.standsOn().contains(g.id()))
            .flatMap(g -> g.members().stream())
            .map(m -> m.pr().toString())
            .collect(Collectors.joining("+"));
    return below.isEmpty() ? "" : " on " + below;
  }

  private static String urgency(PullRequestRef pr, QueueState state) {
    return state.entry(pr).filter(e -> e.priority().isUrgent()).isPresent() ? "!" : "";
  }

  private static String entry(Entry entry) {
    String why = entry.is(PullRequestState.NOT_READY) ? ": " + entry.reason().code().code() : "";
    return "%s@%d (%s%s)".formatted(entry.pr(), entry.priority().value(), word(entry.state()), why);
  }

  private static String word(PullRequestState state) {
    return state.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
