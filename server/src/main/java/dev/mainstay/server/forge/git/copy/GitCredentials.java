package dev.mainstay.server.forge.git.copy;

import dev.mainstay.server.forge.Credentials;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** The user and password that an http server asks for. Never printed. */
public record GitCredentials(String user, String password) {
  public static GitCredentials of(Credentials stored) {
    String[] pair = stored.text().split("\n", 2);
    return new GitCredentials(pair[0], pair[1]);
  }

  public Credentials stored() {
    return new Credentials(user + "\n" + password);
  }

  /** The http header that carries them. */
  public String header() {
    return "Authorization: " + value();
  }

  String value() {
    byte[] pair = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(pair);
  }

  @Override
  public String toString() {
    return "(kept secret)";
  }
}
