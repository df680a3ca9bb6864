package dev.mainstay.server.platform;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one kind of background work: a round whenever the loop is told to, and every so often without
 * being told. A round that fails, in whatever way, is tried again at the next one, and said once in
 * a row of failures; only want of memory ends the process.
 */
public final class Loop implements AutoCloseable {
  /** Those of this process that were started and not closed. */
  private static final Set<Loop> STARTED = ConcurrentHashMap.newKeySet();

  private final String name;
  private final Logger log;
  private final Semaphore told = new Semaphore(0);
  private final Duration every;
  private final Duration gathering;
  private final Runnable round;
  private final Thread thread;
  private final AtomicLong failures = new AtomicLong();
  private boolean failing;
  private volatile boolean closed;

  /** A loop that does nothing before {@link #start}; a round may ask it {@link #isClosing}. */
  public Loop(String name, Duration every, Consumer<Loop> round) {
    this(name, every, Duration.ZERO, round);
  }

  /** What it is told within a while is one round: it begins that long after the first of it. */
  public Loop(String name, Duration every, Duration gathering, Consumer<Loop> round) {
    this.name = name;
    this.log = LoggerFactory.getLogger(name);
    this.every = every;
    this.gathering = gathering;
    this.round = () -> round.accept(this);
    this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::work);
  }

  /** A loop as it is seen from outside. */
  public record State(String name, boolean up, long failures) {}

  /** Loops of the same name, as several nodes in one process have them, are one: the worst. */
  public static List<State> all() {
    var states = new TreeMap<String, State>();
    for (Loop one : STARTED) {
      var state = new State(one.name, one.thread.isAlive(), one.failures.get());
      states.merge(one.name, state, Loop::worse);
    }
    return List.copyOf(states.values());
  }

  /** The names of loops that have ended, and nobody wanted it. */
  public static List<String> ended() {
    return all().stream().filter(one -> !one.up()).map(State::name).toList();
  }

  private static State worse(State a, State b) {
    return new State(a.name(), a.up() && b.up(), a.failures() + b.failures());
  }

  public void start() {
    thread.start();
    STARTED.add(this);
  }

  /** There may be something to do. */
  public void tell() {
    if (told.availablePermits() == 0) {
      told.release();
    }
  }

  /** True where a round should come to an end soon. */
  public boolean isClosing() {
    return closed;
  }

  private void work() {
    while (!closed) {
      try {
        round.run();
        failing = false;
      } catch (RuntimeException | Error e) {
        LastWords.ifFatal(e);
        failures.incrementAndGet();
        say(e);
      }
      await();
    }
  }

  private void say(Throwable fault) {
    if (failing) {
      log.debug("fails again", fault);
    } else if (fault instanceof Database.Unavailable || fault instanceof Database.Busy) {
      log.warn("waits for the database: {}", fault.getMessage());
    } else {
      log.error("failed and goes on", fault);
    }
    failing = true;
  }

  private void await() {
    try {
      if (told.tryAcquire(every.toMillis(), TimeUnit.MILLISECONDS)) {
        Thread.sleep(gathering);
        told.drainPermits();
      }
    } catch (InterruptedException e) {
      // Meant for something that the round has called: only close() ends a loop.
    }
  }

  /** Waits for the round that is under way. */
  @Override
  public void close() {
    STARTED.remove(this);
    closed = true;
    tell();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
