package dev.mainstay.server.queue.talk;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.server.forge.Abilities.Ability;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.queue.History;
import dev.mainstay.server.queue.PullRequestView;
import dev.mainstay.server.queue.Views;
import dev.mainstay.server.queue.store.OpenQueue;
import dev.mainstay.server.queue.store.StateLabelStore;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Labels that say how a pull request stands: exactly one of ours at a time, and no other label is
 * touched. What was set last is in the database while its pull request is in a queue; one that left
 * keeps its last label.
 */
final class StateLabels {
  private static final int MOST_AT_ONCE = 20;
  private static final Set<String> ALL =
      Arrays.stream(PullRequestState.values())
          .flatMap(state -> Words.label(state).stream())
          .collect(Collectors.toCollection(TreeSet::new));

  private final Database database;
  private final History history;

  StateLabels(Database database, History history) {
    this.database = database;
    this.history = history;
  }

  /** The label that a pull request shall have, and whether it stays in a queue with it. */
  private record Wish(Optional<String> label, boolean open) {
    static final Wish NONE = new Wish(Optional.empty(), false);

    static Wish of(PullRequestView view) {
      return new Wish(Words.label(view.state()), view.open());
    }
  }

  /** True where more is to be shown than is shown at once. */
  boolean show(Place place) {
    if (!place.has(Ability.LABELS)) {
      return false;
    }
    Map<PullRequestRef, String> before =
        database.query(handle -> StateLabelStore.of(handle, place.repositoryId()));
    var wishes = new LinkedHashMap<PullRequestRef, Wish>();
    before.keySet().forEach(pr -> wishes.put(pr, Wish.NONE));
    for (OpenQueue queue : place.queues()) {
      if (queue.state().settings().stateLabelsEnabled()) {
        before.keySet().stream()
            .flatMap(pr -> history.newest(queue, pr).stream())
            .forEach(view -> wish(wishes, view));
        Views.untimed(queue).pullRequests().forEach(view -> wish(wishes, view));
      }
    }
    wishes
        .entrySet()
        .removeIf(
            w ->
                w.getValue().open()
                    && w.getValue().label().equals(Optional.ofNullable(before.get(w.getKey()))));
    wishes.entrySet().stream()
        .limit(MOST_AT_ONCE)
        .forEach(w -> set(place, w.getKey(), w.getValue()));
    return wishes.size() > MOST_AT_ONCE;
  }

  private static void wish(Map<PullRequestRef, Wish> wishes, PullRequestView view) {
    wishes.merge(
        new PullRequestRef(view.number()),
        Wish.of(view),
        (one, other) -> one.open() && !other.open() ? one : other);
  }

  private void set(Place place, PullRequestRef pr, Wish wish) {
    Set<String> set = wish.label().map(Set::of).orElse(Set.of());
    var take = new TreeSet<>(ALL);
    place
        .host()
        .cover(pr)
        .ifPresent(
            cover -> {
              take.retainAll(cover.labels());
              take.removeAll(set);
              Unheard.unless(place, pr, () -> place.host().label(pr, set, take));
            });
    Optional<String> kept = wish.label().filter(any -> wish.open());
    database.useTransaction(handle -> StateLabelStore.save(handle, place.repositoryId(), pr, kept));
  }
}
