package dev.mainstay.server.forge.git;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.forge.git.GitAddress.Credentials;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GitAddressTest {
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
    assertThat(GitAddress.fault(text)).isEmpty();
    assertThat(GitAddress.parse(text)).hasToString(text);
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
    assertThat(GitAddress.fault(text).orElseThrow()).matches("[A-Z].*\\.").doesNotContain("secret");
  }

  @Test
  void too_long_is_too_long() {
    assertThat(GitAddress.fault("/" + "x".repeat(3000))).isPresent();
  }

  @Test
  void credentials_are_kept_apart_and_never_shown() {
    GitAddress address = GitAddress.parse("https://bot:p%40ss+w@example.org/a/app.git");
    assertThat(address.location()).isEqualTo("https://example.org/a/app.git");
    assertThat(address.credentials()).contains(new Credentials("bot", "p@ss+w"));
    assertThat(address.toString() + address.credentials())
        .doesNotContain("p@ss")
        .doesNotContain("bot");
    assertThat(address.authorization()).contains("Authorization: Basic Ym90OnBAc3Mrdw==");
    assertThat(GitAddress.parse("https://token@example.org/app").credentials())
        .contains(new Credentials("token", ""));
    assertThat(GitAddress.parse("/srv/app").credentials()).isEmpty();
  }

  @Test
  void a_web_address_leads_to_its_pull_requests() {
    assertThat(GitAddress.parse("https://bot:x@example.org/a/app.git").pullRequestUrl(7))
        .isEqualTo("https://example.org/a/app/pull/7");
    assertThat(GitAddress.parse("/srv/app.git").pullRequestUrl(7)).isEmpty();
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
