package dev.mainstay.server.forge.github;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.forge.Edit;
import dev.mainstay.server.forge.Finding;
import dev.mainstay.server.forge.Finding.Level;
import dev.mainstay.server.forge.ForgeKind.Given;
import dev.mainstay.server.forge.ForgeScene;
import dev.mainstay.server.forge.ForgeWorld;
import dev.mainstay.server.forge.HookCall;
import dev.mainstay.server.forge.HookClaim;
import dev.mainstay.server.forge.github.FakeProtection.Required;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is told when a repository is connected: its address, and what is missing. */
class GitHubSetupTest extends ForgeScene {
  @Override
  protected ForgeWorld world(Path directory) {
    return GitHubForgeTest.world(directory, false);
  }

  private FakeGitHub github() {
    return ((GitHubWorld) world).github;
  }

  private List<String> sentences(Level level) {
    return forge.findings(Set.of("main")).stream()
        .filter(f -> f.level() == level)
        .map(Finding::sentence)
        .toList();
  }

  private void workflow(String triggers) {
    world.push(
        "main",
        world.commit(
            Edit.on(main)
                .file(
                    ".github/workflows/ci.yml",
                    "name: CI\non:%s\njobs:\n  build:\n    runs-on: x\n".formatted(triggers))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        " push",
        " [push, pull_request]",
        "\n  push:\n  pull_request:\n",
        "\n  push:\n    branches: [main, 'mainstay/**']\n  pull_request:\n",
        "\n  pull_request:\n  push:\n    branches:\n      - main\n      - mainstay/**\n",
        "\n  push:\n    branches: ['**']\n"
      })
  void a_workflow_that_runs_on_test_branches_is_good(String triggers) {
    github().protection.ruled.add(new Required("build", 0));
    workflow(triggers);
    assertThat(sentences(Level.GOOD)).contains("The check build runs on test branches.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        " pull_request",
        "\n  pull_request:\n    branches: ['mainstay/**']\n",
        "\n  push:\n    branches: [main]\n",
        "\n  push:\n    branches:\n      - main\n  pull_request:\n    branches: ['**']\n",
        "\n  push:\n    branches-ignore: ['mainstay/**']\n"
      })
  void a_required_check_that_never_runs_on_test_branches_is_named_with_its_workflow(
      String triggers) {
    github().protection.ruled.add(new Required("build", 0));
    workflow(triggers);
    Finding missing =
        forge.findings(Set.of("main")).stream()
            .filter(f -> f.level() == Level.MISSING)
            .findFirst()
            .orElseThrow();
    assertThat(missing.sentence()).contains("build").contains(".github/workflows/ci.yml");
    assertThat(missing.mend().orElseThrow()).contains("'mainstay/**'");
  }

  @Test
  void a_check_of_no_workflow_and_pushes_by_others_are_advice() {
    github().protection.classic.add(new Required("jenkins", 0));
    assertThat(sentences(Level.MISSING)).isEmpty();
    assertThat(sentences(Level.ADVICE))
        .anyMatch(s -> s.contains("jenkins"))
        .anyMatch(s -> s.contains("Others than Mainstay may push to main"));
    github().protection.restrictsUpdates = true;
    assertThat(sentences(Level.ADVICE)).noneMatch(s -> s.contains("Others than"));
  }

  @Test
  void a_token_without_its_scopes_is_told() {
    assertThat(sentences(Level.GOOD)).contains("The token may work on the repository.");
    github().tokens.person(FakeGitHub.TOKEN, "mainstay-bot", "public_repo");
    assertThat(sentences(Level.MISSING)).contains("The token lacks the scope repo.");
  }

  @ParameterizedTest
  @CsvSource({
    "https://github.com/acme/app, https://github.com/acme/app, https://api.github.com",
    "https://github.com/acme/app.git/, https://github.com/acme/app, https://api.github.com",
    "https://GitHub.com/acme/a.b, https://github.com/acme/a.b, https://api.github.com",
    "https://git.acme.example/a/b, https://git.acme.example/a/b, https://git.acme.example/api",
    "https://acme.ghe.com/a/b, https://acme.ghe.com/a/b, https://api.acme.ghe.com",
    "http://127.0.0.1:81/a/b, http://127.0.0.1:81/a/b, http://127.0.0.1:81/api"
  })
  void addresses_are_read(String text, String location, String api) {
    GitHubAddress address = GitHubAddress.parse(text).address();
    assertThat(address.location()).isEqualTo(location);
    assertThat(address.api()).hasToString(api);
  }

  @ParameterizedTest
  @CsvSource({
    "https://github.com, https://github.com, https://api.github.com, ''",
    "https://www.GitHub.com:443/, https://github.com, https://api.github.com, ''",
    "https://acme.ghe.com, https://acme.ghe.com, https://api.acme.ghe.com, ''",
    "https://git.acme.example:8443, https://git.acme.example:8443, https://git.acme.example:8443/api, /v3",
    "http://localhost:81, http://localhost:81, http://localhost:81/api, /v3"
  })
  void the_address_of_a_github_is_read(String text, String location, String api, String rest) {
    GitHubSite site = GitHubSite.parse(text);
    assertThat(site.location()).isEqualTo(location);
    assertThat(site.api()).hasToString(api);
    assertThat(site.rest()).isEqualTo(rest);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://github.com/acme",
        "https://github.com/acme/app/pulls",
        "https://github.com/acme/..",
        "https://github.com/acme/app?x=1",
        "http://github.com/acme/app",
        "git@github.com:acme/app.git",
        "/srv/git/app.git",
        ""
      })
  void other_addresses_are_refused_with_a_sentence(String text) {
    assertThat(GitHubForgeTest.kind(directory).read(text))
        .isInstanceOfSatisfying(
            Given.Fault.class, fault -> assertThat(fault.sentence()).matches("[A-Z].*[.…]"));
  }

  @Test
  void a_host_is_known_by_its_name_or_by_what_it_says_of_itself() {
    GitHubKind kind = GitHubForgeTest.kind(directory);
    assertThat(kind.answersAt("https://github.com/acme/app")).isTrue();
    assertThat(kind.answersAt("https://acme.ghe.com/acme/app")).isTrue();
    assertThat(kind.answersAt(github().address() + "/acme/app")).isTrue();
    assertThat(kind.answersAt("/srv/git/app.git")).isFalse();
    String address = github().address();
    github().close();
    assertThat(kind.answersAt(address + "/acme/app")).isFalse();
  }

  @Test
  void a_hook_is_proven_by_its_secret_alone() {
    byte[] body = "{\"repository\":{\"full_name\":\"acme/app\"}}".getBytes(UTF_8);
    String signature = "4eb3efcb29c66fd74032bc98ccce766054ae173e7bb402f6ccc3aa568952efd4";
    var call =
        new HookCall(
            name ->
                name.equals("X-Hub-Signature-256")
                    ? Optional.of("sha256=" + signature)
                    : Optional.empty(),
            body);
    HookClaim claim = GitHubForgeTest.kind(directory).claim(call).orElseThrow();
    assertThat(claim.path()).isEqualTo("acme/app");
    assertThat(claim.provenBy().test("It's a Secret to Everybody")).isTrue();
    assertThat(claim.provenBy().test("another")).isFalse();
  }

  @Test
  void a_token_in_the_address_is_kept_apart_from_it() {
    for (String user : List.of("s3cr3t", "x-access-token:s3cr3t", "s3cr3t:")) {
      Given.Address given =
          (Given.Address)
              GitHubForgeTest.kind(directory).read("https://" + user + "@github.com/acme/app");
      assertThat(given.location()).isEqualTo("https://github.com/acme/app");
      assertThat(given.credentials().orElseThrow().text()).isEqualTo("token\ns3cr3t");
      assertThat(given.toString()).doesNotContain("s3cr3t");
    }
  }
}
