package dev.mainstay.server.forge.gitlab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.server.forge.ForgeKind.Given;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses of projects, as people paste them. */
class GitLabPlaceTest {
  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://gitlab.com/acme/platform/team/app",
        "https://gitlab.com/acme/platform/team/app.git",
        "https://gitlab.com/acme/platform/team/app/",
        "https://gitlab.com/acme/platform/team/app/-/merge_requests/7"
      })
  void groups_nest(String address) {
    GitLabPlace place = GitLabPlace.of(address);
    assertThat(place.location()).isEqualTo("https://gitlab.com/acme/platform/team/app");
    assertThat(place.byPath()).isEqualTo("/projects/acme%2Fplatform%2Fteam%2Fapp");
    assertThat(place.isGitLabCom()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://gitlab.com/app",
        "https://gitlab.com/acme/../app",
        "https://gitlab.com/acme//app",
        "https://gitlab.com/acme/a%2Fb",
        "ssh://git@gitlab.com/acme/app",
        "/acme/app"
      })
  void what_is_no_project_is_said_to_be_none(String address) {
    assertThatThrownBy(() -> GitLabPlace.of(address)).hasMessageContaining("such as");
  }

  @Test
  void a_token_in_an_address_is_kept_apart() {
    var given = GitLabWorld.kind(directory).read("https://oauth2:glpat-x@gitlab.example/a/b/c");
    assertThat(given).isInstanceOf(Given.Address.class);
    assertThat(((Given.Address) given).location()).isEqualTo("https://gitlab.example/a/b/c");
    assertThat(((Given.Address) given).credentials().map(GitLabToken::of)).contains("glpat-x");
    assertThat(given.toString()).doesNotContain("glpat-x");
  }

  @Test
  void a_server_is_known_by_its_answer() {
    GitLabKind kind = GitLabWorld.kind(directory);
    assertThat(kind.answersAt("https://gitlab.com/acme/platform/app")).isTrue();
    assertThat(kind.answersAt("no address")).isFalse();
    try (var world = new GitLabWorld(directory, true)) {
      assertThat(kind.answersAt(world.location())).isTrue();
    }
  }
}
