package dev.mainstay.server.forge.github;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.server.forge.Edit;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.forge.ForgeScene;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.ForgeWorld;
import dev.mainstay.server.forge.GitRepository.Head;
import dev.mainstay.server.forge.GitRepository.Method;
import dev.mainstay.server.forge.Host;
import dev.mainstay.server.forge.Host.Verdict;
import dev.mainstay.server.forge.HostCredentials;
import dev.mainstay.server.forge.HostUsage;
import dev.mainstay.server.forge.Purpose;
import dev.mainstay.server.forge.github.FakeFaults.Fault;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The limits of GitHub are kept to: landing goes before looking, and looking before talking. */
class GitHubBudgetTest extends ForgeScene {
  @Override
  protected ForgeWorld world(Path directory) {
    return GitHubForgeTest.world(directory, false);
  }

  private FakeGitHub github() {
    return ((GitHubWorld) world).github;
  }

  private Host host() {
    return forge.host().orElseThrow();
  }

  private void remaining(int requests) {
    String reset = String.valueOf(Instant.now().plus(Duration.ofMinutes(40)).getEpochSecond());
    github().faults.headers.put("X-RateLimit-Limit", "5000");
    github().faults.headers.put("X-RateLimit-Remaining", String.valueOf(requests));
    github().faults.headers.put("X-RateLimit-Reset", reset);
    github().faults.headers.put("X-RateLimit-Resource", "core");
  }

  private List<Host.Status> look() {
    return look(forge);
  }

  private boolean talk() {
    var check = new Host.Check(main, "mainstay", Verdict.PENDING, "x", "", Optional.empty());
    return Purpose.TALKING.during(
        () -> {
          host().write(check);
          return true;
        });
  }

  @Test
  void what_matters_less_leaves_requests_to_what_matters_more() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    CommitSha tested = built("mainstay/main/r1", main, one);
    remaining(1200);
    look();
    assertThatThrownBy(this::talk).hasMessageContaining("allows no more requests");
    look();
    remaining(400);
    assertThatThrownBy(this::look).isInstanceOf(ForgeUnavailable.class);
    int before = asked();
    ForgeUnavailable fault = catchThrowableOfType(ForgeUnavailable.class, this::look);
    assertThat(fault.retryAfter().orElseThrow()).isBetween(minutes(38), minutes(40));
    assertThat(fault.isOfHost()).isFalse();
    assertThat(asked()).isEqualTo(before);
    var landing = landing(Method.SQUASH, main, Optional.of(tested), one);
    assertThat(forge.git().land(landing).fault()).isEmpty();
    assertThat(forge.usage())
        .hasValueSatisfying(
            usage -> {
              assertThat(usage).extracting(HostUsage::limit).isEqualTo(OptionalLong.of(5000));
              assertThat(usage).extracting(HostUsage::remaining).isEqualTo(OptionalLong.of(400));
              assertThat(usage.requests()).isGreaterThan(before);
            });
  }

  private int asked() {
    return github().faults.counts().values().stream().mapToInt(Integer::intValue).sum();
  }

  private static Duration minutes(int count) {
    return Duration.ofMinutes(count);
  }

  @Test
  void limits_of_other_resources_are_not_taken_for_these() {
    remaining(0);
    github().faults.headers.put("X-RateLimit-Resource", "graphql");
    look();
    look();
  }

  @Test
  void no_more_is_written_than_github_takes() {
    int written = 0;
    while (written < 100 && mayTalk()) {
      written++;
    }
    assertThat(written).isEqualTo(60);
    look();
    Purpose.LANDING.during(
        () -> {
          host().write(new Host.Check(main, "x", Verdict.SUCCESS, "", "", Optional.empty()));
          return true;
        });
  }

  private boolean mayTalk() {
    try {
      return talk();
    } catch (ForgeUnavailable e) {
      return false;
    }
  }

  @Test
  void who_is_asked_to_wait_does() {
    github()
        .faults
        .next("GET commits/SHA/status", new Fault.Instead(403, Map.of("Retry-After", "90")));
    ForgeUnavailable told = catchThrowableOfType(ForgeUnavailable.class, this::look);
    assertThat(told.retryAfter()).contains(Duration.ofSeconds(90));
    int before = asked();
    ForgeUnavailable fault =
        catchThrowableOfType(ForgeUnavailable.class, () -> Purpose.LANDING.during(this::look));
    assertThat(fault.retryAfter().orElseThrow())
        .isBetween(Duration.ofSeconds(30), Duration.ofSeconds(90));
    assertThat(asked()).isEqualTo(before);
  }

  @Test
  void those_who_ask_by_other_tokens_go_on() {
    github().tokens.person("ghp_other", "bob", "repo");
    GitHubKind kind = GitHubForgeTest.kind(directory.resolve("both"));
    try (Forge one = open(kind, FakeGitHub.TOKEN);
        Forge same = open(kind, FakeGitHub.TOKEN);
        Forge other = open(kind, "ghp_other")) {
      github().faults.next("GET commits/SHA/status", 429);
      assertThatThrownBy(() -> look(one)).isInstanceOf(ForgeUnavailable.class);
      assertThatThrownBy(() -> look(same)).hasMessageContaining("allows no more requests");
      assertThat(look(other)).isEmpty();
    }
  }

  private Forge open(GitHubKind kind, String token) {
    return kind.open(
        github().address() + "/acme/app",
        () -> Optional.of(new HostCredentials.Token(token).stored()));
  }

  private List<Host.Status> look(Forge some) {
    return some.host().orElseThrow().statuses(main);
  }

  @Test
  void without_a_word_how_long_the_wait_is_a_minute() {
    github().faults.next("GET commits/SHA/status", 429);
    ForgeUnavailable first = catchThrowableOfType(ForgeUnavailable.class, this::look);
    assertThat(first.retryAfter()).contains(Duration.ofMinutes(1));
  }

  @Test
  void a_host_in_trouble_says_for_how_long() {
    github()
        .faults
        .next("GET commits/SHA/status", new Fault.Instead(503, Map.of("Retry-After", "120")));
    ForgeUnavailable fault = catchThrowableOfType(ForgeUnavailable.class, this::look);
    assertThat(fault.isOfHost()).isTrue();
    assertThat(fault.retryAfter()).contains(Duration.ofMinutes(2));
  }
}
