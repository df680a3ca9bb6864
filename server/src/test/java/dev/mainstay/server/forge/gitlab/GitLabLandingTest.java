package dev.mainstay.server.forge.gitlab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.Edit;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.forge.ForgeScene;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.ForgeWorld;
import dev.mainstay.server.forge.GitRepository.BuildResult;
import dev.mainstay.server.forge.GitRepository.Head;
import dev.mainstay.server.forge.GitRepository.How;
import dev.mainstay.server.forge.GitRepository.Landed;
import dev.mainstay.server.forge.GitRepository.Landing;
import dev.mainstay.server.forge.GitRepository.LandingFault;
import dev.mainstay.server.forge.GitRepository.LandingResult;
import dev.mainstay.server.forge.GitRepository.Method;
import dev.mainstay.server.forge.GitRepository.TestBranch;
import dev.mainstay.server.forge.github.FakeFaults.Fault;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What lands is shown as merged at GitLab, which takes in pushes some time after they came. */
class GitLabLandingTest extends ForgeScene {
  /** More than one landing waits for. */
  private static final int LONG = 10;

  @Override
  protected ForgeWorld world(Path directory) {
    return new GitLabWorld(directory, false);
  }

  private FakeGitLab gitlab() {
    return ((GitLabWorld) world).gitlab;
  }

  private FakeRequest request(int number) {
    return gitlab().requests.of(number);
  }

  private CommitSha sourceBranch(int number) {
    return world.branch(GitLabWorld.sourceBranch(number)).orElseThrow();
  }

  private Landing landing(Method method, Head... heads) {
    var built = forge.git().build(new TestBranch("mainstay/main/r1", main, List.of(heads), method));
    return landing(method, main, Optional.of(((BuildResult.Built) built).commit()), heads);
  }

  private Landing keeping(Landing landing) {
    return new Landing(
        landing.id(),
        landing.targetBranch(),
        landing.onto(),
        landing.heads(),
        landing.tested(),
        landing.exactTree(),
        landing.method(),
        true,
        AT);
  }

  /** Asks as the outbox does, until GitLab has got so far. */
  private LandingResult patient(Landing landing) {
    for (int i = 0; i < 20; i++) {
      try {
        return world.node().git().land(landing);
      } catch (ForgeUnavailable e) {
        assertThat(e).hasMessageContaining("GitLab has not taken in");
        assertThat(e.retryAfter()).isPresent();
      }
    }
    throw new AssertionError("It never lands.");
  }

  private void shown(int number) {
    PullRequestRef pr = new PullRequestRef(number);
    for (int i = 0; i <= LONG + 1; i++) {
      forge.pullRequest(pr, "main");
    }
    assertThat(request(number).state).as("!%d", number).isEqualTo("merged");
    assertThat(gitlab().notes.of(number)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void a_batch_is_shown_as_merged_by_every_method(Method method) {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    Head two = head(2, Edit.on(main).file("two.txt", "1\n"));
    Head three = head(3, Edit.on(main).file("three.txt", "1\n"));
    gitlab().requests.lag = 2;
    Landing landing = landing(method, one, two, three);
    LandingResult result = forge.git().land(landing);
    assertThat(result.fault()).isEmpty();
    assertThat(world.branch("main")).isEqualTo(landing.tested());
    assertThat(forge.git().land(landing)).isEqualTo(result);
    for (int number = 1; number <= 3; number++) {
      shown(number);
      assertThat(request(number).mergedAs)
          .contains(result.landed().get(number - 1).targetHead().value());
    }
    assertThat(gitlab().pushes()).contains("refs/heads/main");
    if (method != Method.MERGE_COMMIT) {
      assertThat(gitlab().pushes())
          .contains("refs/heads/change-1 ci.skip", "refs/heads/change-3 ci.skip");
    }
  }

  @Test
  void a_target_is_not_pushed_before_the_heads_are_taken_in() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    Head two = head(2, Edit.on(main).file("two.txt", "1\n"));
    Landing landing = landing(Method.SQUASH, one, two);
    gitlab().requests.lag = LONG;
    assertThatThrownBy(() -> forge.git().land(landing))
        .isInstanceOf(ForgeUnavailable.class)
        .hasMessageContaining("#1 yet");
    assertThat(world.branch("main")).contains(main);
    assertThat(sourceBranch(1)).isNotEqualTo(one.commit());
    assertThat(patient(landing).fault()).isEmpty();
    assertThat(world.branch("main")).isEqualTo(landing.tested());
    shown(1);
    shown(2);
  }

  @Test
  void heads_go_back_where_the_target_moved_and_the_landing_ends_when_that_shows() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    Landing landing = landing(Method.SQUASH, one);
    gitlab().requests.lag = LONG;
    assertThatThrownBy(() -> forge.git().land(landing)).isInstanceOf(ForgeUnavailable.class);
    CommitSha moved = world.commit(Edit.on(main).file("b.txt", "2\n"));
    world.push("main", moved);
    assertThat(patient(landing).fault()).contains(new LandingFault.TargetMoved(moved));
    assertThat(sourceBranch(1)).isEqualTo(one.commit());
    assertThat(request(1).head).isEqualTo(one.commit().value());
    assertThat(request(1).isOpen()).isTrue();
    assertThat(gitlab().pushes()).filteredOn("refs/heads/change-1 ci.skip"::equals).hasSize(2);
  }

  @Test
  void a_push_of_the_author_that_gitlab_has_not_taken_in_lands_nothing() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    for (Method method : Method.values()) {
      Landing landing = landing(method, one);
      gitlab().requests.lag = LONG * LONG;
      CommitSha pushed = world.commit(Edit.on(one.commit()).file("one.txt", method + "\n"));
      world.push(GitLabWorld.sourceBranch(1), pushed);
      assertThat(forge.git().land(landing).fault()).contains(new LandingFault.HeadMoved(ONE));
      assertThat(sourceBranch(1)).isEqualTo(pushed);
    }
    assertThat(world.branch("main")).contains(main);
  }

  @Test
  void an_author_who_pushes_after_us_keeps_what_was_pushed() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    Head two = head(2, Edit.on(main).file("two.txt", "1\n"));
    Landing landing = landing(Method.SQUASH, one, two);
    gitlab().faults.after("git push", 2, new Fault.AfterWork(500));
    assertThatThrownBy(() -> forge.git().land(landing)).isInstanceOf(ForgeUnavailable.class);
    assertThat(sourceBranch(2)).isNotEqualTo(two.commit());
    CommitSha pushed = open(2, Edit.on(two.commit()).file("two.txt", "2\n"));
    assertThat(world.node().git().land(landing).fault())
        .contains(new LandingFault.HeadMoved(new PullRequestRef(2)));
    assertThat(sourceBranch(2)).isEqualTo(pushed);
    assertThat(sourceBranch(1)).isEqualTo(one.commit());
  }

  @ParameterizedTest
  @EnumSource(names = {"SQUASH", "REBASE"})
  void a_landing_that_broke_off_after_the_heads_is_finished(Method method) {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    Landing landing = landing(method, one);
    gitlab().faults.after("git push", 1, new Fault.AfterWork(500));
    assertThatThrownBy(() -> forge.git().land(landing)).isInstanceOf(ForgeUnavailable.class);
    assertThat(world.branch("main")).contains(main);
    assertThat(world.node().git().land(landing).fault()).isEmpty();
    assertThat(world.branch("main")).isEqualTo(landing.tested());
    shown(1);
  }

  @Test
  void a_branch_that_lives_on_is_merged_by_gitlab_also_while_it_is_finding_out() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    Head two = head(2, Edit.on(main).file("two.txt", "1\n"));
    gitlab().project.protectedBranches.add(GitLabWorld.sourceBranch(2));
    Landing landing = landing(Method.SQUASH, one, two);
    request(2).timesUnknown = 4;
    LandingResult result = forge.git().land(landing);
    assertThat(result.fault()).isEmpty();
    assertThat(result.landed())
        .extracting(Landed::how)
        .containsExactly(How.TESTED_COMMIT, How.BY_FORGE);
    assertThat(sourceBranch(2)).isEqualTo(two.commit());
    assertThat(world.tree(world.branch("main").orElseThrow()))
        .isEqualTo(world.tree(landing.tested().orElseThrow()));
    shown(1);
    shown(2);
    assertThat(world.node().git().land(landing)).isEqualTo(result);
  }

  @Test
  void gitlab_is_asked_again_while_it_is_finding_out_but_not_for_ever() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    Landing old = keeping(landing(Method.SQUASH, one));
    Landing young =
        new Landing(
            "young",
            "main",
            main,
            old.heads(),
            old.tested(),
            true,
            old.method(),
            true,
            Instant.now());
    request(1).timesUnknown = 100;
    assertThatThrownBy(() -> forge.git().land(young))
        .isInstanceOf(ForgeUnavailable.class)
        .hasMessageContaining("still finding out");
    assertThat(world.branch("main")).contains(main);
    assertThat(forge.git().land(old).landed())
        .extracting(Landed::how)
        .containsExactly(How.TESTED_COMMIT);
    assertThat(request(1).state).isEqualTo("closed");
  }

  @Test
  void heads_stay_where_the_queue_keeps_them() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    Landing landing = keeping(landing(Method.SQUASH, one));
    gitlab().faults.next("PUT merge_requests/N/merge", new Fault.AfterWork(500));
    assertThat(forge.git().land(landing).landed()).extracting(Landed::how).contains(How.BY_FORGE);
    assertThat(sourceBranch(1)).isEqualTo(one.commit());
    shown(1);
  }

  @Test
  void where_gitlab_does_not_merge_it_is_closed_with_a_word() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    gitlab().faults.next("PUT merge_requests/N/merge", 401);
    gitlab()
        .faults
        .after("PUT merge_requests/N/merge", 1, new Fault.Instead(401, java.util.Map.of()));
    Landing landing = keeping(landing(Method.SQUASH, one));
    LandingResult result = forge.git().land(landing);
    assertThat(result.fault()).isEmpty();
    assertThat(world.branch("main")).isEqualTo(landing.tested());
    assertThat(request(1).state).isEqualTo("closed");
    assertThat(gitlab().notes.of(1).getFirst().text())
        .contains("landed on `main` as " + landing.tested().orElseThrow());
    forge.git().land(landing);
    assertThat(gitlab().notes.of(1)).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(names = {"SQUASH", "MERGE_COMMIT"})
  void where_only_gitlab_may_merge_it_does(Method method) {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    Head two = head(2, Edit.on(main).file("two.txt", "1\n"));
    Landing landing = landing(method, one, two);
    ((GitLabWorld) world).refusePushes();
    LandingResult result = forge.git().land(landing);
    assertThat(result.fault()).isEmpty();
    assertThat(result.landed()).extracting(Landed::how).containsOnly(How.BY_FORGE);
    shown(1);
    shown(2);
    assertThat(sourceBranch(1)).isEqualTo(one.commit());
    assertThat(world.node().git().land(landing)).isEqualTo(result);
  }

  @Test
  void what_gitlab_made_otherwise_than_it_was_tested_is_told() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    Landing landing = keeping(landing(Method.SQUASH, one));
    CommitSha foreign = world.commit(Edit.on(main).file("b.txt", "2\n"));
    gitlab().requests.beforeMerge = Optional.of(() -> world.push("main", foreign));
    assertThat(forge.git().land(landing).fault()).get().isInstanceOf(LandingFault.Untested.class);
  }

  @Test
  void a_merge_request_of_a_fork_is_merged_by_gitlab_or_closed_with_a_word() {
    try (var forks = new GitLabWorld(directory.resolve("forks"), true)) {
      CommitSha start = forks.commit(Edit.on().file("a.txt", "1\n"));
      forks.push("main", start);
      Forge node = forks.node();
      CommitSha change = forks.commit(Edit.on(start).file("one.txt", "1\n"));
      forks.open(1, change);
      var first = landing(Method.SQUASH, start, Optional.empty(), new Head(ONE, change));
      assertThat(node.git().land(first).landed()).extracting(Landed::how).contains(How.BY_FORGE);
      assertThat(forks.gitlab.requests.of(1).state).isEqualTo("merged");

      CommitSha next = forks.branch("main").orElseThrow();
      CommitSha other = forks.commit(Edit.on(start).file("two.txt", "1\n"));
      forks.open(2, other);
      var head = new Head(new PullRequestRef(2), other);
      var second = landing(Method.REBASE, next, Optional.empty(), head);
      assertThat(node.git().land(second).fault()).isEmpty();
      node.git().land(second);
      assertThat(forks.gitlab.requests.of(2).state).isEqualTo("closed");
      assertThat(forks.gitlab.notes.of(2)).hasSize(1);
    }
  }
}
