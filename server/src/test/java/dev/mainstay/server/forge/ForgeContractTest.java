package dev.mainstay.server.forge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.Forge.Look;
import dev.mainstay.server.forge.Forge.Mergeability;
import dev.mainstay.server.forge.Forge.Status;
import dev.mainstay.server.forge.GitRepository.BuildResult;
import dev.mainstay.server.forge.GitRepository.Head;
import dev.mainstay.server.forge.git.copy.Commit;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The contract of every forge, as the queue relies on it: how pull requests are read and tested.
 */
public abstract class ForgeContractTest extends ForgeScene {
  @Test
  void heads_are_all_that_is_open() {
    CommitSha one = open(1, Edit.on(main).file("one.txt", "1\n"));
    assertThat(forge.heads().pullRequests()).containsExactly(Map.entry(ONE, one));
    assertThat(forge.heads().branches()).containsExactly(Map.entry("main", main));
    CommitSha pushed = open(1, Edit.on(one).file("one.txt", "2\n"));
    world.push("main", one);
    assertThat(forge.heads().pullRequests()).containsExactly(Map.entry(ONE, pushed));
    assertThat(forge.heads().branches()).containsExactly(Map.entry("main", one));
    world.close(1);
    assertThat(forge.heads().pullRequests()).isEmpty();
  }

  @Test
  void a_look_says_whether_anything_moved_since_another() {
    Look.Seen before = seen(Optional.empty());
    assertThat(forge.look(Optional.of(before.mark()))).isEqualTo(new Look.Unchanged());
    assertThat(world.node().look(Optional.of(before.mark()))).isEqualTo(new Look.Unchanged());
    CommitSha one = open(1, Edit.on(main).file("one.txt", "1\n"));
    Look.Seen opened = seen(Optional.of(before.mark()));
    assertThat(opened.heads().pullRequests()).containsExactly(Map.entry(ONE, one));
    CommitSha moved = world.commit(Edit.on(main).file("b.txt", "2\n"));
    world.push("main", moved);
    assertThat(seen(Optional.of(opened.mark())).heads().branches()).containsValue(moved);
    world.push("main", main);
    assertThat(forge.look(Optional.of(opened.mark()))).isEqualTo(new Look.Unchanged());
    world.close(1);
    assertThat(seen(Optional.of(opened.mark())).heads().pullRequests()).isEmpty();
    assertThat(seen(Optional.of("the mark of another"))).isNotNull();
  }

  private Look.Seen seen(Optional<String> mark) {
    Look look = forge.look(mark);
    assertThat(look).isInstanceOf(Look.Seen.class);
    return (Look.Seen) look;
  }

  @Test
  void it_can_do_what_it_says_and_nothing_else() {
    built("mainstay/main/r1", main, head(1, Edit.on(main).file("one.txt", "1\n")));
    HostContract.check(forge, main, ONE);
  }

  @Test
  void a_pull_request_is_seen_as_it_stands() {
    CommitSha head =
        open(1, Edit.on(main).by("Bob B. <bob@example.org>").says("Add it\n\nWhy.").file("c", "1"));
    var view = forge.pullRequest(ONE, "main").orElseThrow();
    assertThat(view.head()).isEqualTo(head);
    assertThat(view.title()).isEqualTo("Add it");
    assertThat(view.description()).isEqualTo("Why.");
    assertThat(view.author()).isEqualTo(world.author("Bob B."));
    assertThat(view.status()).isEqualTo(Status.OPEN);
    assertThat(view.mergeability()).isEqualTo(Mergeability.MERGEABLE);
    assertThat(view.mergeBase()).contains(main);
    assertThat(view.baseBranch()).isEqualTo("main");
    assertThat(forge.pullRequest(TWO, "main")).isEmpty();
  }

  @Test
  void what_people_wrote_about_it_counts_more_than_its_commits() {
    open(1, Edit.on(main).says("wip").file("c", "1"));
    world.push("release", main);
    world.describe(1, "Add the thing\n\nBecause.\n\nbase: release\ndraft: true\n");
    var view = forge.pullRequest(ONE, "main").orElseThrow();
    assertThat(view.title()).isEqualTo("Add the thing");
    assertThat(view.description()).isEqualTo("Because.");
    assertThat(view.baseBranch()).isEqualTo("release");
    assertThat(view.status()).isEqualTo(Status.DRAFT);
    world.describe(1, "Add the thing");
    assertThat(forge.pullRequest(ONE, "main").orElseThrow().status()).isEqualTo(Status.OPEN);
  }

  @Test
  void a_pull_request_that_was_closed_is_no_longer_there_or_said_to_be_closed() {
    open(1, Edit.on(main).file("c", "1"));
    assertThat(forge.pullRequest(ONE, "main")).isPresent();
    world.close(1);
    assertThat(forge.pullRequest(ONE, "main").filter(view -> view.status() != Status.CLOSED))
        .isEmpty();
  }

  @Test
  void a_head_that_is_in_the_target_branch_is_merged() {
    CommitSha head = open(1, Edit.on(main).file("c", "1"));
    world.push("main", world.commit(Edit.on(head).file("d", "1")));
    assertThat(forge.pullRequest(ONE, "main").orElseThrow().status()).isEqualTo(Status.MERGED);
  }

  @Test
  void mergeability_follows_the_target_branch() {
    CommitSha head = open(1, Edit.on(main).file("a.txt", "2\n"));
    assertThat(mergeability()).isEqualTo(Mergeability.MERGEABLE);
    CommitSha other = world.commit(Edit.on(main).file("a.txt", "3\n"));
    world.push("main", other);
    assertThat(mergeability()).isEqualTo(Mergeability.NOT_MERGEABLE);
    assertThat(forge.pullRequest(ONE, "main").orElseThrow().mergeBase()).contains(main);
    open(1, Edit.on(head, other).file("a.txt", "4\n"));
    assertThat(mergeability()).isEqualTo(Mergeability.MERGEABLE);
  }

  private Mergeability mergeability() {
    return forge.pullRequest(ONE, "main").orElseThrow().mergeability();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nowhere",
        "--upload-pack=touch x",
        "a..b",
        "a b",
        "x\ny",
        "",
        "-",
        "a~1",
        "@{-1}"
      })
  void a_target_branch_that_is_not_there_leaves_mergeability_open(String target) {
    open(1, Edit.on(main).file("c", "1"));
    var view = forge.pullRequest(ONE, target).orElseThrow();
    assertThat(view.mergeability()).isEqualTo(Mergeability.UNSPECIFIED);
    assertThat(view.mergeBase()).isEmpty();
  }

  @Test
  void text_in_any_encoding_is_read() {
    open(1, Edit.on(main).by("J\u00f6rg <j@example.org>").says("Gr\u00fc\u00dfe\n").file("c", "1"));
    var view = forge.pullRequest(ONE, "main").orElseThrow();
    assertThat(view.title()).isEqualTo("Grüße");
    assertThat(view.author()).isEqualTo(world.author("Jörg"));
    open(2, Edit.on(main).says(Commit.bytes("Grüße 🎉")).file("c", "1"));
    assertThat(forge.pullRequest(TWO, "main").orElseThrow().title()).isEqualTo("Grüße 🎉");
  }

  @Test
  void a_test_branch_holds_the_base_and_every_head() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    Head two = head(2, Edit.on(main).file("two.txt", "1\n"));
    CommitSha built = built("mainstay/main/r1", main, one, two);
    assertThat(world.branch("mainstay/main/r1")).contains(built);
    assertThat(world.tree(built)).containsOnlyKeys("a.txt", "b.txt", "one.txt", "two.txt");
    assertThat(world.log(built, main)).hasSize(2);
    assertThat(world.branch("main")).contains(main);
  }

  @Test
  void building_again_is_the_same_commit_on_any_node() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    CommitSha built = built("mainstay/main/r1", main, one);
    assertThat(built("mainstay/main/r1", main, one)).isEqualTo(built);
    forge = world.node();
    assertThat(built("mainstay/main/r1", main, one)).isEqualTo(built);
    assertThat(built("mainstay/main/r2", main, one)).isEqualTo(built);
  }

  @Test
  void a_test_branch_without_heads_is_the_base_as_a_commit_of_its_own() {
    CommitSha built = built("mainstay/main/r1", main);
    assertThat(world.branch("mainstay/main/r1")).contains(built);
    assertThat(built).isNotEqualTo(main);
    assertThat(world.tree(built)).isEqualTo(world.tree(main));
    assertThat(world.log(built, main)).hasSize(1);
    assertThat(built("mainstay/main/r1", main)).isEqualTo(built);
    assertThat(built("mainstay/main/r2", main)).isNotEqualTo(built);
  }

  @Test
  void a_test_branch_of_this_name_is_replaced() {
    built("mainstay/main/r1", main, head(1, Edit.on(main).file("one.txt", "1\n")));
    CommitSha built = built("mainstay/main/r1", main, head(2, Edit.on(main).file("x", "1\n")));
    assertThat(world.branch("mainstay/main/r1")).contains(built);
    assertThat(world.tree(built)).doesNotContainKey("one.txt");
  }

  @Test
  void a_conflict_with_the_base_is_told_from_one_with_those_ahead() {
    Head one = head(1, Edit.on(main).file("a.txt", "2\n"));
    Head two = head(2, Edit.on(main).file("a.txt", "3\n"));
    assertThat(forge.git().build(branch("mainstay/main/r1", main, one, two)))
        .isEqualTo(new BuildResult.Conflict(TWO, false));
    CommitSha moved = world.commit(Edit.on(main).file("a.txt", "4\n"));
    world.push("main", moved);
    Head ahead = head(3, Edit.on(main).file("b.txt", "2\n"));
    assertThat(forge.git().build(branch("mainstay/main/r1", moved, ahead, two)))
        .isEqualTo(new BuildResult.Conflict(TWO, true));
    assertThat(world.branches()).containsExactly("main");
  }

  @Test
  void histories_that_share_nothing_conflict() {
    Head one = head(1, Edit.on().file("other.txt", "1\n"));
    assertThat(forge.git().build(branch("mainstay/main/r1", main, one)))
        .isEqualTo(new BuildResult.Conflict(ONE, true));
    assertThat(forge.pullRequest(ONE, "main").orElseThrow().mergeability())
        .isEqualTo(Mergeability.NOT_MERGEABLE);
  }

  @Test
  void a_head_that_nobody_has_is_gone() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    var never = new Head(ONE, new CommitSha("0123456789".repeat(4)));
    assertThat(forge.git().build(branch("mainstay/main/r1", main, never)))
        .isEqualTo(new BuildResult.HeadGone(ONE));
    world.open(1, world.commit(Edit.on(main).file("one.txt", "2\n")));
    assertThat(world.node().git().build(branch("mainstay/main/r1", main, one)))
        .isEqualTo(new BuildResult.HeadGone(ONE));
    world.close(1);
    assertThat(world.node().git().build(branch("mainstay/main/r1", main, one)))
        .isEqualTo(new BuildResult.HeadGone(ONE));
  }

  @ParameterizedTest
  @ValueSource(strings = {"--all", "HEAD", "main", "refs/heads/main", "a\nb"})
  void a_commit_by_another_name_is_gone(String name) {
    var hostile = new Head(ONE, new CommitSha(name));
    assertThat(forge.git().build(branch("mainstay/main/r1", main, hostile)))
        .isEqualTo(new BuildResult.HeadGone(ONE));
  }

  @ParameterizedTest
  @ValueSource(strings = {"main", "mainstay/../main", "mainstay/a b", "mainstay/x\n", "mainstay/"})
  void only_test_branches_are_ever_written_or_deleted(String name) {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    assertThatThrownBy(() -> forge.git().build(branch(name, main, one)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> forge.git().deleteTestBranches(List.of(name)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(world.branch("main")).contains(main);
  }

  @Test
  void files_arrive_as_they_are() {
    String pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";
    Edit edit =
        Edit.on(main)
            .file(
                ".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n*.t text eol=crlf\n")
            .file("big.bin", pointer)
            .file("x.t", "a\nb\n")
            .file("caf\u00e9", "1")
            .entry(Edit.PROGRAM, "run.sh", "#!/bin/sh\n")
            .entry(Edit.LINK, "link", "/etc/passwd")
            .entry(Edit.SUBMODULE, "module", "1".repeat(40));
    Head one = head(1, edit);
    CommitSha built = built("mainstay/main/r1", main, one, head(2, Edit.on(main).file("z", "1")));
    Map<String, String> merged = world.tree(built);
    assertThat(merged).containsAllEntriesOf(world.tree(one.commit())).containsKey("z");
    assertThat(merged.get("run.sh")).startsWith("100755");
    assertThat(merged.get("module")).isEqualTo("160000 commit " + "1".repeat(40));
    assertThat(forge.git().file(built, "big.bin").map(b -> new String(b, StandardCharsets.UTF_8)))
        .contains(pointer);
  }

  @Test
  void test_branches_are_deleted_once_and_nothing_else() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    built("mainstay/main/r1", main, one);
    built("mainstay/main/r2", main, one);
    forge.git().deleteTestBranches(List.of("mainstay/main/r1", "mainstay/main/never"));
    assertThat(world.branches()).containsExactlyInAnyOrder("main", "mainstay/main/r2");
    forge.git().deleteTestBranches(List.of("mainstay/main/r1", "mainstay/main/r2"));
    forge.git().deleteTestBranches(List.of("mainstay/main/r1", "mainstay/main/r2"));
    forge.git().deleteTestBranches(List.of());
    assertThat(world.branches()).containsExactly("main");
  }

  @Test
  void a_file_is_read_at_a_commit() {
    CommitSha next = world.commit(Edit.on(main).file("docs/CODEOWNERS", "* @ada\n"));
    world.push("main", next);
    assertThat(forge.git().file(next, "docs/CODEOWNERS").orElseThrow())
        .asString()
        .isEqualTo("* @ada\n");
    assertThat(forge.git().file(main, "docs/CODEOWNERS")).isEmpty();
    assertThat(forge.git().file(next, "docs")).isEmpty();
    assertThat(forge.git().file(next, "../../etc/passwd")).isEmpty();
    assertThat(forge.git().file(next, "a\nb")).isEmpty();
    assertThat(forge.git().file(new CommitSha("f".repeat(40)), "a.txt")).isEmpty();
  }

  @Test
  void many_heads_make_one_branch() {
    Head[] heads = new Head[30];
    for (int i = 0; i < heads.length; i++) {
      heads[i] = head(i + 1, Edit.on(main).file("f" + i, "1\n"));
    }
    assertThat(world.tree(built("mainstay/main/r1", main, heads))).hasSize(32);
    assertThat(forge.heads().pullRequests()).hasSize(30).containsKey(new PullRequestRef(30));
  }

  @Test
  void a_repository_without_the_branch_has_nothing_of_it() {
    world.deleteBranch("main");
    assertThat(world.branches()).doesNotContain("main");
    assertThat(forge.heads().branches().keySet())
        .containsExactlyInAnyOrderElementsOf(world.branches());
    assertThat(forge.pullRequest(ONE, "main")).isEmpty();
    forge.git().deleteTestBranches(List.of("mainstay/main/r1"));
  }

  @Test
  void a_repository_that_vanished_is_said_to_be_unavailable() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    assertThat(forge.pullRequest(ONE, "main")).isPresent();
    world.vanish();
    for (Runnable question :
        List.<Runnable>of(
            forge::heads,
            () -> forge.pullRequest(ONE, "main"),
            () -> forge.git().build(branch("mainstay/main/r1", main, one)),
            () -> forge.git().deleteTestBranches(List.of("mainstay/main/r1")))) {
      assertThatThrownBy(question::run)
          .isInstanceOf(ForgeUnavailable.class)
          .message()
          .matches("[A-Z].*\\.");
    }
  }
}
