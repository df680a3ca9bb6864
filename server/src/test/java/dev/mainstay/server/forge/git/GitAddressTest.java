package dev.mainstay.server.forge.git;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.forge.ForgeKind.Given;
import dev.mainstay.server.forge.Reach;
import dev.mainstay.server.forge.git.copy.GitAddress;
import dev.mainstay.server.forge.git.copy.GitCredentials;
import dev.mainstay.server.forge.git.copy.GitLimits;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GitAddressTest {
  private static final GitKind KIND =
      new GitKind(Path.of("unused"), GitLimits.USUAL, Reach.usual());

  private static Given.Address read(String text) {
    return (Given.Address) KIND.read(text);
  }

  private static String fault(String text) {
    return ((Given.Fault) KIND.read(text)).sentence();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/srv/git/app.git",
        "/srv/a:b/app.git",
        "file:///srv/git/app.git",
        "https://example.org/a/app.git",
        "http://127.0.0.1:8080/app",
        "http://[::1]:8080/app",
        "ssh://git@example.org:2222/a/app.git",
        "git@example.org:a/app.git",
        "host.example.org:app.git"
      })
  void good_addresses_are_kept_as_they_are(String text) {
    assertThat(read(text).location()).isEqualTo(text);
    assertThat(read(text).credentials()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "app.git",
        "../app.git",
        "ext::sh -c touch% x",
        "ext::sh",
        "fd::17",
        "--upload-pack=touch",
        "-oProxyCommand=x",
        "ssh://-oProxyCommand=x/app",
        "ssh://git@-oProxyCommand=x/app",
        "ssh://-l@example.org/app",
        "ssh://git:secret@example.org/app",
        "-x@example.org:app",
        "example.org:-app",
        "git://example.org/app.git",
        "ftp://example.org/app.git",
        "https://",
        "https:///app.git",
        "https://example.org",
        "https://example.org/",
        "https://exa mple.org/app",
        "https://example.org/app\n--upload-pack=x",
        "/srv/git/\u0000app",
        "/srv/git/app\r",
        "file://elsewhere/app.git",
        "file://",
        "https://user@evil@example.org/app",
        "https://bot:secret%zz@example.org/app"
      })
  void everything_else_is_refused_with_a_sentence(String text) {
    assertThat(fault(text)).matches("[A-Z].*\\.").doesNotContain("secret");
  }

  @Test
  void too_long_is_too_long() {
    assertThat(fault("/" + "x".repeat(3000))).contains("2000");
  }

  @Test
  void credentials_are_kept_apart_and_never_shown() {
    Given.Address address = read("https://bot:p%40ss+w@example.org/a/app.git");
    assertThat(address.location()).isEqualTo("https://example.org/a/app.git");
    assertThat(address.toString()).doesNotContain("p@ss").doesNotContain("bot");
    var credentials = address.credentials().map(GitCredentials::of).orElseThrow();
    assertThat(credentials).isEqualTo(new GitCredentials("bot", "p@ss+w"));
    assertThat(credentials.toString()).doesNotContain("p@ss").doesNotContain("bot");
    assertThat(credentials.header()).isEqualTo("Authorization: Basic Ym90OnBAc3Mrdw==");
    assertThat(read("https://token@example.org/app").credentials().map(GitCredentials::of))
        .contains(new GitCredentials("token", ""));
  }

  @ParameterizedTest
  @CsvSource({
    "/srv/git/app.git, ''",
    "file:///srv/git/app.git, ''",
    "https://bot:x@example.org/a/app.git, example.org",
    "http://127.0.0.1:8080/app, 127.0.0.1:8080",
    "http://[::1]:8080/app, [::1]:8080",
    "ssh://git@example.org:2222/a/app.git, example.org:2222",
    "git@example.org:a/app.git, example.org",
    "http.example.org:app.git, http.example.org",
    "host.example.org:app@2.git, host.example.org"
  })
  void the_host_is_who_is_asked(String text, String host) {
    assertThat(read(text).host()).isEqualTo(host);
  }

  @Test
  void a_web_address_leads_to_its_pull_requests() {
    assertThat(new GitAddress("https://example.org/a/app.git").pullRequestUrl(7))
        .isEqualTo("https://example.org/a/app/pull/7");
    assertThat(new GitAddress("/srv/app.git").pullRequestUrl(7)).isEmpty();
  }

  @Test
  void an_old_git_and_a_missing_one_are_said_to_be() {
    assertThat(GitVersion.fault()).isEmpty();
    assertThat(GitVersion.fault(Optional.of("git version 2.39.5\n"))).isEmpty();
    assertThat(GitVersion.fault(Optional.of("git version 3.0.1 (Apple)"))).isEmpty();
    assertThat(GitVersion.fault(Optional.of("git version 2.30.2")))
        .contains("git is too old: it is 2.30 and must be 2.39 or newer.");
    assertThat(GitVersion.fault(Optional.empty()))
        .contains("git is not here; install git 2.39 or newer.");
  }
}
