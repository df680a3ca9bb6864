package dev.mainstay.server.forge.gitlab;

import dev.mainstay.server.forge.ForgeUnavailable;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * How long GitLab is waited for: it works off pushes in the background, and shows them a few
 * seconds later.
 */
record Patience(Duration pauseBetween, int times) {
  static final Patience USUAL = new Patience(Duration.ofSeconds(1), 20);

  /** False where it did not come true in all that time. */
  boolean until(BooleanSupplier shown) {
    for (int i = 0; i < times; i++) {
      if (shown.getAsBoolean()) {
        return true;
      }
      pause();
    }
    return shown.getAsBoolean();
  }

  void pause() {
    try {
      Thread.sleep(pauseBetween);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ForgeUnavailable("The work was interrupted.", e);
    }
  }
}
