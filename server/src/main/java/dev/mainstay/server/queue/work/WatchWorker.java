package dev.mainstay.server.queue.work;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.server.connection.ConnectionStore;
import dev.mainstay.server.connection.Forges;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.node.Presence;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.queue.run.QueueRunner;
import dev.mainstay.server.queue.store.LeftBranchStore;
import dev.mainstay.server.queue.store.OpenQueue;
import dev.mainstay.server.queue.store.QueueStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at connected repositories every so often, at once when a hook says so, and tells their
 * queues what moved. The worker remembers nothing: news is what a queue does not know yet. Test
 * branches that nobody needs are deleted, and a CODEOWNERS file that may be new is told.
 */
public final class WatchWorker {
  private static final Logger log = LoggerFactory.getLogger("queue");
  private static final Duration LEASE = Duration.ofMinutes(2);
  private static final Duration AFTER_FAULT = Duration.ofSeconds(15);
  private static final Duration SURELY_GONE = Duration.ofHours(1);
  private static final int MOST_AT_ONCE = 16;

  private final Database database;
  private final Clock clock;
  private final Presence presence;
  private final Duration every;
  private final QueueRunner runner;
  private final Forges forges;
  private final BiConsumer<Long, Optional<byte[]>> onOwners;
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

  public WatchWorker(
      Database database,
      Clock clock,
      Presence presence,
      Duration every,
      QueueRunner runner,
      Forges forges,
      BiConsumer<Long, Optional<byte[]>> onOwners) {
    this.database = database;
    this.clock = clock;
    this.presence = presence;
    this.every = every;
    this.runner = runner;
    this.forges = forges;
    this.onOwners = onOwners;
  }

  /** Looks at the repositories that are due, each in a thread of its own. */
  public List<Thread> round() {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    List<ConnectionStore.Row> due = presence.node().map(node -> take(node, now)).orElse(List.of());
    List<Thread> begun =
        due.stream()
            .map(
                how ->
                    Thread.ofVirtual()
                        .name("watch-" + how.repositoryId())
                        .unstarted(() -> look(how, now.plus(LEASE))))
            .toList();
    threads.addAll(begun);
    begun.forEach(Thread::start);
    return begun;
  }

  private List<ConnectionStore.Row> take(int node, Instant now) {
    return database.inTransaction(
        handle -> ConnectionStore.take(handle, node, now, LEASE, MOST_AT_ONCE));
  }

  /** The threads that look at a repository now. */
  public Set<Thread> threads() {
    return threads;
  }

  private void look(ConnectionStore.Row how, Instant leased) {
    Optional<String> fault = Optional.empty();
    try {
      look(how);
    } catch (ForgeUnavailable e) {
      fault = Optional.of(String.valueOf(e.getMessage()).replace('\0', ' '));
      if (!fault.equals(how.fault())) {
        log.warn("repository {}: {}", how.repositoryId(), e.getMessage());
      }
    } catch (RuntimeException e) {
      fault = Optional.of("internal error");
      log.error("looking at repository {} failed", how.repositoryId(), e);
    }
    Instant now = clock.instant();
    Instant next = now.plus(fault.isPresent() ? AFTER_FAULT : every);
    Optional<String> wrong = fault;
    database.useTransaction(
        handle -> ConnectionStore.looked(handle, how.repositoryId(), leased, next, now, wrong));
  }

  private void look(ConnectionStore.Row how) {
    List<OpenQueue> queues = queues(how.repositoryId());
    Forge forge = forges.forge(how);
    Instant asOf = clock.instant();
    Forge.Heads heads = forge.heads();
    for (OpenQueue queue : queues) {
      new Watch(queue, how, forge, clock)
          .news(heads, asOf)
          .forEach(r -> runner.accept(queue.id(), r));
    }
    sweep(how.repositoryId(), forge, heads.branches().keySet());
    OwnersFile.commit(queues, heads)
        .filter(commit -> !how.ownersAt().equals(Optional.of(commit.value())))
        .ifPresent(commit -> readOwners(how, forge, commit));
  }

  private void readOwners(ConnectionStore.Row how, Forge forge, CommitSha commit) {
    onOwners.accept(how.repositoryId(), OwnersFile.read(forge, commit));
    database.useTransaction(handle -> ConnectionStore.ownersRead(handle, how, commit.value()));
  }

  private List<OpenQueue> queues(long repositoryId) {
    return database.query(handle -> QueueStore.ofRepository(handle, repositoryId)).stream()
        .flatMap(row -> runner.current(row).stream())
        .toList();
  }

  /**
   * Deletes test branches that are surely ours: those of runs that are over and of queues that are
   * gone. A run whose branch is about to be built is in its queue's state by now.
   */
  private void sweep(long repositoryId, Forge forge, Set<String> branches) {
    var candidates = new HashSet<>(branches);
    candidates.removeIf(b -> !b.startsWith("mainstay/"));
    Instant past = clock.instant().minus(SURELY_GONE);
    List<String> left = database.query(handle -> LeftBranchStore.of(handle, repositoryId));
    var unneeded = new ArrayList<String>();
    left.stream().filter(candidates::contains).forEach(unneeded::add);
    for (OpenQueue queue : queues(repositoryId)) {
      String prefix = "mainstay/" + queue.state().target().branch() + "/" + queue.slug() + "-";
      candidates.stream()
          .filter(b -> b.startsWith(prefix))
          .filter(b -> !isWanted(queue, b))
          .forEach(unneeded::add);
    }
    if (!unneeded.isEmpty()) {
      forge.deleteTestBranches(unneeded);
    }
    if (!left.isEmpty()) {
      database.useTransaction(h -> LeftBranchStore.forgetOlder(h, repositoryId, past));
    }
  }

  private static boolean isWanted(OpenQueue queue, String branch) {
    String id = branch.substring(branch.lastIndexOf('/') + 1);
    return queue.runId(id).flatMap(queue.state()::groupOf).isPresent();
  }
}
