package dev.mainstay.server.platform.http;

import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.DiskFull;
import dev.mainstay.server.platform.LastWords;
import io.helidon.http.Header;
import io.helidon.http.HeaderValues;
import io.helidon.webserver.CloseConnectionException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A surface, its headers as the library sends them, and its answers, whatever happens. */
record Wire(Surface surface, List<Header> headers) {
  private static final Logger log = LoggerFactory.getLogger("http");

  /** An answer in the words of its surface; no bytes where it is streamed. */
  @SuppressWarnings("ArrayRecordComponent") // Sent once, never compared.
  record Written(Reply reply, byte[] bytes) {}

  static Wire of(Surface surface) {
    return new Wire(
        surface,
        surface.headers().entrySet().stream()
            .map(header -> HeaderValues.createCached(header.getKey(), header.getValue()))
            .toList());
  }

  /** What comes of this work: its reply, or the error that says why there is none. */
  Written answer(Arrival arrival, String requestId, Supplier<Reply> work) {
    try {
      return written(work.get());
    } catch (ApiError e) {
      return error(arrival, requestId, e);
    } catch (Database.Unavailable e) {
      log.warn("the database does not answer: {}", e.getMessage());
      return error(arrival, requestId, ApiError.unavailable());
    } catch (Database.Busy e) {
      log.warn("the database is held by others: {}", e.getMessage());
      return error(arrival, requestId, ApiError.busy());
    } catch (DiskFull e) {
      log.warn("a disk is full: {}", e.getMessage());
      return error(arrival, requestId, ApiError.diskFull());
    } catch (CloseConnectionException | UncheckedIOException e) {
      throw new CloseConnectionException("the client is gone", e);
    } catch (RuntimeException | Error e) {
      LastWords.ifFatal(e);
      log.error("request failed", e);
      return error(arrival, requestId, ApiError.internal());
    }
  }

  Written error(Arrival arrival, String requestId, ApiError error) {
    return written(surface.errors().reply(error, arrival, requestId));
  }

  private Written written(Reply reply) {
    return new Written(
        reply,
        switch (reply.content()) {
          case Reply.Value v -> surface.words().write(v.value());
          case Reply.Bytes b -> b.bytes();
          case Reply.Stream _ -> new byte[0];
        });
  }
}
