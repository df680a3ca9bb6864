package dev.mainstay.server.forge.gitea;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.server.forge.Credentials;
import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.forge.ForgeKind.Given;
import dev.mainstay.server.forge.Reach;
import dev.mainstay.server.forge.git.copy.GitLimits;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses and tokens of Gitea. */
class GiteaKindTest {
  @TempDir private Path caches;

  private GiteaKind kind() {
    return new GiteaKind(caches, GitLimits.USUAL, InstantSource.system(), Reach.usual());
  }

  @Test
  void an_address_is_that_of_the_page_with_or_without_git() {
    var expected =
        new Given.Address("https://git.example.org/acme/shop", "git.example.org", Optional.empty());
    assertThat(kind().read("https://git.example.org/acme/shop")).isEqualTo(expected);
    assertThat(kind().read("https://git.example.org/acme/shop.git")).isEqualTo(expected);
    assertThat(kind().read("https://git.example.org/acme/shop/")).isEqualTo(expected);
    assertThat(kind().read("http://host:3000/sub/path/acme/my.app"))
        .isEqualTo(
            new Given.Address(
                "http://host:3000/sub/path/acme/my.app", "host:3000", Optional.empty()));
  }

  @Test
  void a_token_in_the_address_is_taken_out_of_it() {
    var expected = Optional.of(new Credentials("token\nsecret"));
    assertThat(kind().read("https://ada:secret@git.example.org/acme/shop"))
        .isEqualTo(
            new Given.Address("https://git.example.org/acme/shop", "git.example.org", expected));
    assertThat(kind().read("https://secret@git.example.org/acme/shop"))
        .isEqualTo(
            new Given.Address("https://git.example.org/acme/shop", "git.example.org", expected));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://git.example.org/shop",
        "https://git.example.org/acme/..",
        "https://git.example.org/../shop",
        "https://git.example.org/acme/shop?x=1",
        "https://git.example.org/ac me/shop",
        "git@git.example.org:acme/shop.git",
        "/srv/git/shop.git",
        "nonsense"
      })
  void what_is_no_address_of_a_repository_is_said_to_be_none(String address) {
    assertThat(kind().read(address)).isInstanceOf(Given.Fault.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"token\n", "secret", "token\na b", "token\na\nb", "app\n1\nkey"})
  void credentials_that_are_no_token_are_refused_before_anything_is_asked(String stored) {
    try (Forge forge =
        kind().open("http://127.0.0.1:1/a/b", () -> Optional.of(new Credentials(stored)))) {
      assertThatThrownBy(() -> forge.requiredStatuses("main"))
          .isInstanceOf(CredentialsRefused.class)
          .message()
          .doesNotContain("secret");
    }
  }
}
