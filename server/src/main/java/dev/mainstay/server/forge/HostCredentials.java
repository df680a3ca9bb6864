package dev.mainstay.server.forge;

/** Credentials for the API of a host, in the one form in which they are stored. Never printed. */
public sealed interface HostCredentials {
  /** A token of a person or a machine. */
  record Token(String token) implements HostCredentials {
    @Override
    public String toString() {
      return SECRET;
    }
  }

  /** An App, which makes tokens by its private key. */
  record App(String id, String privateKey) implements HostCredentials {
    @Override
    public String toString() {
      return SECRET;
    }
  }

  String SECRET = "(kept secret)";

  default Credentials stored() {
    return switch (this) {
      case Token(String token) -> new Credentials("token\n" + token);
      case App(String id, String key) -> new Credentials("app\n" + id + "\n" + key);
    };
  }

  static HostCredentials of(Credentials stored) {
    String[] parts = stored.text().split("\n", 3);
    return switch (parts[0]) {
      case "token" -> new Token(parts[1]);
      case "app" -> new App(parts[1], parts[2]);
      default -> throw new IllegalArgumentException("not credentials of a host");
    };
  }
}
