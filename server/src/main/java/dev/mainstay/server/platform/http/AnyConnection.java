package dev.mainstay.server.platform.http;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.common.task.InterruptableTask;
import io.helidon.http.DirectHandler.TransportResponse;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http.DirectTransportRequest;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes every connection for HTTP/1.1. The library alone would hang up on HTTP/1.0 and on what is
 * no HTTP without a word; so it comes to refuse them with a sentence, which the client can read.
 * Whoever connects takes one of the {@link Places}, and has to say something soon.
 */
final class AnyConnection implements ServerConnectionSelector {
  private static final Logger log = LoggerFactory.getLogger("http");

  private final Http1ConnectionSelector http1;
  private final Door door;
  private final SlowClients slowClients;
  private final Places places;

  AnyConnection(Http1ConnectionSelector http1, Door door, SlowClients slowClients, Places places) {
    this.http1 = http1;
    this.door = door;
    this.slowClients = slowClients;
    this.places = places;
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
    return new Talk(context, http1.connection(context), door, slowClients, places);
  }

  /** One connection: the library's, with a look at its first byte and a farewell. */
  private static final class Talk implements ServerConnection, InterruptableTask<Void> {
    private final ConnectionContext context;
    private final ServerConnection http;
    private final Door door;
    private final SlowClients slowClients;
    private final Places places;
    private final Thread thread = Thread.currentThread();
    private volatile boolean idle = true;
    private volatile boolean closed;

    Talk(
        ConnectionContext context,
        ServerConnection http,
        Door door,
        SlowClients slowClients,
        Places places) {
      this.context = context;
      this.http = http;
      this.door = door;
      this.slowClients = slowClients;
      this.places = places;
    }

    @Override
    public void handle(Limit limit) throws InterruptedException {
      slowClients.expectRequest();
      InetAddress client = ((InetSocketAddress) context.remotePeer().address()).getAddress();
      if (!places.take(client)) {
        // No farewell: the place is needed by somebody else.
        refuse(Refusals.tooManyConnections());
        return;
      }
      try {
        ScopedValue.where(Line.CURRENT, context)
            .call(
                () -> {
                  talk(limit);
                  return true;
                });
      } finally {
        places.leave(client);
      }
    }

    private void talk(Limit limit) throws InterruptedException {
      if (beginsAsText()) {
        http.handle(limit);
      } else {
        log.info("refused what is no HTTP");
        refuse(Refusals.malformed());
      }
      // A connection that ends here, and not by an exception, ends with a refusal.
      if (!closed) {
        Line.farewell(slowClients);
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

    private void refuse(ApiError why) {
      TransportResponse refusal =
          door.refuse(
              DirectTransportRequest.create("", "", ""), why, ServerResponseHeaders.create());
      byte[] body = refusal.entity().orElseThrow();
      var head = new StringBuilder("HTTP/1.1 ").append(refusal.status().code()).append(' ');
      head.append(refusal.status().reasonPhrase()).append("\r\nConnection: close\r\n");
      head.append("Content-Length: ").append(body.length).append("\r\n");
      refusal
          .headers()
          .forEach(h -> head.append(h.name()).append(": ").append(h.get()).append("\r\n"));
      byte[] headBytes = head.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII);
      context.dataWriter().writeNow(BufferData.create(headBytes));
      context.dataWriter().writeNow(BufferData.create(body));
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
