package dev.mainstay.server.forge.github;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.server.forge.Credentials;
import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.Edit;
import dev.mainstay.server.forge.Finding;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.forge.ForgeScene;
import dev.mainstay.server.forge.ForgeWorld;
import dev.mainstay.server.forge.GitRepository.Head;
import dev.mainstay.server.forge.GitRepository.Method;
import dev.mainstay.server.forge.Host;
import dev.mainstay.server.forge.Host.Verdict;
import dev.mainstay.server.forge.HostCredentials;
import dev.mainstay.server.forge.Reach;
import dev.mainstay.server.forge.git.copy.GitLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An App: signed claims, tokens that are made anew, one check run that changes. */
class GitHubAppTest extends ForgeScene {
  private static final String TOKENS = "POST app/installations/ID/access_tokens";
  private final AtomicReference<Duration> wrong = new AtomicReference<>(Duration.ZERO);

  @Override
  protected ForgeWorld world(Path directory) {
    return new GitHubWorld(directory, false, this::connected);
  }

  private Forge connected(FakeGitHub github, Path caches) {
    return connected(github, caches, credentials(github, false));
  }

  private Forge connected(FakeGitHub github, Path caches, Credentials credentials) {
    var kind =
        new GitHubKind(
            caches, GitLimits.USUAL, () -> Instant.now().plus(wrong.get()), Reach.usual());
    return kind.open(github.address() + "/acme/app", () -> Optional.of(credentials));
  }

  /** The key as PKCS#8, or, what is inside of that, as PKCS#1. */
  private static Credentials credentials(FakeGitHub github, boolean inside) {
    byte[] key = github.tokens.privateKey();
    byte[] der = inside ? Arrays.copyOfRange(key, 26, key.length) : key;
    String words = inside ? "RSA PRIVATE KEY" : "PRIVATE KEY";
    String text = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(der);
    return app(
        FakeTokens.APP, "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(words, text, words));
  }

  private static Credentials app(String id, String privateKey) {
    return new HostCredentials.App(id, privateKey).stored();
  }

  private FakeGitHub github() {
    return ((GitHubWorld) world).github;
  }

  private Host host() {
    return forge.host().orElseThrow();
  }

  @Test
  void one_token_serves_api_and_git_and_a_landing() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    CommitSha tested = built("mainstay/main/r1", main, one);
    assertThat(forge.git().land(landing(Method.SQUASH, main, Optional.of(tested), one)).fault())
        .isEmpty();
    assertThat(github().pulls.pull(1).merged).isTrue();
    assertThat(github().checks.passed(tested.value(), "mainstay")).isTrue();
    assertThat(github().faults.count(TOKENS)).isEqualTo(1);
  }

  @Test
  void the_key_may_be_in_the_form_that_github_gives() {
    try (Forge other =
        connected(github(), directory.resolve("other"), credentials(github(), true))) {
      assertThat(other.heads().branches()).containsKey("main");
    }
  }

  @Test
  void a_token_is_made_anew_before_it_ends() {
    github().tokens.lasting(Duration.ofMinutes(4));
    host().statuses(main);
    assertThat(github().faults.count(TOKENS)).isEqualTo(2);
    github().tokens.lasting(Duration.ofMinutes(6));
    host().statuses(main);
    host().statuses(main);
    assertThat(github().faults.count(TOKENS)).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(ints = {-120, -2, 2, 120})
  void a_clock_that_is_wrong_does_no_harm(int minutes) {
    wrong.set(Duration.ofMinutes(minutes));
    host().statuses(main);
    host().statuses(main);
    assertThat(github().faults.count(TOKENS)).isEqualTo(1);
  }

  @Test
  void repositories_of_one_installation_share_its_token() {
    var kind =
        new GitHubKind(
            directory.resolve("two"), GitLimits.USUAL, InstantSource.system(), Reach.usual());
    for (int again = 0; again < 2; again++) {
      try (Forge one = kind.open(github().address() + "/acme/app", this::credentials)) {
        one.host().orElseThrow().statuses(main);
      }
    }
    assertThat(github().faults.count(TOKENS)).isEqualTo(1);
  }

  private Optional<Credentials> credentials() {
    return Optional.of(credentials(github(), false));
  }

  @Test
  void a_token_that_is_refused_is_made_anew_once() {
    host().statuses(main);
    github().tokens.revokeAll();
    assertThat(host().statuses(main)).isEmpty();
    assertThat(github().faults.count(TOKENS)).isEqualTo(2);
    github().tokens.uninstall();
    assertThatThrownBy(() -> host().statuses(main))
        .isInstanceOf(CredentialsRefused.class)
        .hasMessageContaining("not installed");
  }

  @Test
  void another_key_is_refused_and_no_key_is_shown() {
    String pem = "-----BEGIN RSA PRIVATE KEY-----\nc2VjcmV0\n-----END RSA PRIVATE KEY-----";
    for (Credentials wrong :
        List.of(
            app(FakeTokens.APP, pem),
            app("4712", credentials(github(), false).text()),
            app("\"x", credentials(github(), false).text()),
            new Credentials("app\n1"),
            new Credentials(""))) {
      try (Forge other = connected(github(), directory.resolve("other"), wrong)) {
        assertThatThrownBy(other::heads)
            .isInstanceOf(CredentialsRefused.class)
            .hasMessageNotContaining("c2VjcmV0");
        assertThat(wrong.toString()).doesNotContain("PRIVATE");
      }
    }
  }

  private Host.Check check(Verdict verdict, String title) {
    return new Host.Check(main, "mainstay", verdict, title, "", Optional.of("https://m.example/1"));
  }

  @Test
  void our_check_is_one_run_that_changes() {
    host().write(check(Verdict.PENDING, "3rd in line"));
    host().write(check(Verdict.FAILURE, "Failed"));
    world.node().host().orElseThrow().write(check(Verdict.PENDING, "2nd in line"));
    assertThat(github().checks.runs(main.value())).hasSize(1);
    var run = github().checks.runs(main.value()).getFirst().json();
    assertThat(run.get("status").asString()).isEqualTo("in_progress");
    assertThat(run.get("conclusion").isNull()).isTrue();
    assertThat(run.get("output").get("title").asString()).isEqualTo("2nd in line");
    assertThat(run.get("details_url").asString()).isEqualTo("https://m.example/1");
    assertThat(host().statuses(main)).isEmpty();
    host().write(check(Verdict.NONE, "Left"));
    assertThat(github().checks.passed(main.value(), "mainstay")).isFalse();
  }

  @Test
  void a_check_of_another_app_is_asked_for_again() {
    github().checks.report(main.value(), "build", 7, Optional.of("cancelled"));
    assertThat(host().rerun(main, "build")).isTrue();
    assertThat(host().statuses(main).getFirst().verdict()).isEqualTo(Verdict.PENDING);
  }

  @Test
  void our_comment_is_found_by_the_name_of_the_app() {
    open(1, Edit.on(main).file("one.txt", "1\n"));
    host().comment(ONE, "One.");
    host().comment(ONE, "Two.");
    assertThat(github().talk.comments(1)).hasSize(1);
  }

  @Test
  void an_app_of_our_manifest_has_all_permissions_and_another_is_told_what_it_lacks() {
    for (String name : github().tokens.permissions()) {
      github().tokens.permission(name, name.equals("metadata") ? "read" : "none");
    }
    assertThat(forge.findings(Set.of()))
        .extracting(Finding::sentence)
        .contains("The App lacks the permission statuses: read.")
        .contains("The App lacks the permission checks: write.");
    new AppManifest("Mainstay", "https://mainstay.example.com", "http://127.0.0.1:1/made")
        .json()
        .path("default_permissions")
        .propertyStream()
        .forEach(one -> github().tokens.permission(one.getKey(), one.getValue().asString()));
    assertThat(forge.findings(Set.of()))
        .extracting(Finding::sentence)
        .contains("The App has all permissions that it needs.");
  }
}
