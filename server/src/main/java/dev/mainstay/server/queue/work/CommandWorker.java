package dev.mainstay.server.queue.work;

import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.server.command.CommandRun;
import dev.mainstay.server.command.Equipment;
import dev.mainstay.server.command.TestCommand;
import dev.mainstay.server.connection.ConnectionStore;
import dev.mainstay.server.connection.Forges;
import dev.mainstay.server.node.Presence;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.queue.run.Proposal;
import dev.mainstay.server.queue.run.QueueRunner;
import dev.mainstay.server.queue.store.TestCommandStore;
import dev.mainstay.server.queue.store.TestCommandStore.Job;
import dev.mainstay.server.queue.store.TestRunStore;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the test commands of repositories. A command is this node's for as long as it renews its
 * lease; one that is no longer wanted, or no longer its own, is stopped. Commands of a dead node
 * are begun again by another.
 */
public final class CommandWorker implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger("queue");
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final int MOST_STARTS = 5;
  private static final String DEADLY =
      "The test command was begun %d times, and each time its node died before it ended. It is not begun again: see whether it takes all memory of the machine, or ends processes that are not its own."
          .formatted(Begin.MOST);

  /** Other nodes may have other disks. */
  private static final int MOST_CHECKOUTS = 3;

  private final Database database;
  private final Clock clock;
  private final Presence presence;
  private final QueueRunner runner;
  private final CommandOrders orders;
  private final Path directory;
  private final int most;
  private final Map<String, Started> running = new ConcurrentHashMap<>();
  private final Map<String, CompletableFuture<Void>> ends = new ConcurrentHashMap<>();

  private record Started(
      Job job,
      CommandOrders.Order order,
      TestCommand.Running command,
      LiveOutput live,
      AtomicReference<Instant> leased) {}

  public CommandWorker(
      Database database,
      Clock clock,
      Presence presence,
      QueueRunner runner,
      Forges forges,
      Pace pace,
      Path directory,
      int most) {
    this.database = database;
    this.clock = clock;
    this.presence = presence;
    this.runner = runner;
    this.orders = new CommandOrders(database, clock, runner, forges, pace, directory);
    this.directory = directory;
    this.most = most;
  }

  /** Says what commands are given from now on. */
  public void equip(Equipment given) {
    orders.equip(given);
  }

  /** Ends the processes and removes the files of commands whose node was killed. */
  public void sweep() {
    CommandRun.sweep(directory);
  }

  /**
   * Renews the leases of running commands, stops those that nobody wants, begins those that are
   * due.
   */
  public void round(Runnable whenOneEnds) {
    running.values().forEach(this::renew);
    int free = most - running.size();
    if (free > 0 && running.values().stream().noneMatch(s -> isDoubtful(s.job()))) {
      presence.node().ifPresent(node -> take(node, free).forEach(job -> begin(job, whenOneEnds)));
    }
  }

  /**
   * Takes what is due. The last begin of a command in whose time nodes died is alone on its node,
   * so that it is not blamed for what another did.
   */
  private List<Job> take(int node, int most) {
    return database.inTransaction(
        handle -> {
          Instant now = clock.instant();
          Optional<Job> alone =
              running.isEmpty()
                  ? TestCommandStore.takeAlone(handle, node, now, LEASE, Begin.MOST - 1)
                  : Optional.empty();
          return alone
              .map(List::of)
              .orElseGet(
                  () -> TestCommandStore.take(handle, node, now, LEASE, most, Begin.MOST - 1));
        });
  }

  private static boolean isDoubtful(Job job) {
    return job.unended() == Begin.MOST - 1;
  }

  private void renew(Started started) {
    Instant until = clock.instant().plus(LEASE);
    try {
      Optional<String> news = started.live().news(clock.instant());
      boolean own =
          database.inTransaction(
              handle -> {
                news.ifPresent(text -> TestCommandStore.output(handle, started.job(), text));
                return TestCommandStore.renew(handle, started.job(), until);
              });
      if (!own) {
        started.command().cancel();
      } else {
        started.leased().set(until);
        news.ifPresent(text -> started.live().wrote(text, clock.instant()));
      }
    } catch (Database.Unavailable e) {
      if (started.leased().get().isBefore(clock.instant())) {
        started.command().cancel();
      }
      throw e;
    }
  }

  private void begin(Job job, Runnable whenEnded) {
    String key = job.queueId() + "/" + job.run();
    if (running.containsKey(key)) {
      return;
    }
    if (job.unended() >= Begin.MOST) {
      fail(job, "", DEADLY);
      return;
    }
    var order = orders.of(job);
    if (order.isEmpty()) {
      release(job, clock.instant().plus(CommandOrders.AFTER_FAULT));
      return;
    }
    var command = CommandRun.start(order.get().spec());
    var started =
        new Started(
            job,
            order.get(),
            command,
            new LiveOutput(command),
            new AtomicReference<>(clock.instant().plus(LEASE)));
    running.put(key, started);
    ends.put(
        key,
        started
            .command()
            .outcome()
            .thenAcceptAsync(
                outcome -> ended(started, outcome),
                task -> Thread.ofVirtual().name("test-command-" + key).start(task))
            .whenComplete((done, fault) -> forget(key, fault, whenEnded)));
    tell(job, CheckState.PENDING, Optional.empty());
  }

  private void forget(String key, @Nullable Throwable fault, Runnable whenEnded) {
    if (fault != null) {
      log.warn("test command {} is run again when its lease ends: {}", key, fault.getMessage());
    }
    running.remove(key);
    ends.remove(key);
    whenEnded.run();
  }

  private void ended(Started started, TestCommand.Outcome outcome) {
    String output = started.command().output();
    switch (outcome) {
      case TestCommand.Outcome.Passed() ->
          tell(started.job(), CheckState.SUCCESS, Optional.of(output));
      case TestCommand.Outcome.Failed f ->
          fail(started.job(), output, "The test command ended with " + f.exitCode() + ".");
      case TestCommand.Outcome.TimedOut() ->
          fail(started.job(), output, "The test command took too long and was stopped.");
      case TestCommand.Outcome.Cancelled() -> giveBack(started, clock.instant());
      case TestCommand.Outcome.NoFiles n -> putOff(started, n);
      case TestCommand.Outcome.BadFiles b when started.job().attempts() < MOST_CHECKOUTS -> {
        log.warn("run {} will be checked out again: {}", started.job().run(), b.sentence());
        release(started.job(), clock.instant().plus(CommandOrders.AFTER_FAULT));
      }
      case TestCommand.Outcome.BadFiles b ->
          fail(
              started.job(),
              output,
              "The files of the test branch cannot be checked out (tried %d times): %s."
                  .formatted(started.job().attempts(), b.sentence()));
      case TestCommand.Outcome.CouldNotStart c when started.job().attempts() < MOST_STARTS -> {
        log.warn("run {} will be tried again: {}", started.job().run(), c.sentence());
        giveBack(started, clock.instant().plus(CommandOrders.AFTER_FAULT));
      }
      case TestCommand.Outcome.CouldNotStart c -> fail(started.job(), output, c.sentence());
    }
  }

  private void fail(Job job, String output, String sentence) {
    String text = output.isBlank() ? sentence : output.stripTrailing() + "\n" + sentence;
    tell(job, CheckState.FAILURE, Optional.of(text + "\n"));
  }

  /**
   * Reports the status and, at its end, the output, in one transaction with the end of the command.
   */
  private void tell(Job job, CheckState state, Optional<String> output) {
    Instant now = clock.instant();
    var status = new QueueEvent.StatusReported(job.run(), Actions.TEST_COMMAND, state);
    List<QueueEvent> events =
        runner
            .find(job.queueId())
            .map(queue -> runner.evidence().with(queue, Optional.empty(), status))
            .orElse(List.of(status));
    runner.accept(
        job.queueId(),
        Proposal.of(before -> events)
            .also(
                handle -> {
                  TestRunStore.check(
                      handle,
                      job.queueId(),
                      job.run(),
                      Actions.TEST_COMMAND,
                      state,
                      Optional.empty(),
                      now);
                  output.ifPresent(
                      text -> {
                        TestRunStore.output(handle, job.queueId(), job.run(), text);
                        TestCommandStore.delete(handle, job.queueId(), job.run());
                      });
                }));
  }

  /** Waits for the forge, unless the repository was connected anew meanwhile. */
  private void putOff(Started started, TestCommand.Outcome.NoFiles noFiles) {
    log.warn("run {} will be tried again: {}", started.job().run(), noFiles.sentence());
    database.useTransaction(
        handle -> {
          boolean stays = ConnectionStore.stays(handle, started.order().how());
          Instant next = clock.instant().plus(stays ? noFiles.delay() : Duration.ZERO);
          TestCommandStore.putOff(handle, started.job(), next);
        });
  }

  /** Gives a command back that has ended without a result. */
  private void giveBack(Started started, Instant at) {
    database.useTransaction(
        handle -> {
          started.order().begin().takeBack(handle);
          TestCommandStore.release(handle, started.job(), at);
        });
  }

  private void release(Job job, Instant at) {
    database.useTransaction(handle -> TestCommandStore.release(handle, job, at));
  }

  /** Stops all commands; other nodes begin them again at once. */
  @Override
  public void close() {
    running.values().forEach(started -> started.command().cancel());
    awaitEnds();
  }

  /** Waits until the commands that run now have ended, and all is told of them. */
  public void awaitEnds() {
    List.copyOf(ends.values()).forEach(end -> end.exceptionally(fault -> null).join());
  }
}
