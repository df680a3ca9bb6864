package dev.mainstay.server.forge.github;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.Edit;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.forge.ForgeScene;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.ForgeWorld;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What lands is shown as merged at GitHub, by way of head branches where that is needed. */
class GitHubLandingTest extends ForgeScene {
  @Override
  protected ForgeWorld world(Path directory) {
    return GitHubForgeTest.world(directory, false);
  }

  private FakeGitHub github() {
    return ((GitHubWorld) world).github;
  }

  private FakePull pull(int number) {
    return github().pulls.pull(number);
  }

  private CommitSha headBranch(int number) {
    return world.branch(GitHubWorld.headBranch(number)).orElseThrow();
  }

  private CommitSha tested(Method method, Head... heads) {
    var built = forge.git().build(new TestBranch("mainstay/main/r1", main, List.of(heads), method));
    return ((dev.mainstay.server.forge.GitRepository.BuildResult.Built) built).commit();
  }

  private Landing landing(Method method, Head... heads) {
    return landing(method, main, Optional.of(tested(method, heads)), heads);
  }

  @ParameterizedTest
  @EnumSource
  void a_batch_is_shown_as_merged_by_every_method(Method method) {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    Head two = head(2, Edit.on(main).file("two.txt", "1\n"));
    Head three = head(3, Edit.on(main).file("three.txt", "1\n"));
    Landing landing = landing(method, one, two, three);
    LandingResult result = forge.git().land(landing);
    assertThat(result.fault()).isEmpty();
    assertThat(world.branch("main")).isEqualTo(landing.tested());
    for (int number = 1; number <= 3; number++) {
      assertThat(pull(number).merged).as("#%d", number).isTrue();
      assertThat(pull(number).mergedAs)
          .contains(result.landed().get(number - 1).targetHead().value());
      assertThat(github().talk.comments(number)).isEmpty();
    }
    assertThat(forge.git().land(landing)).isEqualTo(result);
    assertThat(world.node().git().land(landing)).isEqualTo(result);
  }

  @ParameterizedTest
  @EnumSource
  void what_is_made_anew_is_shown_as_merged_too(Method method) {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    world.push("main", world.commit(Edit.on(main).file("b.txt", "2\n")));
    landed(method, one);
    assertThat(pull(1).merged).isTrue();
  }

  @Test
  void our_check_is_green_on_what_lands_before_it_does() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    Landing landing = landing(Method.SQUASH, one);
    forge.git().land(landing);
    assertThat(github().checks.passed(landing.tested().orElseThrow().value(), "mainstay")).isTrue();
  }

  /** What was under test had its approvals: the requests are for others. */
  @Test
  void what_lands_is_not_asked_for_its_reviews_again() {
    github().protection.classic.add(new FakeProtection.Required("ci", 0));
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    forge.git().land(landing(Method.SQUASH, one));
    assertThat(pull(1).merged).isTrue();
    assertThat(github().faults.count("POST graphql")).isZero();
  }

  @Test
  void a_head_goes_back_where_the_target_moved() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    Landing landing = landing(Method.SQUASH, one);
    CommitSha moved = world.commit(Edit.on(main).file("b.txt", "2\n"));
    world.push("main", moved);
    assertThat(forge.git().land(landing).fault()).contains(new LandingFault.TargetMoved(moved));
    assertThat(headBranch(1)).isEqualTo(one.commit());
    assertThat(pull(1).open).isTrue();
    assertThat(pull(1).head).isEqualTo(one.commit().value());
  }

  @Test
  void a_head_that_its_author_moved_is_never_overwritten() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    Landing landing = landing(Method.SQUASH, one);
    CommitSha pushed = open(1, Edit.on(one.commit()).file("one.txt", "2\n"));
    assertThat(forge.git().land(landing).fault()).contains(new LandingFault.HeadMoved(ONE));
    assertThat(headBranch(1)).isEqualTo(pushed);
    assertThat(world.branch("main")).contains(main);
  }

  @ParameterizedTest
  @EnumSource(names = {"SQUASH", "REBASE"})
  void a_landing_that_broke_off_after_the_heads_is_finished(Method method) {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    Head two = head(2, Edit.on(main).file("two.txt", "1\n"));
    Landing landing = landing(method, one, two);
    breakOffBeforeTarget(landing);
    LandingResult result = world.node().git().land(landing);
    assertThat(result.fault()).isEmpty();
    assertThat(world.branch("main")).isEqualTo(landing.tested());
    assertThat(pull(1).merged && pull(2).merged).isTrue();
  }

  @Test
  void heads_go_back_where_the_target_moved_after_a_landing_broke_off() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    Head two = head(2, Edit.on(main).file("two.txt", "1\n"));
    Landing landing = landing(Method.SQUASH, one, two);
    breakOffBeforeTarget(landing);
    CommitSha moved = world.commit(Edit.on(main).file("b.txt", "2\n"));
    world.push("main", moved);
    assertThat(world.node().git().land(landing).fault())
        .contains(new LandingFault.TargetMoved(moved));
    assertThat(headBranch(1)).isEqualTo(one.commit());
    assertThat(headBranch(2)).isEqualTo(two.commit());
    assertThat(pull(1).open && pull(2).open).isTrue();
  }

  /** The heads are pushed, each by itself; the push of the target fails. */
  private void breakOffBeforeTarget(Landing landing) {
    github().faults.after("git push", landing.heads().size(), new Fault.AfterWork(500));
    assertThatThrownBy(() -> forge.git().land(landing)).isInstanceOf(ForgeUnavailable.class);
    assertThat(headBranch(2)).isNotEqualTo(landing.heads().get(1).commit());
    assertThat(world.branch("main")).contains(main);
  }

  @Test
  void a_head_that_its_author_moves_while_a_landing_is_broken_off_stays() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    Head two = head(2, Edit.on(main).file("two.txt", "1\n"));
    Landing landing = landing(Method.SQUASH, one, two);
    breakOffBeforeTarget(landing);
    CommitSha pushed = open(2, Edit.on(two.commit()).file("two.txt", "2\n"));
    assertThat(forge.git().land(landing).fault())
        .contains(new LandingFault.HeadMoved(new PullRequestRef(2)));
    assertThat(headBranch(2)).isEqualTo(pushed);
    assertThat(headBranch(1)).isEqualTo(one.commit());
  }

  @Test
  void what_no_push_would_show_as_merged_is_merged_by_github_and_the_rest_made_anew_on_that() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    Head two = head(2, Edit.on(main).says("Add two\n\nIt was missing.").file("two.txt", "1\n"));
    Head three = head(3, Edit.on(main).file("three.txt", "1\n"));
    github().protection.protectedBranches.add(GitHubWorld.headBranch(2));
    Landing landing = landing(Method.SQUASH, one, two, three);
    LandingResult result = forge.git().land(landing);
    assertThat(result.fault()).isEmpty();
    assertThat(result.landed())
        .extracting(Landed::how)
        .containsExactly(How.TESTED_COMMIT, How.BY_FORGE, How.REBUILT);
    assertThat(world.branch("main")).contains(result.landed().getLast().targetHead());
    assertThat(tree("main")).isEqualTo(world.tree(landing.tested().orElseThrow()));
    assertThat(world.show(result.landed().get(1).targetHead(), "%B"))
        .isEqualToIgnoringWhitespace("Add two (#2) It was missing.");
    assertThat(headBranch(2)).isEqualTo(two.commit());
    for (int number = 1; number <= 3; number++) {
      assertThat(pull(number).merged).as("#%d", number).isTrue();
      assertThat(github().talk.comments(number)).isEmpty();
    }
    assertThat(forge.git().land(landing)).isEqualTo(result);
    assertThat(world.node().git().land(landing)).isEqualTo(result);
  }

  private Map<String, String> tree(String branch) {
    return world.tree(world.branch(branch).orElseThrow());
  }

  @Test
  void a_branch_that_lives_on_is_left_alone_and_the_pull_request_closed_with_a_word() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    Head two = head(2, Edit.on(main).file("two.txt", "1\n"));
    open(4, Edit.on(one.commit()).file("four.txt", "1\n"));
    pull(4).base = GitHubWorld.headBranch(1);
    github().pulls.refusal = Optional.of("Merging is for others.");
    LandingResult result = forge.git().land(landing(Method.SQUASH, one, two));
    assertThat(result.fault()).isEmpty();
    assertThat(headBranch(1)).isEqualTo(one.commit());
    assertThat(pull(2).merged).isTrue();
    assertThat(pull(1).open).isFalse();
    assertThat(github().talk.comments(1).getFirst().text())
        .contains("landed on `main` as " + result.landed().getFirst().targetHead());
  }

  @ParameterizedTest
  @EnumSource
  void heads_stay_where_the_queue_keeps_them(Method method) {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    assertThat(forge.git().land(keeping(landing(method, one))).fault()).isEmpty();
    assertThat(headBranch(1)).isEqualTo(one.commit());
    assertThat(pull(1).merged).isTrue();
  }

  private static Landing keeping(Landing landing) {
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

  @ParameterizedTest
  @EnumSource
  void where_only_github_may_merge_it_does(Method method) {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    Head two = head(2, Edit.on(main).file("two.txt", "1\n"));
    Landing landing = landing(method, one, two);
    ((GitHubWorld) world).refusePushes();
    LandingResult result = forge.git().land(landing);
    assertThat(result.fault()).isEmpty();
    assertThat(result.landed()).extracting(Landed::how).containsOnly(How.BY_FORGE);
    assertThat(tree("main")).isEqualTo(world.tree(landing.tested().orElseThrow()));
    assertThat(pull(1).merged && pull(2).merged).isTrue();
    assertThat(headBranch(1)).isEqualTo(one.commit());
    assertThat(forge.git().land(landing)).isEqualTo(result);
    assertThat(world.node().git().land(landing)).isEqualTo(result);
  }

  @Test
  void github_is_asked_again_where_it_has_not_taken_in_the_last_push() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    Landing landing = keeping(landing(Method.SQUASH, one));
    github().pulls.notYet = 1;
    assertThatThrownBy(() -> forge.git().land(landing))
        .isInstanceOf(ForgeUnavailable.class)
        .hasMessageContaining("not merge #1 yet");
    assertThat(forge.git().land(landing).landed()).extracting(Landed::how).contains(How.BY_FORGE);
  }

  @Test
  void a_check_that_was_written_in_between_does_not_keep_github_from_merging() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    Landing landing = keeping(landing(Method.SQUASH, one));
    github().protection.ruled.add(new FakeProtection.Required("mainstay", 0));
    github().pulls.beforeMerge =
        Optional.of(() -> github().checks.status(one.commit().value(), "mainstay", "pending"));
    assertThat(forge.git().land(landing).landed()).extracting(Landed::how).contains(How.BY_FORGE);
  }

  @Test
  void a_github_that_declines_and_then_does_not_answer_has_declined() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    Landing landing = keeping(landing(Method.SQUASH, one));
    github().pulls.refusal = Optional.of("No.");
    github().faults.after("PUT pulls/N/merge", 1, new Fault.Instead(500, Map.of()));
    assertThat(forge.git().land(landing).fault()).isEmpty();
    assertThat(github().faults.count("PUT pulls/N/merge")).isEqualTo(2);
    assertThat(tree("main")).isEqualTo(world.tree(landing.tested().orElseThrow()));
    assertThat(pull(1).open).isFalse();
  }

  @Test
  void one_that_somebody_merged_long_ago_does_not_land_once_more() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    Landing landing = keeping(landing(Method.SQUASH, one));
    github().pulls.beforeMerge = Optional.of(() -> pull(1).merge(main.value()));
    assertThat(forge.git().land(landing).fault()).contains(new LandingFault.HeadMoved(ONE));
    assertThat(world.branch("main")).contains(main);
  }

  @Test
  void what_github_made_otherwise_than_it_was_tested_is_told() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    Landing landing = keeping(landing(Method.SQUASH, one));
    CommitSha foreign = world.commit(Edit.on(main).file("b.txt", "2\n"));
    github().pulls.beforeMerge = Optional.of(() -> world.push("main", foreign));
    LandingResult result = forge.git().land(landing);
    assertThat(result.landed()).extracting(Landed::how).containsExactly(How.BY_FORGE);
    assertThat(result.fault())
        .get()
        .asInstanceOf(type(LandingFault.Untested.class))
        .extracting(LandingFault.Untested::sentence, STRING)
        .contains("#1 was merged into main", "not what was tested", "RUNNING");
    assertThat(forge.git().land(landing)).isEqualTo(result);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_merge_that_github_calls_failed_counts_if_it_merged(boolean merges) {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    Landing landing = keeping(landing(Method.SQUASH, one));
    Fault fault = merges ? new Fault.AfterWork(500) : new Fault.Instead(500, Map.of());
    github().faults.next("PUT pulls/N/merge", fault);
    if (!merges) {
      assertThatThrownBy(() -> forge.git().land(landing)).isInstanceOf(ForgeUnavailable.class);
    }
    assertThat(forge.git().land(landing).fault()).isEmpty();
    assertThat(pull(1).merged).isTrue();
    assertThat(tree("main")).isEqualTo(world.tree(landing.tested().orElseThrow()));
  }

  @Test
  void a_pull_request_of_a_fork_is_merged_by_github_or_closed_with_a_word_once() {
    try (var forks = GitHubForgeTest.world(directory.resolve("forks"), true)) {
      CommitSha start = forks.commit(Edit.on().file("a.txt", "1\n"));
      forks.push("main", start);
      Forge node = forks.node();
      CommitSha change = forks.commit(Edit.on(start).file("one.txt", "1\n"));
      forks.open(1, change);
      var first = landing(Method.SQUASH, start, Optional.empty(), new Head(ONE, change));
      assertThat(node.git().land(first).landed()).extracting(Landed::how).contains(How.BY_FORGE);
      assertThat(forks.github.pulls.pull(1).merged).isTrue();

      CommitSha next = forks.branch("main").orElseThrow();
      CommitSha other = forks.commit(Edit.on(start).file("two.txt", "1\n"));
      forks.open(2, other);
      forks.github.pulls.refusal = Optional.of("No.");
      var head = new Head(new PullRequestRef(2), other);
      var second = landing(Method.SQUASH, next, Optional.empty(), head);
      assertThat(node.git().land(second).fault()).isEmpty();
      node.git().land(second);
      assertThat(forks.github.pulls.pull(2).open).isFalse();
      assertThat(forks.github.talk.comments(2)).hasSize(1);
    }
  }

  @Test
  void a_close_that_is_said_to_have_failed_is_looked_up() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    github().protection.protectedBranches.add(GitHubWorld.headBranch(1));
    github().pulls.refusal = Optional.of("No.");
    Landing landing = landing(Method.SQUASH, one);
    github().faults.next("PATCH pulls/N", new Fault.AfterWork(500));
    assertThatThrownBy(() -> forge.git().land(landing)).isInstanceOf(ForgeUnavailable.class);
    assertThat(forge.git().land(landing).fault()).isEmpty();
    assertThat(pull(1).open).isFalse();
    assertThat(github().talk.comments(1)).hasSize(1);
  }

  @Test
  void what_adds_nothing_is_closed_with_a_word() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    Head same = head(2, Edit.on(main).says("Again").file("one.txt", "1\n"));
    assertThat(forge.git().land(landing(Method.SQUASH, one, same)).fault()).isEmpty();
    assertThat(pull(1).merged).isTrue();
    assertThat(pull(2).open).isFalse();
    assertThat(github().talk.comments(2).getFirst().text()).contains("in `main` already");
  }
}
