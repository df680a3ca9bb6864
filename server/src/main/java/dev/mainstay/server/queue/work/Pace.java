package dev.mainstay.server.queue.work;

import dev.mainstay.server.forge.ForgeUnavailable;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The pace at which this node asks each forge host: so many looks at once, and none while the host
 * rests. A host that did not answer rests for a moment, longer each time in a row, as far as looks
 * are concerned that nobody asked for; one that asks not to be asked is closed for everything.
 */
public final class Pace {
  private static final int MOST_AT_ONCE = 8;
  private static final Duration LONGEST_REST = Duration.ofSeconds(15);

  private static final class Host {
    private final Semaphore free = new Semaphore(MOST_AT_ONCE);
    private int faults;
    private Instant restsUntil = Instant.MIN;
    private Instant closedUntil = Instant.MIN;

    private boolean isBusy(Instant now) {
      return free.availablePermits() == 0 || restsUntil.isAfter(now);
    }
  }

  private final Map<String, Host> hosts = new HashMap<>();

  /** The hosts at which only looks may begin that somebody asked for. */
  synchronized Set<String> busy(Instant now) {
    return those(host -> host.isBusy(now));
  }

  /** The hosts at which no look may begin. */
  synchronized Set<String> closed(Instant now) {
    return those(host -> host.closedUntil.isAfter(now));
  }

  private Set<String> those(Predicate<Host> which) {
    return hosts.entrySet().stream()
        .filter(e -> which.test(e.getValue()))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  /** Does something when the host has a hand free for it. */
  void inTurn(String name, Runnable look) {
    Semaphore free = host(name).free;
    free.acquireUninterruptibly();
    try {
      look.run();
    } finally {
      free.release();
    }
  }

  /**
   * The time before which the host is not to be asked; empty where it may be asked now. Looks that
   * nobody asked for also wait while it rests.
   */
  public synchronized Optional<Instant> notBefore(String name, boolean askedFor, Instant now) {
    Host host = host(name);
    Instant until =
        askedFor || host.closedUntil.isAfter(host.restsUntil) ? host.closedUntil : host.restsUntil;
    return until.isAfter(now) ? Optional.of(until) : Optional.empty();
  }

  synchronized void answered(String name) {
    host(name).faults = 0;
  }

  public synchronized void unavailable(String name, ForgeUnavailable fault, Instant now) {
    if (!fault.isOfHost()) {
      return;
    }
    Host host = host(name);
    host.faults++;
    Duration rest = Duration.ofSeconds(1L << Math.min(host.faults - 1, 4));
    host.restsUntil = now.plus(rest.compareTo(LONGEST_REST) > 0 ? LONGEST_REST : rest);
    if (fault.retryAfter().isPresent()) {
      host.closedUntil = now.plus(Waits.asked(fault, Duration.ZERO));
    }
  }

  private synchronized Host host(String name) {
    return hosts.computeIfAbsent(name, any -> new Host());
  }
}
