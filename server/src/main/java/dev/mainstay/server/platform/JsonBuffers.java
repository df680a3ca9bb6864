package dev.mainstay.server.platform;

import java.util.concurrent.atomic.AtomicReferenceArray;
import tools.jackson.core.util.BufferRecycler;
import tools.jackson.core.util.RecyclerPool;

/**
 * The buffers of those who read and write JSON. Each thread looks in a place of its own, which it
 * shares with few others: a queue that all share is what they would wait for. Nothing is kept
 * beyond those places, and whoever finds none makes new ones.
 */
final class JsonBuffers implements RecyclerPool<BufferRecycler> {
  static final JsonBuffers POOL = new JsonBuffers();

  private static final long serialVersionUID = 1L;

  /** A power of two. */
  private static final int PLACES = 64;

  private final transient AtomicReferenceArray<BufferRecycler> places =
      new AtomicReferenceArray<>(PLACES);

  private JsonBuffers() {}

  private static int place() {
    return (int) Thread.currentThread().threadId() & (PLACES - 1);
  }

  @Override
  public BufferRecycler acquirePooled() {
    BufferRecycler kept = places.getAndSet(place(), null);
    return kept == null ? new BufferRecycler() : kept;
  }

  @Override
  public void releasePooled(BufferRecycler used) {
    places.setRelease(place(), used);
  }

  private Object readResolve() {
    return POOL;
  }
}
