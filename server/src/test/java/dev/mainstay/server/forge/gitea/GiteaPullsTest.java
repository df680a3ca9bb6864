package dev.mainstay.server.forge.gitea;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.Edit;
import dev.mainstay.server.forge.Finding;
import dev.mainstay.server.forge.Forge.Status;
import dev.mainstay.server.forge.GitRepository.Head;
import dev.mainstay.server.forge.GitRepository.LandingFault;
import dev.mainstay.server.forge.GitRepository.Method;
import dev.mainstay.server.forge.Host.TestPullRequest;
import dev.mainstay.server.forge.RefNames;
import dev.mainstay.server.forge.hosted.HostApi.Opened;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Pull requests of a real Gitea. */
class GiteaPullsTest extends GiteaScene {
  @Test
  void a_fork_has_no_branch_of_ours_and_a_branch_of_the_repository_is_named() {
    Head fork = head(1, Edit.on(main).file("one.txt", "1\n"));
    Head own = openFromBranch(2, "feature/x", "main", Edit.on(main).file("two.txt", "1\n"));
    assertThat(api.pull(ONE).orElseThrow().headBranch()).isEmpty();
    assertThat(api.pull(ONE).orElseThrow().head()).isEqualTo(fork.commit());
    assertThat(api.pull(TWO).orElseThrow().headBranch()).contains("feature/x");
    assertThat(api.pull(TWO).orElseThrow().author()).isEqualTo("owner");
    assertThat(forge.heads().pullRequests())
        .containsOnly(Map.entry(ONE, fork.commit()), Map.entry(TWO, own.commit()));
    gitea.owner().delete(gitea.path() + "/branches/feature/x");
    assertThat(api.pull(TWO).orElseThrow().headBranch()).isEmpty();
  }

  @Test
  void drafts_are_known_by_their_titles_which_are_shown_without_it() {
    open(1, Edit.on(main).says("One").file("one.txt", "1\n"));
    for (String draft : List.of("WIP: One", "[WIP] One", "wip:One")) {
      gitea.owner().patch(gitea.path(1), Map.of("title", draft));
      assertThat(api.pull(ONE).orElseThrow().status()).isEqualTo(Status.DRAFT);
      assertThat(api.pull(ONE).orElseThrow().title()).isEqualTo("One");
    }
    gitea.owner().patch(gitea.path(1), Map.of("title", "Wipe: one"));
    assertThat(api.pull(ONE).orElseThrow().status()).isEqualTo(Status.OPEN);
    assertThat(api.pull(ONE).orElseThrow().title()).isEqualTo("Wipe: one");
  }

  @Test
  void one_whose_base_is_deleted_is_seen_to_move_to_the_default_branch() {
    world.push("release", main);
    openFromBranch(1, "one", "release", Edit.on(main).file("one.txt", "1\n"));
    assertThat(forge.pullRequest(ONE, "main").orElseThrow().baseBranch()).isEqualTo("release");
    String mark = seen(Optional.empty()).mark();
    gitea.owner().delete(gitea.path() + "/branches/release");
    gitea.pullOnce(1, "/base/ref", "main");
    assertThat(forge.pullRequest(ONE, "main").orElseThrow().baseBranch()).isEqualTo("main");
    assertThat(seen(Optional.of(mark)).heads()).containsKey(ONE);
  }

  private Opened.Seen seen(Optional<String> mark) {
    Opened opened = api.opened(mark);
    assertThat(opened).isInstanceOf(Opened.Seen.class);
    return (Opened.Seen) opened;
  }

  @Test
  void no_change_is_missed_however_soon_it_comes_after_a_look() {
    open(1, Edit.on(main).file("one.txt", "1\n"));
    open(2, Edit.on(main).file("two.txt", "1\n"));
    String mark = seen(Optional.empty()).mark();
    for (int i = 0; i < 8; i++) {
      gitea.owner().patch(gitea.path(1 + i % 2), Map.of("title", "Title " + i));
      mark = seen(Optional.of(mark)).mark();
      assertThat(api.opened(Optional.of(mark))).isEqualTo(new Opened.Unchanged());
    }
    gitea.owner().patch(gitea.path(1), Map.of("state", "closed"));
    Opened.Seen closed = seen(Optional.of(mark));
    assertThat(closed.heads()).containsOnlyKeys(TWO);
    gitea.owner().patch(gitea.path(1), Map.of("state", "open"));
    assertThat(seen(Optional.of(closed.mark())).heads()).containsOnlyKeys(ONE, TWO);
  }

  @Test
  void a_look_at_what_did_not_change_is_one_request() {
    open(1, Edit.on(main).file("one.txt", "1\n"));
    String mark = seen(Optional.empty()).mark();
    long before = gitea.usage().requests();
    assertThat(api.opened(Optional.of(mark))).isEqualTo(new Opened.Unchanged());
    assertThat(gitea.usage().requests()).isEqualTo(before + 1);
  }

  @Test
  void all_pages_are_read() {
    for (int i = 1; i <= 12; i++) {
      openFromBranch(i, "b" + i, "main", Edit.on(main).file("f" + i, "1\n"));
    }
    Opened.Seen seen = seen(Optional.empty());
    assertThat(seen.heads()).hasSize(12).containsKeys(ONE, new PullRequestRef(12));
    gitea.owner().patch(gitea.path(1), Map.of("state", "closed"));
    assertThat(seen(Optional.of(seen.mark())).heads()).hasSize(11).doesNotContainKey(ONE);
  }

  /** Gitea leaves it so where the push came while the pull request was closed. */
  @Test
  void one_whose_reference_is_behind_its_branch_waits_for_another_push() {
    Head old = openFromBranch(1, "one", "main", Edit.on(main).file("one.txt", "1\n"));
    CommitSha pushed = world.commit(Edit.on(old.commit()).file("one.txt", "2\n"));
    world.push("one", pushed);
    gitea.awaitHead(1, pushed);
    gitea.disk().run("update-ref", RefNames.head(1), old.commit().value());
    assertThat(forge.heads().pullRequests()).containsEntry(ONE, old.commit());
    var view = forge.pullRequest(ONE, "main").orElseThrow();
    assertThat(view.head()).isEqualTo(old.commit());
    assertThat(view.obstacles()).hasSize(1).first().asString().contains("push to it once more");
    assertThat(forge.git().land(landing(Method.SQUASH, main, Optional.empty(), old)).fault())
        .contains(new LandingFault.HeadMoved(ONE));
    CommitSha again = world.commit(Edit.on(pushed).file("one.txt", "3\n"));
    world.push("one", again);
    gitea.awaitHead(1, again);
    assertThat(forge.heads().pullRequests()).containsEntry(ONE, again);
    assertThat(forge.pullRequest(ONE, "main").orElseThrow().obstacles()).isEmpty();
    landed(Method.SQUASH, new Head(ONE, again));
  }

  @Test
  void a_repository_that_nobody_pushed_to_has_nothing() {
    var empty = new GiteaWorld(directory.resolve("empty"));
    assertThat(empty.node().heads().pullRequests()).isEmpty();
    assertThat(empty.node().heads().branches()).isEmpty();
    assertThat(empty.node().pullRequest(ONE, "main")).isEmpty();
    assertThat(empty.node().requiredStatuses("main")).isEmpty();
    assertThat(empty.node().findings(Set.of("main")))
        .extracting(Finding::sentence)
        .containsExactly("The repository is empty.");
    empty.close();
  }

  @Test
  void missing_approvals_are_an_obstacle() {
    open(1, Edit.on(main).file("one.txt", "1\n"));
    protect(Map.of("rule_name", "main", "required_approvals", 1));
    assertThat(forge.pullRequest(ONE, "main").orElseThrow().obstacles())
        .containsExactly("The branch main requires 1 approval, and the pull request has 0.");
    gitea.owner().post(gitea.path(1) + "/reviews", Map.of("event", "APPROVED", "body", "Good."));
    assertThat(forge.pullRequest(ONE, "main").orElseThrow().obstacles()).isEmpty();
  }

  @Test
  void a_test_branch_has_one_pull_request_that_nobody_can_merge() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    built("mainstay/main/r1", main, one);
    var test = new TestPullRequest("mainstay/main/r1", "main", "Test of #1", "Do not merge.");
    PullRequestRef opened = api.open(test);
    assertThat(api.open(test)).isEqualTo(opened);
    assertThat(gitea.pull(opened.number()).path("draft").asBoolean()).isTrue();
    api.close(opened);
    api.close(opened);
    assertThat(api.pull(opened).orElseThrow().status()).isEqualTo(Status.CLOSED);
    assertThat(api.open(test)).isNotEqualTo(opened);
  }
}
