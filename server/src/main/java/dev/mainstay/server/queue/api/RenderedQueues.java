package dev.mainstay.server.queue.api;

import com.github.benmanes.caffeine.cache.Cache;
import dev.mainstay.server.platform.Caches;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.queue.QueueView;
import java.util.function.Function;

/** The answers about queues that were asked for lately, each as of one version of its queue. */
final class RenderedQueues {
  private static final int MOST_BYTES = 50 * 1024 * 1024;
  private static final int MOST_BYTES_EACH = 256 * 1024;

  private record Rendered(long version, Reply reply, int bytes) {}

  private final Cache<String, Rendered> bySlug = Caches.weighing(MOST_BYTES, Rendered::bytes);
  private final Function<QueueView, byte[]> render;

  RenderedQueues(Function<QueueView, byte[]> render) {
    this.render = render;
  }

  Reply of(QueueView queue) {
    Rendered known = bySlug.getIfPresent(queue.slug());
    if (known != null && known.version() == queue.version()) {
      return known.reply();
    }
    byte[] bytes = render.apply(queue);
    Reply reply = Reply.bytes("application/json", bytes);
    if (bytes.length <= MOST_BYTES_EACH) {
      bySlug.put(queue.slug(), new Rendered(queue.version(), reply, bytes.length));
    }
    return reply;
  }
}
