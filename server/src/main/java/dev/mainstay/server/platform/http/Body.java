package dev.mainstay.server.platform.http;

import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.webserver.http.ServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The body of one request: at most 20 MiB, no slower than a floor, and held in memory only while
 * all bodies together fit a budget. What is not read is drained, within reason, so that the client
 * can read its answer before the connection closes.
 */
final class Body implements AutoCloseable {
  static final int MAX_BYTES = 20 * 1024 * 1024;

  /** Beyond this a body is not even drained: the connection closes under the client. */
  static final long MAX_DRAINED_BYTES = 64L * 1024 * 1024;

  private static final int SMALL_BYTES = 64 * 1024;
  private static final int SLOWEST_BYTES_PER_SECOND = 32 * 1024;

  private final ServerRequest request;
  private final SlowClients slowClients;
  private final Budget budget;
  private @Nullable InputStream stream;
  private boolean atEnd;
  private Room held = Budget.NONE;

  Body(ServerRequest request, SlowClients slowClients, Budget budget) {
    this.request = request;
    this.slowClients = slowClients;
    this.budget = budget;
  }

  /** The bytes of a body whose content type is JSON. */
  byte[] json() {
    refuseTooLarge(declaredLength());
    String type =
        request.headers().contentType().map(t -> t.mediaType().text()).orElse("no content type");
    if (!type.toLowerCase(Locale.ROOT).equals(Reply.JSON)) {
      throw ApiError.of(
          415,
          "unsupported_media_type",
          "Send the body as application/json, not as %s.".formatted(type));
    }
    return read();
  }

  /** The bytes of a body of any type; their room is held until the body is closed. */
  byte[] bytes() {
    refuseTooLarge(declaredLength());
    held = budget.take(expectedLength());
    return receive();
  }

  @Override
  public void close() {
    held.close();
    held = Budget.NONE;
  }

  private byte[] read() {
    try (var _ = budget.take(expectedLength())) {
      return receive();
    }
  }

  private byte[] receive() {
    if (!hasEntity()) {
      return new byte[0];
    }
    try (var _ = slowClients.within(timeFor(expectedLength()))) {
      byte[] bytes = stream().readNBytes(MAX_BYTES + 1);
      refuseTooLarge(bytes.length);
      atEnd = true;
      return bytes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The library hands its stream out once, and closing it would lose what is still to be drained.
   */
  private InputStream stream() {
    if (stream == null) {
      stream = request.content().inputStream();
    }
    return stream;
  }

  private long expectedLength() {
    return isChunked() ? MAX_BYTES : declaredLength();
  }

  /** Whether bytes may still come that nobody has read. */
  boolean isLeftOver() {
    return hasEntity() && !atEnd;
  }

  /** Reads what is left and throws it away; gives up when that is too much or takes too long. */
  void drain() {
    // A client that waits for 100-continue has not sent anything.
    if (request.headers().containsToken(HeaderValues.EXPECT_100)) {
      return;
    }
    // A chunk is held in memory while it is read, so draining chunks takes room as reading does.
    try (var _ = isChunked() ? budget.take(MAX_BYTES) : Budget.NONE;
        var _ = slowClients.within(slowClients.readingTime())) {
      InputStream in = stream();
      byte[] buffer = new byte[16 * 1024];
      long left = MAX_DRAINED_BYTES;
      for (int n = 0; n >= 0 && left > 0; left -= n) {
        n = in.read(buffer);
      }
    } catch (IOException | RuntimeException e) {
      // The connection closes either way.
    }
  }

  private boolean hasEntity() {
    return isChunked() || declaredLength() > 0;
  }

  private boolean isChunked() {
    return request.headers().contains(HeaderNames.TRANSFER_ENCODING);
  }

  private long declaredLength() {
    return request.headers().contentLength().orElse(0);
  }

  private static void refuseTooLarge(long length) {
    if (length > MAX_BYTES) {
      throw tooLarge();
    }
  }

  static ApiError tooLarge() {
    return ApiError.of(413, "body_too_large", "The body must not exceed 20 MiB.");
  }

  private Duration timeFor(long bytes) {
    return slowClients.patience().plusSeconds(bytes / SLOWEST_BYTES_PER_SECOND);
  }

  /** Room for bodies in memory, all requests together. Small bodies need none. */
  static final class Budget {
    private static final Room NONE = () -> {};
    private static final long WAIT_SECONDS = 5;

    private final Semaphore kibibytes;

    Budget(long bytes) {
      kibibytes = new Semaphore((int) Math.min(bytes / 1024, Integer.MAX_VALUE), true);
    }

    Room take(long bytes) {
      if (bytes <= SMALL_BYTES) {
        return NONE;
      }
      int permits = (int) (Math.min(bytes, MAX_BYTES) / 1024);
      try {
        if (!kibibytes.tryAcquire(permits, WAIT_SECONDS, TimeUnit.SECONDS)) {
          throw ApiError.busy();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw ApiError.busy();
      }
      return () -> kibibytes.release(permits);
    }
  }

  /** Some of the budget, to be given back. */
  interface Room extends AutoCloseable {
    @Override
    void close();
  }
}
