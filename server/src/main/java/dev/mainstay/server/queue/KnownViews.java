package dev.mainstay.server.queue;

import java.util.LinkedHashMap;
import java.util.Map;

/** The last view of each queue that was asked for: it is right for as long as the version is. */
final class KnownViews {
  private static final int MOST = 200;

  private final Map<Long, QueueView> views = new LinkedHashMap<>(16, 0.75f, true);

  QueueView of(OpenQueue queue) {
    synchronized (views) {
      QueueView known = views.get(queue.id());
      if (known != null && known.version() == queue.version()) {
        return known;
      }
    }
    QueueView view = Views.of(queue);
    synchronized (views) {
      views.put(queue.id(), view);
      if (views.size() > MOST) {
        views.remove(views.keySet().iterator().next());
      }
    }
    return view;
  }
}
