package dev.mainstay.server;

import com.github.benmanes.caffeine.cache.Cache;
import dev.mainstay.core.code.RepoName;
import dev.mainstay.server.health.judge.StatusChangeStore;
import dev.mainstay.server.health.result.FeedStore;
import dev.mainstay.server.platform.Caches;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.queue.store.QueueStore;
import dev.mainstay.server.repository.RepositoryStore;
import dev.mainstay.server.web.page.Pulse;
import dev.mainstay.server.web.page.Repo;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/**
 * The pulse of repositories: their queues, their uploads, and the statuses of their tests; and of
 * organizations: their queues.
 */
final class RepositoryPulse implements Pulse {
  private static final int MOST_IDS = 10_000;

  private final Database database;
  private final Cache<Topic, Long> ids = Caches.ofAtMost(MOST_IDS);

  RepositoryPulse(Database database) {
    this.database = database;
  }

  @Override
  public Map<Topic, String> beats(Set<Topic> topics) {
    return database.query(handle -> beats(handle, topics));
  }

  private Map<Topic, String> beats(Handle handle, Set<Topic> topics) {
    var beats = new HashMap<Topic, String>();
    var known = new HashMap<Topic, Long>();
    for (Topic topic : topics) {
      if (topic.repo().isEmpty()) {
        beats.put(topic, "" + QueueStore.version(handle, topic.organizationId()));
      } else {
        id(handle, topic.organizationId(), topic.repo().get())
            .ifPresent(id -> known.put(topic, id));
      }
    }
    if (known.isEmpty()) {
      return beats;
    }
    Map<Long, Long> queues = QueueStore.versions(handle, known.values());
    Map<Long, Long> uploads = FeedStore.stamps(handle, known.values());
    Map<Long, Long> changes = StatusChangeStore.newest(handle, known.values());
    known.forEach(
        (topic, id) ->
            beats.put(
                topic,
                "%d.%d.%d"
                    .formatted(
                        queues.getOrDefault(id, 0L),
                        uploads.getOrDefault(id, 0L),
                        changes.getOrDefault(id, 0L))));
    return beats;
  }

  /** Repositories are never deleted, so that an id stays good. */
  private Optional<Long> id(Handle handle, long organizationId, Repo repo) {
    var topic = new Topic(organizationId, Optional.of(repo));
    Long kept = ids.getIfPresent(topic);
    if (kept != null) {
      return Optional.of(kept);
    }
    Optional<Long> found =
        name(repo)
            .flatMap(name -> RepositoryStore.find(handle, organizationId, name))
            .map(repository -> repository.id());
    found.ifPresent(id -> ids.put(topic, id));
    return found;
  }

  /** Empty where an address names what can be no repository. */
  static Optional<RepoName> name(Repo repo) {
    try {
      return Optional.of(new RepoName(repo.host(), repo.owner(), repo.name()));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
