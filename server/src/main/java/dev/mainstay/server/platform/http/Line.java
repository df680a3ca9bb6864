package dev.mainstay.server.platform.http;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.webserver.ConnectionContext;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** The connection that the current thread serves, below the HTTP library. */
final class Line {
  /** Set while a connection is served. */
  static final ScopedValue<ConnectionContext> CURRENT = ScopedValue.newInstance();

  /** A client gets this long to read a refusal and hang up. */
  private static final Duration FAREWELL = Duration.ofMillis(200);

  private static final long MOST_DRAINED_BYTES = 1024L * 1024;
  private static final String CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";

  private Line() {}

  static DataReader reader() {
    return CURRENT.get().dataReader();
  }

  /** Tells a client that waits for it to send its body. */
  static void askForBody() {
    CURRENT
        .get()
        .dataWriter()
        .writeNow(BufferData.create(CONTINUE.getBytes(StandardCharsets.US_ASCII)));
  }

  /** Closing on bytes that nobody has read would take the answer from the client. */
  static void farewell(SlowClients slowClients) {
    try (var _ = slowClients.within(FAREWELL)) {
      DataReader reader = reader();
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
}
