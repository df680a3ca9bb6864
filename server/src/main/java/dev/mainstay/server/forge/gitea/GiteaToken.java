package dev.mainstay.server.forge.gitea;

import dev.mainstay.server.forge.Credentials;
import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.git.copy.GitCredentials;
import java.util.regex.Pattern;

/** The access token of a connection, as it is stored: the word {@code token}, then the token. */
final class GiteaToken {
  private static final String WORD = "token\n";
  private static final Pattern TOKEN = Pattern.compile("[!-~]{1,1000}");

  private GiteaToken() {}

  /** Those of an address: its password, or its user where it has none, is the token. */
  static Credentials stored(GitCredentials given) {
    String token = given.password().isEmpty() ? given.user() : given.password();
    return new Credentials(WORD + token);
  }

  static String of(Credentials stored) {
    String text = stored.text();
    String token = text.startsWith(WORD) ? text.substring(WORD.length()) : "";
    if (!TOKEN.matcher(token).matches()) {
      throw new CredentialsRefused("The credentials of this connection are no token of Gitea.");
    }
    return token;
  }
}
