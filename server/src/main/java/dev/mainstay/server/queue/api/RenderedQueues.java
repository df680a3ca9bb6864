package dev.mainstay.server.queue.api;

import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.queue.QueueView;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The answers about queues that were asked for lately, each as of one version of its queue. */
final class RenderedQueues {
  private static final int MOST_KEPT = 200;
  private static final int MOST_BYTES = 256 * 1024;

  private record Rendered(long version, Reply reply) {}

  private final Map<String, Rendered> bySlug = new LinkedHashMap<>(16, 0.75f, true);
  private final Function<QueueView, byte[]> render;

  RenderedQueues(Function<QueueView, byte[]> render) {
    this.render = render;
  }

  Reply of(QueueView queue) {
    Rendered known = known(queue.slug());
    if (known != null && known.version() == queue.version()) {
      return known.reply();
    }
    byte[] bytes = render.apply(queue);
    Reply reply = Reply.bytes("application/json", bytes);
    keep(queue, reply, bytes.length);
    return reply;
  }

  private synchronized @Nullable Rendered known(String slug) {
    return bySlug.get(slug);
  }

  private synchronized void keep(QueueView queue, Reply reply, int length) {
    bySlug.remove(queue.slug());
    if (length <= MOST_BYTES) {
      bySlug.put(queue.slug(), new Rendered(queue.version(), reply));
    }
    if (bySlug.size() > MOST_KEPT) {
      bySlug.remove(bySlug.keySet().iterator().next());
    }
  }
}
