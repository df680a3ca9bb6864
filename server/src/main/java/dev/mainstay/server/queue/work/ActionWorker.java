package dev.mainstay.server.queue.work;

import dev.mainstay.core.queue.LandingProblem;
import dev.mainstay.core.queue.QueueAction;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.server.connection.ConnectionStore;
import dev.mainstay.server.connection.Forges;
import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.node.Presence;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.Tracing;
import dev.mainstay.server.queue.run.Proposal;
import dev.mainstay.server.queue.run.QueueRunner;
import dev.mainstay.server.queue.store.ActionStore;
import dev.mainstay.server.queue.store.OpenQueue;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one door out of queues: takes actions that are due, talks to the forge outside any
 * transaction, and brings the answer back through {@link QueueRunner}, in one transaction with the
 * end of the action. Whoever dies in the middle, or hangs until its lease ends, is replaced by
 * somebody who does it again.
 *
 * <p>A forge that does not answer is asked again, later and later, and never before the time it
 * asks for. A test branch is given up after some attempts, and the queue asks anew; a merge is not,
 * because it may have happened, unless its repository was disconnected and does not answer for an
 * hour. Refused credentials are no attempt: the action waits until the repository is connected
 * anew.
 */
public final class ActionWorker {
  private static final Logger log = LoggerFactory.getLogger("queue");
  public static final Duration LEASE = Duration.ofSeconds(10);
  private static final Duration RENEWAL = LEASE.dividedBy(5);
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);
  private static final Duration UNTIL_GIVEN_UP = Duration.ofHours(1);
  private static final int BUILD_ATTEMPTS = 6;
  private static final int MOST_AT_ONCE = 32;
  private static final int MOST_OF_A_REPOSITORY = 4;

  private final Database database;
  private final Clock clock;
  private final Presence presence;
  private final QueueRunner runner;
  private final Forges forges;
  private final Pace pace;
  private final Actions actions;
  private final Map<String, ActionStore.Taken> inHand = new ConcurrentHashMap<>();
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
  private Instant renewedAt = Instant.EPOCH;

  public ActionWorker(
      Database database,
      Clock clock,
      Presence presence,
      QueueRunner runner,
      Forges forges,
      Pace pace,
      Runnable onCommand) {
    this.database = database;
    this.clock = clock;
    this.presence = presence;
    this.runner = runner;
    this.forges = forges;
    this.pace = pace;
    this.actions = new Actions(database, clock, onCommand);
  }

  /**
   * Begins actions that are due, as many as there are hands for; returns the threads that do them.
   * They wait for processes and for the database most of the time: threads of the system, which are
   * woken by whom they wait for.
   */
  public List<Thread> round(Runnable whenOneEnds) {
    renew();
    int hands = MOST_AT_ONCE - inHand.size();
    Optional<Integer> node = presence.node();
    if (hands <= 0 || node.isEmpty()) {
      return List.of();
    }
    var begun = new ArrayList<Thread>();
    for (ActionStore.Taken one : take(node.get(), hands)) {
      if (inHand.put(key(one), one) == null) {
        begun.add(
            Thread.ofPlatform()
                .daemon()
                .name("action-" + one.action().id())
                .unstarted(() -> run(one, whenOneEnds)));
      }
    }
    threads.addAll(begun);
    begun.forEach(Thread::start);
    return begun;
  }

  private List<ActionStore.Taken> take(int node, int most) {
    Set<Long> busy = busyRepositories();
    return database.query(
        handle ->
            ActionStore.take(
                handle, node, clock.instant(), LEASE, busy, MOST_OF_A_REPOSITORY, most));
  }

  /** The threads that do an action now. */
  public Set<Thread> threads() {
    return threads;
  }

  private Set<Long> busyRepositories() {
    var counts = new HashMap<Long, Integer>();
    inHand.values().forEach(t -> counts.merge(t.repositoryId(), 1, Integer::sum));
    return counts.entrySet().stream()
        .filter(e -> e.getValue() >= MOST_OF_A_REPOSITORY)
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  private static String key(ActionStore.Taken taken) {
    return taken.queueId() + "/" + taken.action().id();
  }

  private void renew() {
    Instant now = clock.instant();
    if (!inHand.isEmpty() && !now.isBefore(renewedAt.plus(RENEWAL))) {
      renewedAt = now;
      database.inForgettableTransaction(
          handle -> ActionStore.renew(handle, inHand.values(), now.plus(LEASE)));
    }
  }

  private void run(ActionStore.Taken taken, Runnable whenEnded) {
    try (var spent = Tracing.work("action " + taken.action().getClass().getSimpleName())) {
      spent
          .with("mainstay.action", taken.action().id())
          .with("mainstay.queue", taken.queueId())
          .with("mainstay.repository", taken.repositoryId());
      attempt(taken);
    } catch (ForgeUnavailable e) {
      unavailable(taken, e);
    } catch (Database.Unavailable e) {
      // The lease ends by itself: that the database was away is no failure of the action.
      log.warn(
          "{} of queue {} is done later: {}", taken.action().id(), taken.queueId(), e.getMessage());
    } catch (RuntimeException e) {
      log.error("{} of queue {} failed", taken.action().id(), taken.queueId(), e);
      again(taken, "internal error");
    } finally {
      inHand.remove(key(taken));
      threads.remove(Thread.currentThread());
      whenEnded.run();
    }
  }

  private void attempt(ActionStore.Taken taken) {
    Optional<OpenQueue> queue = runner.current(taken.queue());
    if (queue.isEmpty()) {
      return;
    }
    Optional<Forges.Connected> connected = forges.of(taken.repositoryId());
    if (connected.isEmpty()) {
      unconnected(taken, queue.get());
      return;
    }
    perform(taken, queue.get(), connected.get());
  }

  private void perform(ActionStore.Taken taken, OpenQueue queue, Forges.Connected connected) {
    String host = connected.how().host();
    Optional<Instant> closed = pace.notBefore(host, true, clock.instant());
    if (closed.isPresent()) {
      String sentence = "%s asked not to be asked before %s.".formatted(host, closed.get());
      giveBack(taken, handle -> ActionStore.putOff(handle, own(taken), closed.get(), sentence));
      return;
    }
    try {
      finish(taken, actions.perform(taken, queue, connected));
    } catch (ForgeUnavailable e) {
      pace.unavailable(host, e, clock.instant());
      unavailable(taken, e);
    } catch (CredentialsRefused e) {
      refused(taken, connected.how(), e);
    }
  }

  private void finish(ActionStore.Taken taken, Proposal answer) {
    runner.accept(
        taken.queueId(),
        answer.also(
            handle -> {
              ActionStore.done(handle, taken.queueId(), taken.action().id());
              if (taken.action() instanceof QueueAction.Land
                  && !ActionStore.isLanding(handle, taken.repositoryId())) {
                ConnectionStore.forget(handle, taken.repositoryId());
              }
            }));
  }

  /** A merge that may have happened before the repository was disconnected is asked for again. */
  private void unconnected(ActionStore.Taken taken, OpenQueue queue) {
    runner.accept(taken.queueId(), Actions.disconnected());
    switch (taken.action()) {
      case QueueAction.StartRun a ->
          finish(
              taken,
              Proposal.of(
                  new QueueEvent.TestBranchNotBuilt(a.run(), "The repository is not connected.")));
      case QueueAction.Land a when taken.attempts() == 1 ->
          finish(
              taken,
              Proposal.of(
                  new QueueEvent.LandingEnded(
                      a.landing(),
                      List.of(),
                      Optional.of(
                          new LandingProblem.ForgeUnavailable(
                              "The repository is not connected.")))));
      case QueueAction.Land a ->
          forges
              .disconnected(taken.repositoryId(), clock.instant().minus(UNTIL_GIVEN_UP))
              .ifPresentOrElse(
                  connected -> perform(taken, queue, connected),
                  () -> finish(taken, Actions.givenUp(a)));
      case QueueAction.CancelRun ignored -> finish(taken, Proposal.of(state -> List.of()));
      case QueueAction.TakeSnapshot ignored -> finish(taken, Proposal.of(state -> List.of()));
      case QueueAction.WakeAt ignored -> finish(taken, Proposal.of(state -> List.of()));
    }
  }

  private void unavailable(ActionStore.Taken taken, ForgeUnavailable fault) {
    String sentence = String.valueOf(fault.getMessage()).replace('\0', ' ');
    log.warn(
        "{} of queue {}, attempt {}: {}",
        taken.action().id(),
        taken.queueId(),
        taken.attempts(),
        sentence);
    if (fault.retryAfter().isPresent()) {
      Instant next = clock.instant().plus(Waits.asked(fault, wait(taken)));
      giveBack(taken, handle -> ActionStore.putOff(handle, own(taken), next, sentence));
    } else if (taken.action() instanceof QueueAction.StartRun a
        && taken.attempts() >= BUILD_ATTEMPTS) {
      finish(taken, Proposal.of(new QueueEvent.TestBranchNotBuilt(a.run(), sentence)));
    } else {
      again(taken, sentence);
    }
  }

  /**
   * The action waits until the repository is connected anew; where that was done meanwhile, not at
   * all. The connection shows that something cannot be written; what cannot be read, a look shows.
   */
  private void refused(ActionStore.Taken taken, ConnectionStore.Row how, CredentialsRefused fault) {
    log.warn("{} of queue {}: {}", taken.action().id(), taken.queueId(), fault.getMessage());
    giveBack(
        taken,
        handle -> {
          boolean stays =
              taken.action() instanceof QueueAction.TakeSnapshot
                  ? ConnectionStore.stays(handle, how)
                  : ConnectionStore.refused(handle, how, Optional.of(fault.advice()));
          Instant next = clock.instant().plus(stays ? Waits.REFUSED : Duration.ZERO);
          ActionStore.putOff(handle, own(taken), next, fault.advice());
        });
  }

  private static Duration wait(ActionStore.Taken taken) {
    long seconds = 1L << Math.min(taken.attempts() - 1, 6);
    return Duration.ofSeconds(Math.min(seconds, LONGEST_WAIT.toSeconds()));
  }

  private void again(ActionStore.Taken taken, String fault) {
    Instant next = clock.instant().plus(wait(taken));
    giveBack(taken, handle -> ActionStore.again(handle, own(taken), next, fault));
  }

  /**
   * The action as it is in hand now: taken once more, it may be under a new number of this node.
   */
  private ActionStore.Taken own(ActionStore.Taken taken) {
    return inHand.getOrDefault(key(taken), taken);
  }

  private void giveBack(ActionStore.Taken taken, Consumer<Handle> how) {
    try {
      database.useTransaction(how);
    } catch (RuntimeException e) {
      log.warn("{} is done again when its lease ends: {}", taken.action().id(), e.getMessage());
    }
  }
}
