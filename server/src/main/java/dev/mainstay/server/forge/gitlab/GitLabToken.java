package dev.mainstay.server.forge.gitlab;

import dev.mainstay.server.forge.Credentials;
import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.HostCredentials;
import dev.mainstay.server.forge.git.copy.GitCredentials;
import java.util.regex.Pattern;

/** The access token of a connection: of a person, a project or a group. */
final class GitLabToken {
  private static final Pattern TOKEN = Pattern.compile("[!-~]{1,1000}");

  private GitLabToken() {}

  /** Those of an address: its password, or its user where it has none, is the token. */
  static Credentials stored(GitCredentials given) {
    String token = given.password().isEmpty() ? given.user() : given.password();
    return new HostCredentials.Token(token).stored();
  }

  static String of(Credentials stored) {
    if (HostCredentials.of(stored) instanceof HostCredentials.Token(String token)
        && TOKEN.matcher(token).matches()) {
      return token;
    }
    throw new CredentialsRefused("The credentials of this connection are no token of GitLab.");
  }

  /** GitLab takes any name with a token. */
  static GitCredentials forGit(String token) {
    return new GitCredentials("mainstay", token);
  }
}
