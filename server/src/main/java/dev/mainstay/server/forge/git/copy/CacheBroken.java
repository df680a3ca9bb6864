package dev.mainstay.server.forge.git.copy;

/** The copy of the repository on this node's disk is not usable; it can be made anew. */
public final class CacheBroken extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CacheBroken(String sentence) {
    super(sentence);
  }

  CacheBroken(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
