package dev.mainstay.server.forge;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The forge did not answer as it should; asking again later may help. */
public final class ForgeUnavailable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean ofHost;
  private final @Nullable Duration retryAfter;

  public ForgeUnavailable(String sentence) {
    super(sentence);
    this.ofHost = false;
    this.retryAfter = null;
  }

  public ForgeUnavailable(String sentence, Throwable cause) {
    super(sentence, cause);
    this.ofHost = false;
    this.retryAfter = null;
  }

  private ForgeUnavailable(String sentence, boolean ofHost, @Nullable Duration retryAfter) {
    super(sentence);
    this.ofHost = ofHost;
    this.retryAfter = retryAfter;
  }

  /** The host itself does not answer: its other repositories need not be asked for a while. */
  public static ForgeUnavailable ofHost(String sentence) {
    return new ForgeUnavailable(sentence, true, null);
  }

  /** The host asks not to be asked for so long. */
  public static ForgeUnavailable untilAfter(String sentence, Duration retryAfter) {
    return new ForgeUnavailable(sentence, true, retryAfter);
  }

  /** The host allows no more requests by these credentials for so long; by others it may. */
  public static ForgeUnavailable limited(String sentence, Duration retryAfter) {
    return new ForgeUnavailable(sentence, false, retryAfter);
  }

  /** The host has not got so far yet with this repository: it is worth asking again after that. */
  public static ForgeUnavailable notYet(String sentence, Duration retryAfter) {
    return new ForgeUnavailable(sentence, false, retryAfter);
  }

  /** True where no repository of the host can be had, not only this one. */
  public boolean isOfHost() {
    return ofHost;
  }

  /** The time that the host asks for; asked earlier, it does not answer. */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }
}
