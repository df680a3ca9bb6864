package dev.mainstay.server.web.page;

import com.github.benmanes.caffeine.cache.Cache;
import dev.mainstay.server.platform.Caches;
import dev.mainstay.server.platform.http.Origin;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Scope;
import java.time.Duration;
import java.util.Set;
import java.util.function.Function;

/** The pages that were drawn lately, each for all who may see the same and as of one beat. */
final class Drawn {
  /** What a page shows may also depend on the time, a little. */
  private static final Duration FRESH = Duration.ofSeconds(10);

  private static final int MOST_BYTES = 50 * 1024 * 1024;
  private static final int MOST_BYTES_EACH = 1024 * 1024;

  private final Cache<Key, Page> pages = Caches.weighing(MOST_BYTES, Page::weight);

  private record Key(
      long organizationId,
      Set<Scope> scopes,
      boolean signedIn,
      String path,
      String query,
      Origin origin,
      boolean packed) {}

  private record Page(Reply reply, String beat, String formToken, long since) {
    int weight() {
      return reply.size();
    }
  }

  Reply of(Visit visit, Function<Visit, Reply> draw) {
    if (visit.beat().isEmpty()) {
      return draw.apply(visit);
    }
    var request = visit.request();
    var key =
        new Key(
            visit.caller().organizationId(),
            visit.caller().scopes(),
            visit.visitor().isPresent(),
            request.rawPath(),
            request.rawQuery(),
            request.origin(),
            Packed.unpacks(request));
    return pages
        .asMap()
        .compute(key, (k, last) -> last != null && isGood(last, visit) ? last : drawn(visit, draw))
        .reply();
  }

  private static boolean isGood(Page page, Visit visit) {
    return page.beat().equals(visit.beat())
        && page.formToken().equals(visit.formToken())
        && System.nanoTime() - page.since() < FRESH.toNanos();
  }

  private static Page drawn(Visit visit, Function<Visit, Reply> draw) {
    long since = System.nanoTime();
    Reply reply = draw.apply(visit);
    boolean keep = reply.status() == 200 && reply.size() <= MOST_BYTES_EACH;
    return new Page(reply, keep ? visit.beat() : "", visit.formToken(), since);
  }
}
