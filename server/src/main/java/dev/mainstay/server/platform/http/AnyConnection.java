package dev.mainstay.server.platform.http;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.common.task.InterruptableTask;
import io.helidon.http.DirectHandler.EventType;
import io.helidon.http.DirectHandler.TransportResponse;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http.DirectTransportRequest;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;

/**
 * Takes every connection for HTTP/1.1. The library alone would hang up on HTTP/1.0 and on what is
 * no HTTP without a word; so it comes to refuse them with a sentence, which the client can read.
 */
final class AnyConnection implements ServerConnectionSelector {
  private final Http1ConnectionSelector http1;
  private final Door door;
  private final SlowClients slowClients;

  AnyConnection(Http1ConnectionSelector http1, Door door, SlowClients slowClients) {
    this.http1 = http1;
    this.door = door;
    this.slowClients = slowClients;
  }

  @Override
  public int bytesToIdentifyConnection() {
    return 0;
  }

  @Override
  public Support supports(BufferData data) {
    return Support.SUPPORTED;
  }

  @Override
  public Set<String> supportedApplicationProtocols() {
    return http1.supportedApplicationProtocols();
  }

  @Override
  public ServerConnection connection(ConnectionContext context) {
    return new Talk(context, http1.connection(context), door, slowClients);
  }

  /** One connection: the library's, with a look at its first byte and a farewell. */
  private static final class Talk implements ServerConnection, InterruptableTask<Void> {
    /** A client gets this long to read a refusal and hang up. */
    private static final Duration FAREWELL = Duration.ofMillis(200);

    private static final long MOST_DRAINED_BYTES = 1024L * 1024;

    private final ConnectionContext context;
    private final ServerConnection http;
    private final Door door;
    private final SlowClients slowClients;
    private final Thread thread = Thread.currentThread();
    private volatile boolean idle = true;
    private volatile boolean closed;

    Talk(ConnectionContext context, ServerConnection http, Door door, SlowClients slowClients) {
      this.context = context;
      this.http = http;
      this.door = door;
      this.slowClients = slowClients;
    }

    @Override
    public void handle(Limit limit) throws InterruptedException {
      if (beginsAsText()) {
        http.handle(limit);
      } else {
        refuse();
      }
      // A connection that ends here, and not by an exception, ends with a refusal.
      if (!closed) {
        drain();
      }
    }

    /** Whether it may become a request: one of TLS, for example, begins with a control byte. */
    private boolean beginsAsText() {
      try {
        byte first = context.dataReader().lookup();
        return first >= ' ' || first == '\r' || first == '\n';
      } catch (DataReader.InsufficientDataAvailableException e) {
        throw new CloseConnectionException("no request came", e);
      } finally {
        idle = false;
      }
    }

    private void refuse() {
      TransportResponse refusal =
          door.refuse(
              DirectTransportRequest.create("", "", ""),
              EventType.BAD_REQUEST,
              Status.BAD_REQUEST_400,
              ServerResponseHeaders.create(),
              null);
      byte[] body = refusal.entity().orElseThrow();
      var head = new StringBuilder("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n");
      head.append("Content-Length: ").append(body.length).append("\r\n");
      refusal
          .headers()
          .forEach(h -> head.append(h.name()).append(": ").append(h.get()).append("\r\n"));
      byte[] headBytes = head.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII);
      context.dataWriter().writeNow(BufferData.create(headBytes));
      context.dataWriter().writeNow(BufferData.create(body));
    }

    /** Closing on bytes that nobody has read would take the answer from the client. */
    private void drain() {
      try (var _ = slowClients.within(FAREWELL)) {
        DataReader reader = context.dataReader();
        for (long left = MOST_DRAINED_BYTES; left > 0; ) {
          reader.ensureAvailable();
          int length = reader.available();
          reader.skip(length);
          left -= length;
        }
      } catch (RuntimeException e) {
        // The client is gone, or was given time enough.
      }
    }

    @Override
    public boolean canInterrupt() {
      return idle || !(http instanceof InterruptableTask<?> task) || task.canInterrupt();
    }

    @Override
    public Duration idleTime() {
      return http.idleTime();
    }

    @Override
    public void close(boolean interrupt) {
      closed = true;
      if (idle) {
        thread.interrupt();
      }
      http.close(interrupt);
    }
  }
}
