package dev.mainstay.server.access.oidc;

/** An identity provider that does not answer, or not as it must. */
final class ProviderFault extends Exception {
  private static final long serialVersionUID = 1L;

  private final String sentence;

  /** The sentence is for whoever wants to sign in, the detail for the log. */
  ProviderFault(String sentence, String detail) {
    super(detail);
    this.sentence = sentence;
  }

  String sentence() {
    return sentence;
  }
}
