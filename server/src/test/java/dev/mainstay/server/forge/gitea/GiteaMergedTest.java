package dev.mainstay.server.forge.gitea;

import static dev.mainstay.server.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.Edit;
import dev.mainstay.server.forge.Forge.Status;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.GitRepository.Head;
import dev.mainstay.server.forge.GitRepository.How;
import dev.mainstay.server.forge.GitRepository.Landed;
import dev.mainstay.server.forge.GitRepository.Landing;
import dev.mainstay.server.forge.GitRepository.LandingFault;
import dev.mainstay.server.forge.GitRepository.LandingResult;
import dev.mainstay.server.forge.GitRepository.Method;
import dev.mainstay.server.forge.GitRepository.TestBranch;
import dev.mainstay.server.forge.Host;
import dev.mainstay.server.forge.Host.Marking;
import dev.mainstay.server.forge.RefNames;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** What a real Gitea shows of pull requests that land. */
class GiteaMergedTest extends GiteaScene {
  private static final PullRequestRef THREE = new PullRequestRef(3);

  @ParameterizedTest
  @EnumSource
  void a_batch_of_three_is_shown_as_merged_each_by_its_commit(Method method) {
    Head one = head(1, Edit.on(main).says("One").file("one.txt", "1\n"));
    Head two = openFromBranch(2, "two", "main", Edit.on(main).file("two.txt", "1\n"));
    Head three = head(3, Edit.on(main).says("Three").file("three.txt", "1\n"));
    var branch = new TestBranch("mainstay/main/r1", main, List.of(one, two, three), method);
    CommitSha tested = tested(branch);
    LandingResult result =
        forge.git().land(landing(method, main, Optional.of(tested), one, two, three));
    assertThat(result.fault()).isEmpty();
    assertThat(world.branch("main")).contains(tested);
    for (Landed landed : result.landed()) {
      JsonNode pull = gitea.pull(landed.pr().number());
      assertThat(pull.path("merged").asBoolean()).isTrue();
      assertThat(pull.path("merge_commit_sha").asString()).isEqualTo(landed.targetHead().value());
      assertThat(api.pull(landed.pr()).orElseThrow().mergedAs()).contains(landed.targetHead());
      assertThat(forge.pullRequest(landed.pr(), "main").orElseThrow().status())
          .isEqualTo(Status.MERGED);
      assertThat(api.statuses(landed.targetHead()))
          .extracting(Host.Status::name, Host.Status::verdict)
          .containsExactly(org.assertj.core.api.Assertions.tuple("mainstay", Host.Verdict.SUCCESS));
    }
    assertThat(forge.heads().pullRequests()).isEmpty();
  }

  private CommitSha tested(TestBranch branch) {
    return ((dev.mainstay.server.forge.GitRepository.BuildResult.Built) forge.git().build(branch))
        .commit();
  }

  @ParameterizedTest
  @EnumSource
  void what_was_made_anew_is_shown_as_merged_too(Method method) {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    CommitSha tip = landed(method, one);
    assertThat(gitea.pull(1).path("merge_commit_sha").asString()).isEqualTo(tip.value());
    assertThat(api.statuses(tip)).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void where_only_gitea_may_merge_it_does(Method method) {
    Head one = openFromBranch(1, "one", "main", Edit.on(main).file("one.txt", "1\n"));
    Head two = openFromBranch(2, "two", "main", Edit.on(main).file("two.txt", "1\n"));
    CommitSha tested = tested(new TestBranch("mainstay/main/r1", main, List.of(one, two), method));
    protect(Map.of("rule_name", "main", "enable_push", false));
    var landing = landing(method, main, Optional.of(tested), one, two);
    LandingResult result = untilDone(landing);
    assertThat(result.fault()).isEmpty();
    assertThat(result.landed()).extracting(Landed::how).containsOnly(How.BY_FORGE);
    CommitSha tip = world.branch("main").orElseThrow();
    assertThat(result.landed().getLast().targetHead()).isEqualTo(tip);
    assertThat(world.tree(tip)).isEqualTo(world.tree(tested));
    assertThat(gitea.pull(1).path("merged").asBoolean()).isTrue();
    assertThat(gitea.pull(2).path("merged").asBoolean()).isTrue();
    assertThat(forge.git().land(landing)).isEqualTo(result);
  }

  /** Gitea has to be asked again while it computes whether something merges. */
  private LandingResult untilDone(Landing landing) {
    return until(() -> attempt(landing), Optional::isPresent).orElseThrow();
  }

  private Optional<LandingResult> attempt(Landing landing) {
    try {
      return Optional.of(forge.git().land(landing));
    } catch (ForgeUnavailable e) {
      return Optional.empty();
    }
  }

  @Test
  void what_is_merged_already_counts_as_marked() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    CommitSha tip = landed(Method.SQUASH, one);
    assertThat(api.markMerged(ONE, tip)).isEqualTo(new Marking.Merged());
    assertThat(gitea.owner().call("POST", gitea.path(1) + "/merge", manually(tip)).status())
        .isEqualTo(405);
  }

  private static Map<String, String> manually(CommitSha commit) {
    return Map.of("Do", "manually-merged", "MergeCommitID", commit.value());
  }

  @Test
  void a_merge_that_somebody_pushed_is_noticed_by_the_host() {
    CommitSha head = open(1, Edit.on(main).file("one.txt", "1\n"));
    world.push("main", head);
    gitea.pullOnce(1, "/merged", true);
    assertThat(api.markMerged(ONE, head)).isEqualTo(new Marking.Merged());
  }

  @Test
  void what_cannot_be_marked_is_declined() {
    CommitSha head = open(1, Edit.on(main).file("one.txt", "1\n"));
    assertThat(api.markMerged(ONE, head)).isInstanceOf(Marking.Declined.class);
    world.close(1);
    assertThat(api.markMerged(ONE, main)).isInstanceOf(Marking.Declined.class);
    assertThat(api.markMerged(THREE, main)).isInstanceOf(Marking.Declined.class);
  }

  @Test
  void where_nothing_can_be_marked_it_is_closed_and_people_are_told() {
    gitea
        .owner()
        .patch(gitea.path(), Map.of("allow_manual_merge", false, "autodetect_manual_merge", false));
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    CommitSha tip = landed(Method.SQUASH, one);
    assertThat(gitea.pull(1).path("state").asString()).isEqualTo("closed");
    assertThat(gitea.owner().get(gitea.path() + "/issues/1/comments").toString())
        .contains("Landed as " + tip);
  }

  @Test
  void a_branch_that_only_we_may_push_to_is_landed_on_whatever_its_statuses_are() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    protect(
        Map.of(
            "rule_name",
            "main",
            "enable_push",
            true,
            "enable_push_whitelist",
            true,
            "push_whitelist_usernames",
            List.of("owner"),
            "enable_status_check",
            true,
            "status_check_contexts",
            List.of("ci")));
    landed(Method.SQUASH, one);
    gitea.pullOnce(1, "/merged", true);
  }

  @Test
  void a_branch_that_is_closed_to_us_refuses_the_landing_in_its_words() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    CommitSha tested = built("mainstay/main/r1", main, one);
    protect(
        Map.of(
            "rule_name",
            "main",
            "enable_push",
            false,
            "enable_merge_whitelist",
            true,
            "merge_whitelist_usernames",
            List.of()));
    LandingResult result = untilDone(landing(Method.SQUASH, main, Optional.of(tested), one));
    assertThat(result.fault().orElseThrow()).isInstanceOf(LandingFault.Refused.class);
    assertThat(((LandingFault.Refused) result.fault().get()).sentence()).contains("protected");
    assertThat(api.statuses(tested))
        .extracting(Host.Status::verdict)
        .containsExactly(Host.Verdict.PENDING);
    assertThat(gitea.pull(1).path("state").asString()).isEqualTo("open");
  }

  @Test
  void a_head_that_moved_is_noticed_while_its_reference_is_still_behind() {
    Head one = openFromBranch(1, "one", "main", Edit.on(main).file("one.txt", "1\n"));
    CommitSha pushed = world.commit(Edit.on(one.commit()).file("one.txt", "2\n"));
    world.push("one", pushed);
    gitea.awaitHead(1, pushed);
    gitea.disk().run("update-ref", RefNames.head(1), one.commit().value());
    LandingResult result = forge.git().land(landing(Method.SQUASH, main, Optional.empty(), one));
    assertThat(result.fault()).contains(new LandingFault.HeadMoved(ONE));
    assertThat(world.branch("main")).contains(main);
  }
}
