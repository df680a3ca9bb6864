package dev.mainstay.server.platform.http;

import dev.mainstay.server.platform.Loop;
import io.helidon.http.Headers;
import io.helidon.http.HttpPrologue;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1ConnectionListener;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Ends connections whose client takes too long to send a request or a body, or to read its answer.
 * The HTTP library has no such limit. Each connection has its own thread; interrupting it closes
 * the socket. Only waiting for the client is limited, never our own work.
 */
final class SlowClients implements Http1ConnectionListener, AutoCloseable {
  private final Set<Watch> watches = ConcurrentHashMap.newKeySet();
  private final ThreadLocal<Watch> watch = ThreadLocal.withInitial(this::register);
  private final Loop sweeper;

  private final Duration patience;
  private final Duration readingTime;
  private final Duration idleTime;

  SlowClients(Duration patience) {
    this.patience = patience;
    this.readingTime = patience.multipliedBy(4);
    this.idleTime = patience.multipliedBy(4);
    Duration period = Duration.ofMillis(Math.max(1, patience.toMillis() / 10));
    this.sweeper = new Loop("slow-clients", period, loop -> sweep());
    sweeper.start();
  }

  /** How long a client may take to send its headers. */
  Duration patience() {
    return patience;
  }

  /** Somebody has connected: a request line must come, and headers. */
  void expectRequest() {
    watch.get().limit(patience);
  }

  /** A request was answered: the next must come, with its headers, or the connection goes. */
  void expectNextRequest() {
    watch.get().limit(idleTime);
  }

  /** The request line has been read: the headers must follow. */
  @Override
  public void prologue(ConnectionContext ctx, HttpPrologue prologue) {
    watch.get().limit(patience);
  }

  /** How long a client may take to read its answer. */
  Duration readingTime() {
    return readingTime;
  }

  @Override
  public void headers(ConnectionContext ctx, Headers headers) {
    watch.get().close();
  }

  /** Limits what the current thread does until the returned watch is closed. */
  Watch within(Duration limit) {
    return watch.get().limit(limit);
  }

  /** Limits each write to a client, however many follow. */
  OutputStream limited(OutputStream out) {
    return new FilterOutputStream(out) {
      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        try (var _ = within(readingTime)) {
          out.write(bytes, offset, length);
        }
      }

      @Override
      public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
      }

      @Override
      public void flush() throws IOException {
        try (var _ = within(readingTime)) {
          out.flush();
        }
      }
    };
  }

  private Watch register() {
    var added = new Watch(Thread.currentThread());
    watches.add(added);
    return added;
  }

  private void sweep() {
    long now = System.nanoTime();
    watches.removeIf(w -> w.isOver(now));
  }

  @Override
  public void close() {
    sweeper.close();
  }

  /** The limit of one connection's thread. */
  static final class Watch implements AutoCloseable {
    private static final long NONE = Long.MAX_VALUE;
    private final Thread thread;
    private long deadline = NONE;

    Watch(Thread thread) {
      this.thread = thread;
    }

    private synchronized Watch limit(Duration limit) {
      deadline = System.nanoTime() + limit.toNanos();
      return this;
    }

    @Override
    public synchronized void close() {
      deadline = NONE;
    }

    private synchronized boolean isOver(long now) {
      if (deadline != NONE && now - deadline > 0) {
        thread.interrupt();
        return true;
      }
      return !thread.isAlive();
    }
  }
}
