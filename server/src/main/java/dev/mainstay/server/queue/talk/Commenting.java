package dev.mainstay.server.queue.talk;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.server.forge.Abilities.Ability;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.queue.History;
import dev.mainstay.server.queue.PullRequestView;
import dev.mainstay.server.queue.Views;
import dev.mainstay.server.queue.store.CommentStore;
import dev.mainstay.server.queue.store.OpenQueue;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps our one comment on each pull request true: another state, reason or answer is written at
 * once, another place after a while. What is owed is in the database, so that the end is told after
 * a crash too; what is no longer true is never told.
 */
final class Commenting {
  private static final Duration BETWEEN_PLACES = Duration.ofMinutes(2);
  private static final int MOST_AT_ONCE = 20;

  private final Database database;
  private final Clock clock;
  private final History history;
  private final Standings standings;

  Commenting(Database database, Clock clock, History history, Standings standings) {
    this.database = database;
    this.clock = clock;
    this.history = history;
    this.standings = standings;
  }

  /** A pull request in the queue that tells of it. */
  private record Told(OpenQueue queue, PullRequestView pullRequest) {
    boolean isAtHome() {
      return pullRequest.baseBranch().equals(Optional.of(queue.state().target().branch()));
    }
  }

  /** Says when there is more to say; empty where all was said. */
  Optional<Instant> say(Place place) {
    if (!place.has(Ability.COMMENTS)) {
      return Optional.empty();
    }
    Map<PullRequestRef, Told> open = open(place);
    Instant now = clock.instant();
    Map<PullRequestRef, CommentStore.Row> rows =
        database.inTransaction(
            handle -> {
              CommentStore.promise(handle, place.repositoryId(), open.keySet(), now);
              return CommentStore.of(handle, place.repositoryId());
            });
    int written = 0;
    Optional<Instant> later = Optional.empty();
    for (var row : rows.entrySet()) {
      if (written == MOST_AT_ONCE) {
        return Optional.of(now);
      }
      Optional<Told> told =
          Optional.ofNullable(open.get(row.getKey())).or(() -> ended(place, row.getKey()));
      Optional<Instant> wait = wait(place, row.getKey(), row.getValue(), told);
      if (wait.isEmpty()) {
        written++;
      }
      later = earlier(later, wait.filter(time -> time.isBefore(Instant.MAX)));
    }
    return later;
  }

  private static Optional<Instant> earlier(Optional<Instant> one, Optional<Instant> other) {
    return one.isPresent() && other.filter(o -> o.isBefore(one.get())).isEmpty() ? one : other;
  }

  /** Writes what is due, and answers nothing; or how long that waits, for ever where it is said. */
  private Optional<Instant> wait(
      Place place, PullRequestRef pr, CommentStore.Row row, Optional<Told> told) {
    if (told.isEmpty() && (row.answer().isEmpty() || !place.any(QueueSettings::commentsEnabled))) {
      forget(place, pr);
      return Optional.of(Instant.MAX);
    }
    String gist = gist(told, row.answer());
    boolean over = told.filter(t -> t.pullRequest().open()).isEmpty();
    Instant again = row.shownAt().plus(BETWEEN_PLACES);
    if (gist.equals(row.gist()) && !over && again.isAfter(clock.instant())) {
      return Optional.of(again);
    }
    String text = text(place, told, row.answer());
    if (!text.equals(row.text())) {
      Unheard.unless(place, pr, () -> place.host().comment(pr, text));
    }
    if (over) {
      forget(place, pr);
    } else {
      var shown = new CommentStore.Row(gist, text, row.answer(), clock.instant());
      database.useTransaction(
          handle -> CommentStore.shown(handle, place.repositoryId(), pr, shown));
    }
    return text.equals(row.text()) ? Optional.of(Instant.MAX) : Optional.empty();
  }

  private void forget(Place place, PullRequestRef pr) {
    database.useTransaction(handle -> CommentStore.delete(handle, place.repositoryId(), pr));
  }

  private static String gist(Optional<Told> told, String answer) {
    return told.map(
                t ->
                    "%s %s %s"
                        .formatted(
                            t.pullRequest().id(),
                            t.pullRequest().state(),
                            t.pullRequest().reason().code().code()))
            .orElse("")
        + "\n"
        + answer;
  }

  private String text(Place place, Optional<Told> told, String answer) {
    QueueSettings settings =
        told.map(t -> t.queue().state().settings())
            .orElseGet(() -> place.queues().getFirst().state().settings());
    return Words.comment(
        told.flatMap(t -> standings.of(t.queue(), t.pullRequest())),
        answer,
        settings.prefixes(),
        settings.commandsEnabled() && place.has(Ability.COMMANDS));
  }

  /** One that is in two queues is told of by that of its own base branch. */
  private static Map<PullRequestRef, Told> open(Place place) {
    var all = new LinkedHashMap<PullRequestRef, Told>();
    for (OpenQueue queue : talking(place)) {
      for (PullRequestView pr : Views.of(queue).pullRequests()) {
        var told = new Told(queue, pr);
        if (pr.sha().isPresent()) {
          all.merge(
              new PullRequestRef(pr.number()), told, (one, other) -> one.isAtHome() ? one : other);
        }
      }
    }
    return all;
  }

  private static List<OpenQueue> talking(Place place) {
    return place.queues().stream()
        .filter(queue -> queue.state().settings().commentsEnabled())
        .toList();
  }

  private Optional<Told> ended(Place place, PullRequestRef pr) {
    var all = new ArrayList<Told>();
    for (OpenQueue queue : talking(place)) {
      history
          .newest(queue, pr)
          .filter(view -> view.sha().isPresent())
          .ifPresent(view -> all.add(new Told(queue, view)));
    }
    return all.stream().max(Comparator.comparing(told -> told.pullRequest().stateChangedAt()));
  }
}
