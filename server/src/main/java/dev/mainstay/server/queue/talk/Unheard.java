package dev.mainstay.server.queue.talk;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.ForgeUnavailable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Words that a host does not take of us, such as on a conversation that somebody locked: they are
 * dropped, and keep nobody else from being told.
 */
final class Unheard {
  private static final Logger log = LoggerFactory.getLogger("queue");

  private Unheard() {}

  /**
   * False where it was dropped. A host that cannot be had at all, or that asks to be left alone for
   * a while, is another matter: that waits.
   */
  static boolean unless(Place place, PullRequestRef pr, Runnable said) {
    try {
      said.run();
      return true;
    } catch (CredentialsRefused e) {
      log.info("{} of repository {} is not told: {}", pr, place.repositoryId(), e.getMessage());
    } catch (ForgeUnavailable e) {
      if (e.isOfHost() || e.retryAfter().isPresent()) {
        throw e;
      }
      log.info("{} of repository {} is not told: {}", pr, place.repositoryId(), e.getMessage());
    }
    return false;
  }
}
