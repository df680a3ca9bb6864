package dev.mainstay.server.platform.http;

import dev.mainstay.server.platform.Json;
import dev.mainstay.server.platform.JsonWeight;
import io.helidon.common.buffers.DataReader.InsufficientDataAvailableException;
import io.helidon.http.BadRequestException;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.webserver.http.ServerRequest;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.function.Function;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The body of one request: at most 20 MiB, packed or not, no slower than a floor, and held in
 * memory only while all bodies together fit a budget. What is not read is drained, within reason,
 * so that the client can read its answer before the connection closes.
 */
final class Body implements Sent, AutoCloseable {
  static final int MAX_BYTES = 20 * 1024 * 1024;

  /** Beyond this a body is not even drained: the connection closes under the client. */
  static final long MAX_DRAINED_BYTES = 64L * 1024 * 1024;

  /** The same for whoever has not shown a right to send it. */
  private static final long MAX_UNPROVEN_BYTES = 4L * 1024 * 1024;

  private static final Duration UNPROVEN_TIME = Duration.ofSeconds(5);
  private static final int SLOWEST_BYTES_PER_SECOND = 32 * 1024;

  private final ServerRequest request;
  private final SlowClients slowClients;
  private final Memory memory;
  private final boolean assumesJson;
  private @Nullable InputStream stream;
  private boolean proven;
  private boolean atEnd;
  private final Deque<Budget.Room> held = new ArrayDeque<>();

  /** {@code assumesJson}: so is what has no content type. */
  Body(ServerRequest request, SlowClients slowClients, Memory memory, boolean assumesJson) {
    this.request = request;
    this.assumesJson = assumesJson;
    this.slowClients = slowClients;
    this.memory = memory;
  }

  @Override
  public void prove() {
    proven = true;
  }

  @Override
  public ObjectNode json() {
    return json(Json::readObject);
  }

  @Override
  public JsonNode anyJson() {
    return json(Json::read);
  }

  /** A body whose content type is JSON, read; room for that is held until this is closed. */
  private <T> T json(Function<byte[], T> reader) {
    refuseTooLarge(declaredLength());
    String type = contentType();
    if (!type.toLowerCase(Locale.ROOT).equals(Reply.JSON)) {
      throw ApiError.of(
          415,
          "unsupported_media_type",
          "Send the body as application/json, not as %s.".formatted(type));
    }
    refuseOtherEncodings();
    try (var _ = memory.bodiesOf(proven).take(expectedLength())) {
      byte[] bytes = receive();
      held.push(memory.forTree(JsonWeight.of(bytes)));
      return reader.apply(bytes);
    }
  }

  private String contentType() {
    try {
      return request
          .headers()
          .contentType()
          .map(t -> t.mediaType().text())
          .orElse(assumesJson ? Reply.JSON : "no content type");
    } catch (BadRequestException e) {
      return "a content type that cannot be read";
    }
  }

  private void refuseOtherEncodings() {
    String encoding = encoding();
    if (!encoding.isEmpty() && !encoding.equals("identity") && !isPacked()) {
      throw ApiError.of(
          415,
          "unsupported_encoding",
          "Send the body as it is or with Content-Encoding: gzip, and with no other encoding.");
    }
  }

  private boolean isPacked() {
    return encoding().equals("gzip") || encoding().equals("x-gzip");
  }

  private String encoding() {
    var headers = request.headers();
    return headers.contains(HeaderNames.CONTENT_ENCODING)
        ? String.join(",", headers.get(HeaderNames.CONTENT_ENCODING).allValues())
            .strip()
            .toLowerCase(Locale.ROOT)
        : "";
  }

  /** The bytes of a body of any type; their room is held until the body is closed. */
  @Override
  public byte[] bytes() {
    refuseTooLarge(declaredLength());
    refuseOtherEncodings();
    held.push(memory.bodiesOf(proven).take(expectedLength()));
    return receive();
  }

  @Override
  public void close() {
    while (!held.isEmpty()) {
      held.pop().close();
    }
  }

  private byte[] receive() {
    if (!hasEntity()) {
      return new byte[0];
    }
    try (var _ = slowClients.within(timeFor(expectedLength()))) {
      byte[] bytes = isPacked() ? unpacked() : stream().readNBytes(MAX_BYTES + 1);
      refuseTooLarge(bytes.length);
      atEnd = true;
      return bytes;
    } catch (InsufficientDataAvailableException e) {
      throw ApiError.of(400, "malformed_request", "The body is shorter than its Content-Length.");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What a gzip body holds; its packed form is never held as a whole. */
  private byte[] unpacked() throws IOException {
    var sent = new Packed(stream());
    try {
      byte[] bytes = new GZIPInputStream(sent).readNBytes(MAX_BYTES + 1);
      refuseTooLarge(bytes.length);
      if (sent.read() >= 0) {
        throw new ZipException("more than gzip");
      }
      return bytes;
    } catch (ZipException | EOFException e) {
      throw ApiError.of(
          400, "invalid_encoding", "The body is not gzip, which its Content-Encoding promises.");
    }
  }

  /** A packed body as it is sent, counted. */
  private static final class Packed extends FilterInputStream {
    private long length;

    Packed(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int size) throws IOException {
      int n = super.read(bytes, offset, size);
      length += Math.max(0, n);
      refuseTooLarge(length);
      return n;
    }

    /** The reader of gzip asks this to learn whether another member follows. */
    @Override
    public int available() {
      return 1;
    }
  }

  /**
   * The library hands its stream out once, and closing it would lose what is still to be drained.
   */
  private InputStream stream() {
    if (stream == null) {
      stream = isChunked() ? chunks() : request.content().inputStream();
    }
    return stream;
  }

  private InputStream chunks() {
    if (isAwaited()) {
      Line.askForBody();
    }
    return new Chunks(Line.reader());
  }

  /** Whether the client waits to be asked for the body. */
  private boolean isAwaited() {
    return request.headers().containsToken(HeaderValues.EXPECT_100);
  }

  private long expectedLength() {
    return isChunked() || isPacked() ? MAX_BYTES : declaredLength();
  }

  /** Whether bytes may still come that nobody has read. */
  boolean isLeftOver() {
    return hasEntity() && !atEnd;
  }

  /**
   * Reads what is left and throws it away; gives up when that is too much or takes too long. Nobody
   * else's room is taken for it.
   */
  void drain() {
    // A client that waits for 100-continue has not sent anything.
    if (isAwaited() && stream == null) {
      return;
    }
    try (var _ = slowClients.within(proven ? slowClients.readingTime() : UNPROVEN_TIME)) {
      InputStream in = stream();
      byte[] buffer = new byte[16 * 1024];
      long left = proven ? MAX_DRAINED_BYTES : MAX_UNPROVEN_BYTES;
      for (int n = 0; n >= 0 && left > 0; left -= n) {
        n = in.read(buffer);
      }
    } catch (IOException | RuntimeException e) {
      // The connection closes either way.
    }
    if (stream instanceof Chunks chunks && chunks.isBroken()) {
      Line.farewell(slowClients);
    }
  }

  /** Whether the library cannot find the end of this body: it does not read chunks. */
  boolean endsConnection() {
    return isLeftOver() || isChunked();
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
}
