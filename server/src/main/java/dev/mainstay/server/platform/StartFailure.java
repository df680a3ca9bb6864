package dev.mainstay.server.platform;

/** Why the process cannot start, in one sentence that says what to do. */
public final class StartFailure extends RuntimeException {
  public StartFailure(String sentence) {
    super(sentence);
  }

  public StartFailure(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
