package dev.mainstay.server.queue.work;

import dev.mainstay.core.code.RepoName;
import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.Run;
import dev.mainstay.core.queue.RunId;
import dev.mainstay.server.command.Equipment;
import dev.mainstay.server.command.Kit;
import dev.mainstay.server.command.TestCommand;
import dev.mainstay.server.connection.ConnectionStore;
import dev.mainstay.server.connection.Forges;
import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.queue.run.QueueRunner;
import dev.mainstay.server.queue.store.OpenQueue;
import dev.mainstay.server.queue.store.QueueStore;
import dev.mainstay.server.queue.store.RunKey;
import dev.mainstay.server.queue.store.TestCommandStore;
import dev.mainstay.server.queue.store.TestCommandStore.Job;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The orders that test commands are run by: the command, its files, facts about it, and its kit.
 */
final class CommandOrders {
  static final Duration AFTER_FAULT = Duration.ofSeconds(10);
  private static final int KEPT_OUTPUT = 256 << 10;
  private static final Duration KEY_OUTLIVES_LIMIT = Duration.ofMinutes(1);

  private final Database database;
  private final Clock clock;
  private final QueueRunner runner;
  private final Forges forges;
  private final Pace pace;
  private final Path directory;
  private final AtomicReference<Equipment> equipment = new AtomicReference<>(Equipment.NONE);

  /** An order, and how the repository was connected when it was made. */
  record Order(ConnectionStore.Row how, Begin begin, TestCommand.Spec spec) {}

  CommandOrders(
      Database database,
      Clock clock,
      QueueRunner runner,
      Forges forges,
      Pace pace,
      Path directory) {
    this.database = database;
    this.clock = clock;
    this.runner = runner;
    this.forges = forges;
    this.pace = pace;
    this.directory = directory;
  }

  /** Says what commands are given from now on. */
  void equip(Equipment given) {
    equipment.set(given);
  }

  /** The order for a job; empty where its repository has no command now. */
  Optional<Order> of(Job job) {
    var queue =
        database.query(handle -> QueueStore.find(handle, job.queueId())).flatMap(runner::current);
    var named = database.query(handle -> QueueStore.named(handle, job.queueId()));
    var connected = forges.of(job.repositoryId());
    if (queue.isEmpty()
        || named.isEmpty()
        || connected.isEmpty()
        || connected.get().how().testCommand().isEmpty()) {
      return Optional.empty();
    }
    ConnectionStore.Row how = connected.get().how();
    var begin = new Begin(database, job);
    return Optional.of(
        new Order(
            how,
            begin,
            new TestCommand.Spec(
                how.testCommand().orElseThrow(),
                into -> checkout(job, connected.get(), into),
                begin,
                directory,
                facts(queue.get(), named.get().name().repo(), job),
                kit(job, named.get().organization(), how.testTimeout()),
                equipment.get().confinement(),
                how.testTimeout(),
                TestCommand.Spec.USUAL_GRACE,
                KEPT_OUTPUT)));
  }

  /** The kit of a command, with a key that ends with it, or a while after its time limit. */
  private Kit kit(Job job, String organization, Duration limit) {
    RunKey key = RunKey.generate();
    Instant until = clock.instant().plus(limit).plus(KEY_OUTLIVES_LIMIT);
    database.useTransaction(handle -> TestCommandStore.giveKey(handle, job, key, until));
    return equipment.get().kit(organization, key.text());
  }

  private static TestCommand.Facts facts(OpenQueue queue, RepoName repo, Job job) {
    RunId run = job.run();
    Optional<Group> group = queue.state().groupOf(run);
    return new TestCommand.Facts(
        repo,
        queue.publicId(run.number()),
        queue.testBranch(run),
        job.commit(),
        group.flatMap(g -> g.run(run)).map(Run::base).orElse(job.commit()),
        queue.state().target().branch(),
        group.stream().flatMap(g -> g.members().stream()).map(Change::pr).toList());
  }

  private Optional<TestCommand.Outcome> checkout(Job job, Forges.Connected connected, Path into) {
    String host = connected.how().host();
    Instant now = clock.instant();
    Optional<Instant> closed = pace.notBefore(host, true, now);
    if (closed.isPresent()) {
      return Optional.of(
          noFiles(host + " asked not to be asked.", Duration.between(now, closed.get())));
    }
    try {
      return connected
          .forge()
          .git()
          .checkout(job.commit(), into)
          .map(TestCommand.Outcome.BadFiles::new);
    } catch (ForgeUnavailable e) {
      pace.unavailable(host, e, clock.instant());
      return Optional.of(noFiles(e.getMessage(), Waits.asked(e, AFTER_FAULT)));
    } catch (CredentialsRefused e) {
      return Optional.of(noFiles(e.getMessage(), Waits.REFUSED));
    }
  }

  private static TestCommand.Outcome.NoFiles noFiles(@Nullable String sentence, Duration wait) {
    return new TestCommand.Outcome.NoFiles(String.valueOf(sentence), wait);
  }
}
