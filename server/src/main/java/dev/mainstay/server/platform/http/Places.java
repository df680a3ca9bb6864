package dev.mainstay.server.platform.http;

import dev.mainstay.server.platform.Network;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who holds the places for connections. One address gets half of them at most, so that nobody can
 * shut out everybody else; a trusted proxy, which stands for many, is not counted. Of IPv6 a whole
 * /64 is one address: that is what a single machine has at hand.
 */
public final class Places {
  private static final Logger log = LoggerFactory.getLogger("http");
  private static final Duration BETWEEN_LINES = Duration.ofMinutes(1);
  private static final int HOST_BITS = 64;

  private final int all;
  private final int most;
  private final List<Network> trusted;
  private final ConcurrentHashMap<InetAddress, Integer> held = new ConcurrentHashMap<>();
  private final AtomicInteger taken = new AtomicInteger();
  private final AtomicLong refused = new AtomicLong();
  private final AtomicLong nextLine = new AtomicLong(System.nanoTime());

  public Places(int all, List<Network> trusted) {
    this.all = all;
    this.most = Math.max(1, all / 2);
    this.trusted = List.copyOf(trusted);
  }

  public int all() {
    return all;
  }

  public int taken() {
    return taken.get();
  }

  /** How many connections were refused because their address held its half. */
  public long refused() {
    return refused.get();
  }

  /** Takes a place, unless this address has its share already. */
  boolean take(InetAddress address) {
    if (!isTrusted(address) && held.merge(host(address), 1, Integer::sum) > most) {
      release(address);
      refused.incrementAndGet();
      tell(address);
      return false;
    }
    taken.incrementAndGet();
    return true;
  }

  void leave(InetAddress address) {
    taken.decrementAndGet();
    if (!isTrusted(address)) {
      release(address);
    }
  }

  private void release(InetAddress address) {
    held.computeIfPresent(host(address), (_, n) -> n > 1 ? n - 1 : null);
  }

  boolean isTrusted(InetAddress address) {
    for (Network network : trusted) {
      if (network.holds(address)) {
        return true;
      }
    }
    return false;
  }

  private static InetAddress host(InetAddress address) {
    byte[] bytes = address.getAddress();
    if (bytes.length * Byte.SIZE <= HOST_BITS) {
      return address;
    }
    return Network.of(address, HOST_BITS).first();
  }

  /** One line a minute, however many are refused. */
  private void tell(InetAddress address) {
    long now = System.nanoTime();
    long due = nextLine.get();
    if (now - due >= 0 && nextLine.compareAndSet(due, now + BETWEEN_LINES.toNanos())) {
      log.warn(
          "{} holds {} of {} places for connections and gets no more ({} refused so far); if it is"
              + " a proxy of yours, name it in MAINSTAY_TRUSTED_PROXIES",
          address.getHostAddress(),
          most,
          all,
          refused.get());
    }
  }
}
