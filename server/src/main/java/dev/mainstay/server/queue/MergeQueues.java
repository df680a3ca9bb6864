package dev.mainstay.server.queue;

import dev.mainstay.server.command.Equipment;
import dev.mainstay.server.connection.ConnectionStore;
import dev.mainstay.server.connection.Connections;
import dev.mainstay.server.connection.Forges;
import dev.mainstay.server.forge.ForgeKind;
import dev.mainstay.server.forge.Reach;
import dev.mainstay.server.forge.git.GitKind;
import dev.mainstay.server.forge.git.copy.GitLimits;
import dev.mainstay.server.forge.gitea.GiteaKind;
import dev.mainstay.server.forge.github.GitHubKind;
import dev.mainstay.server.forge.gitlab.GitLabKind;
import dev.mainstay.server.node.Ending;
import dev.mainstay.server.node.Presence;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.Loop;
import dev.mainstay.server.platform.Vault;
import dev.mainstay.server.queue.run.Evidence;
import dev.mainstay.server.queue.run.QueueRunner;
import dev.mainstay.server.queue.store.ActionStore;
import dev.mainstay.server.queue.store.TestCommandStore;
import dev.mainstay.server.queue.work.ActionWorker;
import dev.mainstay.server.queue.work.CommandWorker;
import dev.mainstay.server.queue.work.ConnectedQueues;
import dev.mainstay.server.queue.work.Pace;
import dev.mainstay.server.queue.work.StallWorker;
import dev.mainstay.server.queue.work.TidyWorker;
import dev.mainstay.server.queue.work.WakeWorker;
import dev.mainstay.server.queue.work.WatchWorker;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The wiring of merge queues. A node {@link #start}s the workers; a command of the command line
 * only asks, and the nodes do the work.
 */
public final class MergeQueues implements AutoCloseable {
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final Duration TIDY = Duration.ofHours(1);
  private static final Duration COPIES = Duration.ofDays(1);
  private static final Duration FORGES = Duration.ofSeconds(5);
  private static final Duration PRESENCE = Duration.ofMillis(500);
  private static final Duration WATCH = Duration.ofSeconds(5);
  private static final Duration STALLS = Duration.ofSeconds(5);

  private final Deque<AutoCloseable> closings = new ArrayDeque<>();
  private final AtomicReference<Runnable> onWork = new AtomicReference<>(MergeQueues::nobody);
  private final AtomicReference<Runnable> onLook = new AtomicReference<>(MergeQueues::nobody);
  private final AtomicReference<Runnable> onCommand = new AtomicReference<>(MergeQueues::nobody);
  private final Queues queues;
  public final Forges forges;
  public final QueueRunner runner;
  final Presence presence;
  public final Pace pace = new Pace();
  final ActionWorker actions;
  final WakeWorker wakes;
  final StallWorker stalls;
  final WatchWorker watches;
  final CommandWorker commands;
  public final TidyWorker tidy;

  /**
   * All kinds of forges are listed here. Copies of repositories are kept below {@code work}. The
   * CODEOWNERS file of a repository, or that it has none, is told to {@code onOwners} whenever it
   * may have changed; {@code failedTests} finds what failed in the results of runs, {@code health}
   * what is known of that; {@code leases} are of other work that nodes hold for a while.
   */
  public MergeQueues(
      Database database,
      Clock clock,
      Path work,
      Reach reach,
      BiConsumer<Long, Optional<byte[]>> onOwners,
      FailedTest.Finder failedTests,
      Evidence.Source health,
      List<Presence.Lease> leases) {
    this(
        database,
        clock,
        work.resolve("tests"),
        List.of(
            new GitKind(work.resolve("git"), GitLimits.USUAL, reach),
            new GitHubKind(work.resolve("git"), GitLimits.USUAL, clock, reach),
            new GiteaKind(work.resolve("git"), GitLimits.USUAL, clock, reach),
            new GitLabKind(work.resolve("git"), GitLimits.USUAL, clock, reach)),
        reach,
        onOwners,
        failedTests,
        health,
        leases);
  }

  /** For a command of the command line, which looks at no repository itself. */
  public MergeQueues(Database database, Clock clock, Path work, Reach reach) {
    this(
        database,
        clock,
        work,
        reach,
        (repository, file) -> {},
        (repository, branch, commit) -> List.of(),
        question -> Evidence.Found.NOTHING,
        List.of());
  }

  MergeQueues(
      Database database,
      Clock clock,
      Path tests,
      List<ForgeKind> kinds,
      Reach reach,
      BiConsumer<Long, Optional<byte[]>> onOwners,
      FailedTest.Finder failedTests,
      Evidence.Source health,
      List<Presence.Lease> leases) {
    forges = new Forges(database, Vault.open(database), kinds);
    closings.push(forges);
    presence =
        new Presence(
            database,
            clock,
            Stream.concat(
                    Stream.<Presence.Lease>of(
                        ActionStore::free, TestCommandStore::free, ConnectionStore::free),
                    leases.stream())
                .toList());
    closings.push(presence);
    runner = new QueueRunner(database, clock, () -> onWork.get().run(), health);
    actions =
        new ActionWorker(
            database, clock, presence, runner, forges, pace, () -> onCommand.get().run());
    wakes = new WakeWorker(database, clock, runner);
    stalls = new StallWorker(database, clock, runner);
    watches = new WatchWorker(database, clock, presence, WATCH, runner, forges, pace, onOwners);
    commands =
        new CommandWorker(
            database,
            clock,
            presence,
            runner,
            forges,
            pace,
            tests,
            Math.max(2, Runtime.getRuntime().availableProcessors()));
    closings.push(commands);
    tidy = new TidyWorker(database, clock);
    var connections =
        new Connections(
            database,
            clock,
            new ConnectedQueues(database, runner),
            forges,
            reach,
            () -> onLook.get().run());
    queues = new Queues(database, clock, runner, forges, connections, failedTests);
  }

  private static void nobody() {}

  public Queues queues() {
    return queues;
  }

  /** The number that this node takes work under; empty while it takes none. */
  public Optional<Integer> node() {
    return presence.node();
  }

  /** Starts the workers, which work until {@link #close}; test commands get this equipment. */
  public void start(Equipment equipment) {
    commands.equip(equipment);
    commands.sweep();
    closings.push(() -> Ending.await(actions::threads));
    closings.push(() -> Ending.await(watches::threads));
    onWork.set(work("queue-actions", POLL, rounds -> actions.round(rounds::tell))::tell);
    onCommand.set(work("queue-commands", POLL, rounds -> commands.round(rounds::tell))::tell);
    onLook.set(work("queue-watch", POLL, rounds -> watches.round())::tell);
    work("queue-wakes", POLL, rounds -> wakes.round());
    work("queue-stalls", STALLS, rounds -> stalls.round());
    work("queue-copies", COPIES, rounds -> forges.sweepCopies());
    work("queue-forges", FORGES, rounds -> forges.sweep());
    work("queue-tidy", TIDY, rounds -> tidy.round(rounds::isClosing));
    work("queue-presence", PRESENCE, rounds -> bePresent());
  }

  private void bePresent() {
    if (presence.round()) {
      onWork.get().run();
      onCommand.get().run();
      onLook.get().run();
    }
  }

  private Loop work(String name, Duration every, Consumer<Loop> round) {
    var rounds = new Loop(name, every, round);
    closings.push(rounds);
    rounds.start();
    return rounds;
  }

  @Override
  public void close() {
    while (!closings.isEmpty()) {
      try {
        closings.pop().close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
