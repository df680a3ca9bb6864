package dev.mainstay.server.queue;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toMap;

import com.github.benmanes.caffeine.cache.Cache;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.connection.Forges;
import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.platform.Caches;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.Together;
import dev.mainstay.server.queue.store.HeadStore;
import dev.mainstay.server.queue.store.OpenQueue;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at pull requests that somebody wants in a queue: as the forge shows them now, and what was
 * told of their heads. Those of one repository that come at the same moment share the questions,
 * where the forge can look at several at once.
 */
final class Arrivals {
  private static final Logger log = LoggerFactory.getLogger("queue");
  private static final int MOST_REPOSITORIES = 1_000;

  private final Database database;
  private final Forges forges;
  private final Together<HeadStore.Head, HeadStore.Told> heads;
  private final Cache<Long, Together<Arrival, Look>> byRepository =
      Caches.ofAtMost(MOST_REPOSITORIES);

  private record Arrival(long queueId, String branch, PullRequestRef pr) {
    HeadStore.Head head(Forge.PullRequestView view) {
      return new HeadStore.Head(queueId, pr, view.head());
    }
  }

  /** The outcome of a look together with others. */
  sealed interface Look {}

  /** To be looked at without others. */
  private record Alone(Forges.Connected connected) implements Look {}

  /**
   * A pull request as the forge shows it, with what was told of its head; no view where there is
   * none of this number, or where the forge did not answer.
   */
  record Seen(boolean answered, Optional<Forge.PullRequestView> view, Optional<HeadStore.Told> told)
      implements Look {
    static final Seen NOTHING = new Seen(false, Optional.empty(), Optional.empty());

    boolean isMissing() {
      return answered && view.isEmpty();
    }
  }

  Arrivals(Database database, Forges forges) {
    this.database = database;
    this.forges = forges;
    heads = new Together<>(some -> database.query(handle -> HeadStore.find(handle, some)));
  }

  Seen look(OpenQueue queue, PullRequestRef pr) {
    var arrival = new Arrival(queue.id(), queue.state().target().branch(), pr);
    Look look =
        byRepository
            .get(queue.repositoryId(), id -> new Together<>(some -> look(id, some)))
            .find(arrival)
            .orElseThrow();
    return switch (look) {
      case Seen seen -> seen;
      case Alone(Forges.Connected connected) -> look(connected.forge(), arrival);
    };
  }

  /** What was told of a head. */
  Optional<HeadStore.Told> told(HeadStore.Head head) {
    return heads.find(head);
  }

  private Map<Arrival, Look> look(long repositoryId, Set<Arrival> some) {
    Optional<Forges.Connected> connected = forges.of(repositoryId);
    if (connected.isEmpty()) {
      return all(some, Seen.NOTHING);
    }
    Optional<Map<Arrival, Forge.PullRequestView>> views;
    try {
      views = together(connected.get().forge(), some);
    } catch (ForgeUnavailable | CredentialsRefused e) {
      some.forEach(arrival -> logUnseen(arrival, e));
      return all(some, Seen.NOTHING);
    } catch (RuntimeException e) {
      log.debug("{} arrivals are looked at one by one", some.size(), e);
      views = Optional.empty();
    }
    return views
        .map(shown -> withWhatWasTold(some, shown))
        .orElseGet(() -> all(some, new Alone(connected.get())));
  }

  private static Map<Arrival, Look> all(Set<Arrival> some, Look look) {
    return some.stream().collect(toMap(arrival -> arrival, arrival -> look));
  }

  private static void logUnseen(Arrival arrival, RuntimeException why) {
    log.info("{} is submitted and not looked at yet: {}", arrival.pr(), why.getMessage());
  }

  /** Empty where the forge looks at each on its own. */
  private static Optional<Map<Arrival, Forge.PullRequestView>> together(
      Forge forge, Set<Arrival> some) {
    Map<String, List<Arrival>> byBranch = some.stream().collect(groupingBy(Arrival::branch));
    var views = new HashMap<Arrival, Forge.PullRequestView>();
    for (var branch : byBranch.entrySet()) {
      Set<PullRequestRef> prs =
          branch.getValue().stream()
              .map(Arrival::pr)
              .collect(Collectors.toCollection(LinkedHashSet::new));
      Optional<Map<PullRequestRef, Forge.PullRequestView>> shown =
          forge.pullRequests(prs, branch.getKey());
      if (shown.isEmpty()) {
        return Optional.empty();
      }
      for (Arrival arrival : branch.getValue()) {
        Optional.ofNullable(shown.get().get(arrival.pr()))
            .ifPresent(view -> views.put(arrival, view));
      }
    }
    return Optional.of(views);
  }

  private Map<Arrival, Look> withWhatWasTold(
      Set<Arrival> some, Map<Arrival, Forge.PullRequestView> views) {
    Set<HeadStore.Head> asked =
        views.entrySet().stream()
            .map(e -> e.getKey().head(e.getValue()))
            .collect(Collectors.toSet());
    Map<HeadStore.Head, HeadStore.Told> told =
        asked.isEmpty() ? Map.of() : database.query(handle -> HeadStore.find(handle, asked));
    var seen = new HashMap<Arrival, Look>();
    for (Arrival arrival : some) {
      Optional<Forge.PullRequestView> view = Optional.ofNullable(views.get(arrival));
      seen.put(arrival, new Seen(true, view, view.map(v -> told.get(arrival.head(v)))));
    }
    return seen;
  }

  private Seen look(Forge forge, Arrival arrival) {
    Optional<Forge.PullRequestView> view;
    try {
      view = forge.pullRequest(arrival.pr(), arrival.branch());
    } catch (ForgeUnavailable | CredentialsRefused e) {
      logUnseen(arrival, e);
      return Seen.NOTHING;
    }
    return new Seen(true, view, view.flatMap(v -> told(arrival.head(v))));
  }
}
