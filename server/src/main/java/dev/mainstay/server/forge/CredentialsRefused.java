package dev.mainstay.server.forge;

/**
 * The forge does not accept the credentials of the connection, or they do not allow what was asked.
 * Asking again does not help; connecting again with others does.
 */
public final class CredentialsRefused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public CredentialsRefused(String sentence) {
    super(sentence);
  }

  /** The fault of the connection, with what to do about it. */
  public String advice() {
    return getMessage() + " Connect the repository again with credentials that work.";
  }
}
