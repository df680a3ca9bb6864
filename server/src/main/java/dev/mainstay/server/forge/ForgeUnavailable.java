package dev.mainstay.server.forge;

/** The forge did not answer as it should; asking again later may help. */
public final class ForgeUnavailable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ForgeUnavailable(String sentence) {
    super(sentence);
  }

  public ForgeUnavailable(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
