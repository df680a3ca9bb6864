package dev.mainstay.server.node;

import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.Loop;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time of a node. It begins with the time of the database, which all nodes share, and goes on
 * by the machine's steady count, which no setting of a clock changes. What it differs from the
 * database's clock by is made up for slowly: nothing becomes due, and nothing is put off, because
 * some clock has jumped. Jumps are noticed and told.
 */
public final class NodeClock extends Clock implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger("clock");
  private static final Duration EVERY = Duration.ofSeconds(1);

  /** The part of the time that passes by which the time of a node may be ahead or behind. */
  private static final double MOST_HURRY = 0.1;

  /** An answer that took longer says too little of the time it was given at. */
  private static final Duration MOST_DOUBT = Duration.ofMillis(500);

  /** The clocks that a node has to do with. */
  public interface Clocks {
    Instant machine();

    Instant database();

    /** Nanoseconds since whenever. */
    long steady();
  }

  /** A clock is said to have jumped where it moved by more than this from one look to the next. */
  private static final Duration JUMP = Duration.ofSeconds(2);

  /** Another clock as it was seen last: how far ahead it was, and how often it has jumped. */
  public record Seen(String clock, Duration ahead, long jumps) {}

  /** The first answer may wait for a connection, on a machine that is busy. */
  private static final int MOST_ASKED = 5;

  private final Clocks clocks;
  private final Loop loop = new Loop("clock", EVERY, rounds -> look());
  private Seen machine;
  private Seen database = new Seen("database", Duration.ZERO, 0);
  private Instant since;
  private long steadySince;
  private double hurry;

  NodeClock(Clocks clocks) {
    this.clocks = clocks;
    long took;
    int asked = 0;
    do {
      steadySince = clocks.steady();
      since = clocks.database();
      took = clocks.steady() - steadySince;
      asked++;
    } while (took > MOST_DOUBT.toNanos() && asked < MOST_ASKED);
    steadySince += took / 2;
    machine = new Seen("machine", Duration.between(since, clocks.machine()), 0);
    if (machine.ahead().abs().compareTo(JUMP) > 0) {
      log.warn(
          "the clock of this machine is {} s ahead of the database's, by which everything goes",
          machine.ahead().toSeconds());
    }
  }

  /** The time of a node on a database, brought up to date until it is closed. */
  public static NodeClock start(Database database) {
    return start(
        new Clocks() {
          @Override
          public Instant machine() {
            return Instant.now();
          }

          @Override
          public Instant database() {
            return database.time();
          }

          @Override
          public long steady() {
            return System.nanoTime();
          }
        });
  }

  /** The same by other clocks. */
  public static NodeClock start(Clocks clocks) {
    var clock = new NodeClock(clocks);
    clock.loop.start();
    return clock;
  }

  @Override
  public synchronized Instant instant() {
    return at(clocks.steady());
  }

  /** Hurries no longer than until the next look is due: should that not come, no harm is done. */
  private Instant at(long steady) {
    long passed = steady - steadySince;
    return since.plusNanos(passed + (long) (hurry * Math.min(passed, EVERY.toNanos())));
  }

  /** Compares the clocks, and sets out towards the database's. */
  void look() {
    long asked = clocks.steady();
    Instant there = clocks.database();
    long took = clocks.steady() - asked;
    Instant here = clocks.machine().minusNanos(took - took / 2);
    if (took <= MOST_DOUBT.toNanos()) {
      compare(there, asked + took / 2, here);
    }
  }

  private synchronized void compare(Instant told, long toldAt, Instant here) {
    long steady = clocks.steady();
    Instant there = told.plusNanos(steady - toldAt);
    Instant now = at(steady);
    database = seen(database, Duration.between(now, there));
    machine = seen(machine, Duration.between(now, here.plusNanos(steady - toldAt)));
    since = now;
    steadySince = steady;
    double wanted = (double) database.ahead().toMillis() / EVERY.toMillis();
    hurry = Math.clamp(wanted, -MOST_HURRY, MOST_HURRY);
  }

  private static Seen seen(Seen before, Duration ahead) {
    Duration by = ahead.minus(before.ahead());
    boolean jumped = by.abs().compareTo(JUMP) > 0;
    if (jumped) {
      log.warn(
          "the clock of the {} jumped by {} s: nothing is due earlier or later for that. Where it was"
              + " set for good, restart the node to have it follow at once",
          before.clock(),
          by.toSeconds());
    }
    return new Seen(before.clock(), ahead, before.jumps() + (jumped ? 1 : 0));
  }

  /** The other clocks as they were seen last. */
  public synchronized List<Seen> seen() {
    return List.of(machine, database);
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    throw new UnsupportedOperationException("times are told in UTC");
  }

  @Override
  public void close() {
    loop.close();
  }
}
