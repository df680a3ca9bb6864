package dev.mainstay.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** So many browsers that follow one page. */
final class PageViewers implements AutoCloseable {
  private static final Duration LONGEST = Duration.ofMinutes(1);
  private static final Duration LOOK_EVERY = Duration.ofMillis(1);

  private final List<PageViewer> viewers = new ArrayList<>();
  private final AtomicIntegerArray reads;

  PageViewers(int port, String cookie, String path, int count) throws IOException {
    reads = new AtomicIntegerArray(count);
    String live = "/live?repo=bench.local%2Facme%2Fshop&seen=";
    for (int i = 0; i < count; i++) {
      int number = i;
      var viewer = new PageViewer(port, cookie, path, live, () -> reads.incrementAndGet(number));
      viewers.add(viewer);
      Thread.ofVirtual().start(viewer::follow);
    }
  }

  /** How often each has read the page by now. */
  int[] soFar() {
    return IntStream.range(0, reads.length()).map(reads::get).toArray();
  }

  /** Waits until each has read the page once more. */
  void awaitAll(int[] before) {
    long end = System.nanoTime() + LONGEST.toNanos();
    for (int i = 0; i < before.length; i++) {
      while (reads.get(i) <= before[i]) {
        if (System.nanoTime() > end) {
          throw new IllegalStateException("not everybody saw the change in " + LONGEST);
        }
        LockSupport.parkNanos(LOOK_EVERY.toNanos());
      }
    }
  }

  long reads() {
    return IntStream.range(0, reads.length()).mapToLong(reads::get).sum();
  }

  @Override
  public void close() throws IOException {
    for (PageViewer viewer : viewers) {
      viewer.close();
    }
  }
}
