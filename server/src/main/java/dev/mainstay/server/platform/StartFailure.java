package dev.mainstay.server.platform;

/** A process that cannot start; the sentence says why and what to do. */
public final class StartFailure extends RuntimeException {
  public StartFailure(String sentence) {
    super(sentence);
  }

  public StartFailure(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
