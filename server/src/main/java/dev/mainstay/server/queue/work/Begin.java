package dev.mainstay.server.queue.work;

import dev.mainstay.server.platform.Database;
import dev.mainstay.server.queue.store.TestCommandStore;
import dev.mainstay.server.queue.store.TestCommandStore.Job;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jdbi.v3.core.Handle;

/**
 * The begin of a test command, counted before there is a process: one that takes its node with it
 * leaves the count behind. Whoever sees the command end takes it back.
 */
final class Begin implements Runnable {
  /** Begins without an end, after which a command has failed. */
  static final int MOST = 3;

  private final Database database;
  private final Job job;
  private final AtomicBoolean counted = new AtomicBoolean();

  Begin(Database database, Job job) {
    this.database = database;
    this.job = job;
  }

  @Override
  public void run() {
    database.useTransaction(handle -> TestCommandStore.begin(handle, job));
    counted.set(true);
  }

  void takeBack(Handle handle) {
    if (counted.get()) {
      TestCommandStore.takeBack(handle, job);
    }
  }
}
