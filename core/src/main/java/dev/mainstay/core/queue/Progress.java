package dev.mainstay.core.queue;

import java.time.Instant;
import java.util.Optional;

/**
 * The last time that something moved in a queue: somebody came to where nobody was, a test branch
 * was built, a status came, somebody passed, failed or merged, users let the queue go on or stopped
 * it. A stall is one that was seen since then. Those who come while others wait move nothing, and
 * neither do those who are taken out.
 */
public record Progress(Optional<Instant> movedAt, Optional<Stall> stall) {
  /** Nothing has moved yet. */
  public static final Progress NONE = new Progress(Optional.empty(), Optional.empty());

  public Progress moved(Instant now) {
    return new Progress(Optional.of(now), Optional.empty());
  }

  public Progress stalled(Stall seen) {
    return new Progress(movedAt, Optional.of(seen));
  }

  public Progress well() {
    return stall.isEmpty() ? this : new Progress(movedAt, Optional.empty());
  }
}
