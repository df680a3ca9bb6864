package dev.mainstay.server.forge;

import java.util.function.Supplier;

/**
 * The purpose of what is asked of a host, for as long as it goes on in a thread. Where a host
 * allows only so many requests, those that matter less leave some to the others.
 */
public enum Purpose {
  LANDING(0),
  LOOKING(10),
  TALKING(25);

  private static final ScopedValue<Purpose> NOW = ScopedValue.newInstance();

  private final int percentLeft;

  Purpose(int percentLeft) {
    this.percentLeft = percentLeft;
  }

  /** The purpose of this thread now: looking, where nobody says otherwise. */
  public static Purpose now() {
    return NOW.orElse(LOOKING);
  }

  /** Of all that is allowed, the part that is left to others, in percent. */
  public int percentLeft() {
    return percentLeft;
  }

  public <T> T during(Supplier<T> work) {
    return ScopedValue.where(NOW, this).call(work::get);
  }
}
