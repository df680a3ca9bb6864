package dev.mainstay.server.forge.git;

/** The copy of the repository on this node's disk is not usable; it can be made anew. */
final class CacheBroken extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CacheBroken(String sentence) {
    super(sentence);
  }

  CacheBroken(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
