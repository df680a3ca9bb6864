package dev.mainstay.server.queue.work;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.server.connection.ConnectionStore;
import dev.mainstay.server.connection.Forges;
import dev.mainstay.server.forge.CredentialsRefused;
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
 * queues what moved: news is what a queue does not know yet. Test branches that nobody needs are
 * deleted, and a CODEOWNERS file that may be new is told. Each forge host is looked at in its
 * {@link Pace}.
 */
public final class WatchWorker {
  private static final Logger log = LoggerFactory.getLogger("queue");
  private static final Duration LEASE = Duration.ofMinutes(2);
  private static final Duration AFTER_FAULT = Duration.ofSeconds(15);

  /** Hosts tell by hooks what moved, and count how often they are asked. */
  static final Duration AT_HOST = Duration.ofSeconds(20);

  private static final Duration AT_HOST_WITHOUT_WORK = Duration.ofMinutes(5);
  private static final Duration SURELY_GONE = Duration.ofHours(1);
  private static final int MOST_AT_ONCE = 16;

  private final Database database;
  private final Clock clock;
  private final Presence presence;
  private final Duration every;
  private final QueueRunner runner;
  private final Forges forges;
  private final BiConsumer<Long, Optional<byte[]>> onOwners;
  private final Pace pace;
  private final QuietLooks quiet = new QuietLooks();
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

  public WatchWorker(
      Database database,
      Clock clock,
      Presence presence,
      Duration every,
      QueueRunner runner,
      Forges forges,
      Pace pace,
      BiConsumer<Long, Optional<byte[]>> onOwners) {
    this.database = database;
    this.clock = clock;
    this.presence = presence;
    this.every = every;
    this.runner = runner;
    this.forges = forges;
    this.pace = pace;
    this.onOwners = onOwners;
  }

  /** Looks at the repositories that are due, each in a thread of its own. */
  public List<Thread> round() {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    List<ConnectionStore.Due> due = presence.node().map(node -> take(node, now)).orElse(List.of());
    List<Thread> begun =
        due.stream()
            .map(
                one ->
                    Thread.ofVirtual()
                        .name("watch-" + one.how().repositoryId())
                        .unstarted(() -> begin(one, now.plus(LEASE))))
            .toList();
    threads.addAll(begun);
    begun.forEach(Thread::start);
    return begun;
  }

  private List<ConnectionStore.Due> take(int node, Instant now) {
    return database.inTransaction(
        handle ->
            ConnectionStore.take(
                handle, node, now, LEASE, pace.busy(now), pace.closed(now), MOST_AT_ONCE));
  }

  /** The threads that look at a repository now. */
  public Set<Thread> threads() {
    return threads;
  }

  private void begin(ConnectionStore.Due due, Instant leased) {
    try {
      if (due.askedFor()) {
        lookUnlessClosed(due, leased);
      } else {
        pace.inTurn(due.how().host(), () -> lookUnlessClosed(due, leased));
      }
    } catch (Database.Unavailable e) {
      // The lease ends by itself: that the database was away is no fault of the repository.
      log.warn("repository {} is looked at later: {}", due.how().repositoryId(), e.getMessage());
    } finally {
      threads.remove(Thread.currentThread());
    }
  }

  private void lookUnlessClosed(ConnectionStore.Due due, Instant leased) {
    pace.notBefore(due.how().host(), due.askedFor(), clock.instant())
        .ifPresentOrElse(
            then ->
                database.useTransaction(
                    handle -> ConnectionStore.putOff(handle, due.how(), leased, then)),
            () -> look(due.how(), leased));
  }

  /** The end of a look: its fault, or what people should know, and how long until the next. */
  private record End(Optional<String> fault, Duration rest) {
    static End of(String sentence, Duration rest) {
      return new End(Optional.of(sentence.replace('\0', ' ')), rest);
    }
  }

  private void look(ConnectionStore.Row how, Instant leased) {
    End end = looked(how);
    if (end.fault().isPresent() && !end.fault().equals(how.fault())) {
      log.warn("repository {}: {}", how.repositoryId(), end.fault().get());
    }
    Instant now = clock.instant();
    database.useTransaction(
        handle ->
            ConnectionStore.looked(handle, how, leased, now.plus(end.rest()), now, end.fault()));
  }

  private End looked(ConnectionStore.Row how) {
    try {
      Duration rest = look(how);
      pace.answered(how.host());
      return new End(forges.forge(how).notice(), rest);
    } catch (ForgeUnavailable e) {
      pace.unavailable(how.host(), e, clock.instant());
      return End.of(String.valueOf(e.getMessage()), Waits.asked(e, AFTER_FAULT));
    } catch (CredentialsRefused e) {
      return End.of(e.advice(), Waits.REFUSED);
    } catch (Database.Unavailable e) {
      throw e;
    } catch (RuntimeException e) {
      log.error("looking at repository {} failed", how.repositoryId(), e);
      return End.of("internal error", AFTER_FAULT);
    }
  }

  /** Looks, and says how long until the next look. */
  private Duration look(ConnectionStore.Row how) {
    List<OpenQueue> queues = queues(how.repositoryId());
    Forge forge = forges.forge(how);
    var known = QuietLooks.Known.of(how, queues);
    Instant asOf = clock.instant();
    switch (forge.look(quiet.mark(how.repositoryId(), known))) {
      case Forge.Look.Unchanged() -> tell(how, forge, queues, Optional.empty(), asOf);
      case Forge.Look.Seen(Forge.Heads heads, String mark) -> {
        quiet.forget(how.repositoryId());
        boolean moved = tell(how, forge, queues, Optional.of(heads), asOf);
        boolean swept = sweep(how, forge, heads.branches().keySet());
        boolean owned = readOwners(how, forge, OwnersFile.commit(queues, heads));
        if (!moved && !swept && !owned) {
          quiet.remember(how.repositoryId(), known, mark);
        }
      }
    }
    return rest(forge, queues);
  }

  private Duration rest(Forge forge, List<OpenQueue> queues) {
    if (forge.host().isEmpty()) {
      return every;
    }
    boolean work = queues.stream().anyMatch(queue -> !queue.state().entries().isEmpty());
    return work ? AT_HOST : AT_HOST_WITHOUT_WORK;
  }

  /** Tells all queues their news; false where nothing has moved. */
  private boolean tell(
      ConnectionStore.Row how,
      Forge forge,
      List<OpenQueue> queues,
      Optional<Forge.Heads> heads,
      Instant asOf) {
    boolean moved = false;
    for (OpenQueue queue : queues) {
      var watch = new Watch(queue, how, forge, clock, database, runner.evidence());
      watch.news(heads, asOf).forEach(r -> runner.accept(queue.id(), r));
      moved |= watch.hasMoved();
    }
    return moved;
  }

  /** Reads the owners' file of this commit; false where it was read before. */
  private boolean readOwners(ConnectionStore.Row how, Forge forge, Optional<CommitSha> newest) {
    Optional<CommitSha> unread =
        newest.filter(commit -> !how.ownersAt().equals(Optional.of(commit.value())));
    unread.ifPresent(commit -> readOwners(how, forge, commit));
    return unread.isPresent();
  }

  private void readOwners(ConnectionStore.Row how, Forge forge, CommitSha commit) {
    onOwners.accept(how.repositoryId(), OwnersFile.read(forge.git(), commit));
    database.useTransaction(handle -> ConnectionStore.ownersRead(handle, how, commit.value()));
  }

  private List<OpenQueue> queues(long repositoryId) {
    return database.query(handle -> QueueStore.ofRepository(handle, repositoryId)).stream()
        .flatMap(row -> runner.current(row).stream())
        .toList();
  }

  /**
   * Deletes test branches that are surely ours: those of runs that are over and of queues that are
   * gone; false where there is nothing of that kind. A run whose branch is about to be built is in
   * its queue's state by now.
   */
  private boolean sweep(ConnectionStore.Row how, Forge forge, Set<String> branches) {
    long repositoryId = how.repositoryId();
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
      delete(how, forge, unneeded);
    }
    if (!left.isEmpty()) {
      database.useTransaction(h -> LeftBranchStore.forgetOlder(h, repositoryId, past));
    }
    return !unneeded.isEmpty() || !left.isEmpty();
  }

  /** Credentials that may not write may still be good for looking. */
  private void delete(ConnectionStore.Row how, Forge forge, List<String> branches) {
    try {
      forge.git().deleteTestBranches(branches);
    } catch (CredentialsRefused e) {
      database.useTransaction(
          handle -> ConnectionStore.refused(handle, how, Optional.of(e.advice())));
    }
  }

  private static boolean isWanted(OpenQueue queue, String branch) {
    String id = branch.substring(branch.lastIndexOf('/') + 1);
    return queue.runId(id).flatMap(queue.state()::groupOf).isPresent();
  }
}
