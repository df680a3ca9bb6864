package dev.mainstay.server.web.page;

import com.github.benmanes.caffeine.cache.Cache;
import dev.mainstay.server.platform.Caches;
import java.util.Set;

/**
 * The beats of repositories as of now: many who ask at once are answered by one question, which
 * began after all of them had asked.
 */
final class Beats {
  private static final int MOST = 1000;

  private final Pulse pulse;
  private final Cache<Pulse.Topic, Heard> heard = Caches.ofAtMost(MOST);

  private static final class Heard {
    private boolean once;
    private long since;
    private String beat = "";
  }

  Beats(Pulse pulse) {
    this.pulse = pulse;
  }

  String now(Pulse.Topic topic) {
    long asked = System.nanoTime();
    Heard last = heard.get(topic, t -> new Heard());
    synchronized (last) {
      if (!last.once || last.since - asked < 0) {
        last.since = System.nanoTime();
        last.beat = pulse.beats(Set.of(topic)).getOrDefault(topic, "");
        last.once = true;
      }
      return last.beat;
    }
  }
}
