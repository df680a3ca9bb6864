package dev.mainstay.server.web.live;

import dev.mainstay.server.platform.Loop;
import dev.mainstay.server.web.page.Pulse;
import dev.mainstay.server.web.page.Pulse.Topic;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Those who follow a page. One worker asks a few times a second, in one question for all that is
 * followed on this node, what has changed, and wakes who follows it; each is told to look again,
 * and finds a page that was drawn once for all of them.
 */
public final class Live implements AutoCloseable {
  /** How often a silent stream is kept from being taken for dead. */
  private static final Duration HEARTBEAT = Duration.ofSeconds(15);

  private static final Duration LOOK_EVERY = Duration.ofMillis(250);
  private static final Duration SIGN_IN_CHECK = Duration.ofSeconds(1);
  private static final byte[] BEAT = bytes(":\n\n");
  private static final byte[] CHANGED = bytes("event: changed\ndata: 1\n\n");
  private static final byte[] ENDED = bytes("event: ended\ndata: 1\n\n");

  private final Pulse pulse;
  private final int mostOfOne;
  private final Set<Follower> followers = ConcurrentHashMap.newKeySet();
  private final Map<Long, AtomicInteger> perOrganization = new ConcurrentHashMap<>();
  private final AtomicBoolean closing = new AtomicBoolean();
  private final Loop looking = new Loop("live-pages", LOOK_EVERY, loop -> look());

  /** At most {@code mostOfOne} of one organization follow at a time on this node. */
  public Live(Pulse pulse, int mostOfOne) {
    this.pulse = pulse;
    this.mostOfOne = mostOfOne;
    looking.start();
  }

  private static final class Follower {
    private final Topic topic;
    private final Semaphore woken = new Semaphore(0);
    private volatile String seen;

    Follower(Topic topic, String seen) {
      this.topic = topic;
      this.seen = seen;
    }

    void hear(String beat) {
      if (!beat.equals(seen)) {
        seen = beat;
        woken.release();
      }
    }

    /** Whether there is something new; several changes at once are one. */
    boolean awaitNews(Duration patience) {
      try {
        boolean news = woken.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS);
        woken.drainPermits();
        return news;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
  }

  private void look() {
    var topics = new HashSet<Topic>();
    followers.forEach(f -> topics.add(f.topic));
    if (!topics.isEmpty()) {
      Map<Topic, String> beats = pulse.beats(topics);
      followers.forEach(f -> Optional.ofNullable(beats.get(f.topic)).ifPresent(f::hear));
    }
  }

  /** Whether another one of this organization may follow; each that may must be let go again. */
  public boolean enter(long organizationId) {
    var count = perOrganization.computeIfAbsent(organizationId, id -> new AtomicInteger());
    if (count.incrementAndGet() > mostOfOne) {
      count.decrementAndGet();
      return false;
    }
    return true;
  }

  private void leave(long organizationId) {
    perOrganization.computeIfPresent(
        organizationId, (id, count) -> count.decrementAndGet() <= 0 ? null : count);
  }

  /**
   * Writes to one who follows until they leave, or their session ends, or the node does. {@code
   * seen} is the beat of the page that they look at: what has changed since is news too.
   */
  public void follow(Topic topic, String seen, BooleanSupplier mayStill, OutputStream out)
      throws IOException {
    var follower = new Follower(topic, seen);
    followers.add(follower);
    try {
      tell(out, bytes("retry: 1000\n\n"));
      long silentSince = System.nanoTime();
      while (!closing.get() && !Thread.currentThread().isInterrupted()) {
        boolean news = follower.awaitNews(SIGN_IN_CHECK);
        if (!mayStill.getAsBoolean()) {
          tell(out, ENDED);
          return;
        }
        if (news || System.nanoTime() - silentSince > HEARTBEAT.toNanos()) {
          tell(out, news ? CHANGED : BEAT);
          silentSince = System.nanoTime();
        }
      }
    } finally {
      followers.remove(follower);
      leave(topic.organizationId());
    }
  }

  private static void tell(OutputStream out, byte[] what) throws IOException {
    out.write(what);
    out.flush();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    closing.set(true);
    followers.forEach(f -> f.woken.release());
    looking.close();
  }
}
