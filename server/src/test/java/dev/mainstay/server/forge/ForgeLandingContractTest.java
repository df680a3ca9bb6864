package dev.mainstay.server.forge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.GitRepository.Head;
import dev.mainstay.server.forge.GitRepository.How;
import dev.mainstay.server.forge.GitRepository.Landing;
import dev.mainstay.server.forge.GitRepository.LandingFault;
import dev.mainstay.server.forge.GitRepository.LandingResult;
import dev.mainstay.server.forge.GitRepository.Method;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract of every forge, as the queue relies on it: how pull requests land. */
public abstract class ForgeLandingContractTest extends ForgeScene {
  @ParameterizedTest
  @EnumSource
  void what_lands_is_what_was_tested(Method method) {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    Head two = head(2, Edit.on(main).file("two.txt", "1\n"));
    CommitSha tested = built("mainstay/main/r1", main, one, two);
    LandingResult result = forge.git().land(landing(method, main, Optional.of(tested), one, two));
    assertThat(result.fault()).isEmpty();
    assertThat(result.landed()).extracting(GitRepository.Landed::pr).containsExactly(ONE, TWO);
    CommitSha landed = world.branch("main").orElseThrow();
    assertThat(result.landed().getLast().targetHead()).isEqualTo(landed);
    assertThat(world.log(landed, main)).contains(result.landed().getFirst().targetHead());
    assertThat(world.show(landed, "%T")).isEqualTo(world.show(tested, "%T"));
  }

  @ParameterizedTest
  @EnumSource
  void a_landing_whose_answer_was_lost_is_recognised(Method method) {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    Head two = head(2, Edit.on(main).file("two.txt", "1\n"));
    CommitSha tested = built("mainstay/main/r1", main, one, two);
    Landing landing = landing(method, main, Optional.of(tested), one, two);
    LandingResult first = forge.git().land(landing);
    assertThat(forge.git().land(landing)).isEqualTo(first);
    CommitSha tip = world.branch("main").orElseThrow();
    assertThat(world.node().git().land(landing)).isEqualTo(first);

    CommitSha now = world.commitOn(tip, Edit.on().file("later.txt", "1\n"));
    world.push("main", now);
    forge.git().deleteTestBranches(List.of("mainstay/main/r1"));
    world.open(1, world.commit(Edit.on(main).file("one.txt", "changed\n")));
    world.close(2);
    assertThat(forge.git().land(landing)).isEqualTo(first);
    assertThat(world.node().git().land(landing)).isEqualTo(first);
    assertThat(world.branch("main")).contains(now);
  }

  @Test
  void squash_makes_one_commit_of_each_by_its_author() {
    CommitSha first =
        world.commit(
            Edit.on(main).by("Bob <bob@example.org>").says("Start").file("one.txt", "1\n"));
    Head one =
        head(
            1,
            Edit.on(first)
                .by("Ada <ada@example.org>")
                .at("1700000000 +0100")
                .says("Finish\n\nAll of it.")
                .file("one.txt", "2\n"));
    CommitSha tip = landed(Method.SQUASH, one);
    assertThat(world.log(tip, main)).containsExactly(tip);
    assertThat(world.show(tip, "%P")).isEqualToIgnoringNewLines(main.value());
    assertThat(world.show(tip, "%an <%ae> %ad|%cn|%ct"))
        .isEqualToIgnoringNewLines(
            "Ada <ada@example.org> Tue Nov 14 23:13:20 2023 +0100|Mainstay|" + AT.getEpochSecond());
    assertThat(world.show(tip, "%B").strip())
        .isEqualTo(
            "Finish ("
                + world.sign()
                + "1)\n\nAll of it.\n\nCo-authored-by: Bob <bob@example.org>");
  }

  @ParameterizedTest
  @EnumSource(names = {"SQUASH", "MERGE_COMMIT"})
  void the_description_may_name_the_title(Method method) {
    Head one = head(1, Edit.on(main).says("wip").file("one.txt", "1\n"));
    world.describe(1, "Add one\n\nIt is new.\nmerge-commit-title: feat: one\n\nReally.\n");
    CommitSha tip = landed(method, one);
    assertThat(world.show(tip, "%B").strip()).isEqualTo("feat: one\n\nIt is new.\n\nReally.");
  }

  @Test
  void a_merge_commit_has_both_parents() {
    Head one = head(1, Edit.on(main).says("Add one").file("one.txt", "1\n"));
    Head two = head(2, Edit.on(main).says("Add two").file("two.txt", "1\n"));
    CommitSha tip = landed(Method.MERGE_COMMIT, one, two);
    assertThat(world.show(tip, "%s")).isEqualToIgnoringNewLines("Add two (" + world.sign() + "2)");
    List<String> parents = List.of(world.show(tip, "%P").strip().split(" "));
    assertThat(parents.getLast()).isEqualTo(two.commit().value());
    assertThat(world.show(new CommitSha(parents.getFirst()), "%P").strip())
        .isEqualTo(main + " " + one.commit());
  }

  @Test
  void rebase_replays_each_commit_and_drops_what_adds_nothing() {
    CommitSha first =
        world.commit(
            Edit.on(main).by("Bob <bob@example.org>").says("First\n\nBody.").file("one", "1\n"));
    CommitSha nothing = world.commit(Edit.on(first).says("Nothing"));
    Head one = head(1, Edit.on(nothing).says("Second").file("one", "2\n"));
    CommitSha moved = world.commit(Edit.on(main).file("b.txt", "2\n"));
    world.push("main", moved);
    CommitSha tip = landed(Method.REBASE, one);
    List<CommitSha> log = world.log(tip, moved);
    assertThat(log).hasSize(2).doesNotContain(one.commit(), first);
    assertThat(world.show(log.getFirst(), "%an|%s|%P").strip())
        .isEqualTo("Ada|Second|" + log.getLast());
    assertThat(world.show(log.getLast(), "%an <%ae>|%at|%cn|%B").strip())
        .isEqualTo("Bob <bob@example.org>|1700000000|Mainstay|First\n\nBody.");
    assertThat(world.tree(tip)).containsOnlyKeys("a.txt", "b.txt", "one");
  }

  @Test
  void rebase_flattens_merges_of_the_target_branch() {
    CommitSha first = world.commit(Edit.on(main).says("First").file("one", "1\n"));
    CommitSha moved = world.commit(Edit.on(main).file("b.txt", "2\n"));
    world.push("main", moved);
    CommitSha merge = world.commit(Edit.on(first, moved).says("Merge").file("b.txt", "2\n"));
    Head one = head(1, Edit.on(merge).says("Second").file("two", "1\n"));
    CommitSha tip = landed(Method.REBASE, one);
    assertThat(world.log(tip, moved)).hasSize(2);
    assertThat(world.tree(tip)).isEqualTo(world.tree(one.commit()));
  }

  @Test
  void rebase_refuses_what_cannot_be_replayed() {
    CommitSha first = world.commit(Edit.on(main).file("a.txt", "2\n"));
    Head one = head(1, Edit.on(first).file("a.txt", "1\n").file("c", "1"));
    CommitSha moved = world.commit(Edit.on(main).file("a.txt", "3\n"));
    world.push("main", moved);
    assertThat(fault(landing(Method.REBASE, moved, Optional.empty(), one)))
        .isEqualTo(new LandingFault.Conflict(ONE));
    assertThat(world.branch("main")).contains(moved);
  }

  @ParameterizedTest
  @EnumSource
  void one_that_stands_on_another_lands_after_it(Method method) {
    Head one = head(1, Edit.on(main).file("one", "1\n2\n3\n"));
    Head two = head(2, Edit.on(one.commit()).file("one", "1\nB\n3\n"));
    CommitSha tip = landed(method, one, two);
    assertThat(world.tree(tip)).isEqualTo(world.tree(two.commit()));
  }

  @ParameterizedTest
  @EnumSource
  void strange_bytes_land_unharmed(Method method) {
    Head one =
        head(
            1,
            Edit.on(main)
                .by("J\u00f6rg <j@example.org>")
                .says("Gr\u00fc\u00dfe")
                .file("caf\u00e9", "\u00ff\u0000\u0001")
                .entry(Edit.PROGRAM, "run.sh", "x")
                .entry(Edit.LINK, "link", "a.txt")
                .entry(Edit.SUBMODULE, "module", "1".repeat(40)));
    CommitSha tip = landed(method, one);
    assertThat(world.tree(tip)).isEqualTo(world.tree(one.commit()));
    if (method == Method.SQUASH) {
      assertThat(world.show(tip, "%an|%s").strip()).isEqualTo("Jörg|Grüße (" + world.sign() + "1)");
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_head_that_moved_lands_nothing(Method method) {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    Head two = head(2, Edit.on(main).file("two.txt", "1\n"));
    forge.pullRequest(TWO, "main");
    CommitSha pushed = open(2, Edit.on(two.commit()).file("two.txt", "2\n"));
    assertThat(fault(landing(method, main, Optional.empty(), one, two)))
        .isEqualTo(new LandingFault.HeadMoved(TWO));
    world.close(2);
    assertThat(fault(landing(method, main, Optional.empty(), one, two)))
        .isEqualTo(new LandingFault.HeadMoved(TWO));
    assertThat(world.branch("main")).contains(main);
    world.open(2, pushed);
    assertThat(forge.heads().pullRequests()).containsEntry(TWO, pushed);
  }

  @Test
  void a_target_that_moved_lands_nothing() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    forge.pullRequest(ONE, "main");
    CommitSha moved = world.commit(Edit.on(main).file("b.txt", "2\n"));
    world.push("main", moved);
    assertThat(fault(landing(Method.SQUASH, main, Optional.empty(), one)))
        .isEqualTo(new LandingFault.TargetMoved(moved));
    CommitSha replaced = world.commit(Edit.on().file("new.txt", "1\n"));
    world.push("main", replaced);
    assertThat(fault(landing(Method.SQUASH, moved, Optional.empty(), one)))
        .isEqualTo(new LandingFault.TargetMoved(replaced));
    assertThat(world.branch("main")).contains(replaced);
  }

  @Test
  void what_conflicts_with_the_target_lands_nothing() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    Head two = head(2, Edit.on(main).file("one.txt", "2\n"));
    assertThat(fault(landing(Method.SQUASH, main, Optional.empty(), one, two)))
        .isEqualTo(new LandingFault.Conflict(TWO));
    assertThat(world.branch("main")).contains(main);
  }

  @ParameterizedTest
  @EnumSource
  void another_tree_than_the_tested_one_lands_nothing(Method method) {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    Head two = head(2, Edit.on(main).file("two.txt", "1\n"));
    CommitSha tested = built("mainstay/main/r1", main, one);
    assertThat(fault(landing(method, main, Optional.of(tested), one, two)))
        .isEqualTo(new LandingFault.TreeDiffered());
    var unknown = Optional.of(new CommitSha("e".repeat(40)));
    assertThat(fault(landing(method, main, unknown, one)))
        .isEqualTo(new LandingFault.TreeDiffered());
    assertThat(world.branch("main")).contains(main);
  }

  @Test
  void a_tree_that_need_not_be_the_tested_one_lands() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    CommitSha tested = built("mainstay/main/r1", main, one);
    CommitSha moved = world.commit(Edit.on(main).file("b.txt", "2\n"));
    world.push("main", moved);
    var landing =
        new Landing(
            "l", "main", moved, List.of(one), Optional.of(tested), false, Method.SQUASH, false, AT);
    assertThat(forge.git().land(landing).fault()).isEmpty();
    assertThat(world.tree(world.branch("main").orElseThrow())).hasSize(3);
  }

  @Test
  void the_tested_commits_land_themselves() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    Head two = head(2, Edit.on(main).file("two.txt", "1\n"));
    Head same = head(3, Edit.on(main).file("two.txt", "1\n"));
    CommitSha first = built("mainstay/main/r1", main, one);
    CommitSha tested = built("mainstay/main/r2", main, one, two, same);
    assertThat(world.log(tested, main)).contains(first).hasSize(2);
    var landed =
        forge.git().land(landing(Method.SQUASH, main, Optional.of(tested), one, two, same));
    assertThat(landed.landed())
        .containsExactly(
            new GitRepository.Landed(ONE, first, How.TESTED_COMMIT),
            new GitRepository.Landed(TWO, tested, How.TESTED_COMMIT),
            new GitRepository.Landed(new PullRequestRef(3), tested, How.ALREADY_THERE));
    assertThat(world.branch("main")).contains(tested);
  }

  @Test
  void what_is_made_anew_changes_the_same_lines() {
    CommitSha start = world.commit(Edit.on(main).file("list", "1\n2\n3\n4\n5\n6\n7\n8\n9\n"));
    world.push("main", start);
    Head one = head(1, Edit.on(start).file("list", "one\n2\n3\n4\n5\n6\n7\n8\n9\n"));
    CommitSha tested = built("mainstay/main/r1", start, one);
    CommitSha moved = world.commit(Edit.on(start).file("list", "1\n2\n3\n4\n5\n6\n7\n8\nnine\n"));
    world.push("main", moved);
    var result = forge.git().land(inexact(moved, tested, one));
    assertThat(result.fault()).isEmpty();
    assertThat(result.landed().getFirst().how()).isEqualTo(How.REBUILT);
  }

  @Test
  void what_would_change_something_else_than_was_tested_lands_nothing() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n").file("b.txt", "2\n"));
    CommitSha tested = built("mainstay/main/r1", main, one);
    CommitSha moved = world.commit(Edit.on(main).file("b.txt", "2\n"));
    world.push("main", moved);
    assertThat(fault(inexact(moved, tested, one))).isEqualTo(new LandingFault.TreeDiffered());
    assertThat(world.branch("main")).contains(moved);
  }

  private static Landing inexact(CommitSha onto, CommitSha tested, Head head) {
    return new Landing(
        "l", "main", onto, List.of(head), Optional.of(tested), false, Method.SQUASH, false, AT);
  }

  @Test
  void the_words_of_the_forge_that_refuses_are_passed_on() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    world.refuse("Main is closed on Sundays.");
    built("mainstay/main/r1", main, one);
    LandingFault fault = fault(landing(Method.SQUASH, main, Optional.empty(), one));
    assertThat(fault)
        .asInstanceOf(type(LandingFault.Refused.class))
        .satisfies(
            f -> {
              assertThat(f.pr()).isEqualTo(ONE);
              assertThat(f.sentence()).startsWith("Main is closed on Sundays.");
            });
    assertThat(world.branch("main")).contains(main);
  }

  @Test
  void a_target_branch_that_is_gone_is_said_to_be() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    forge.pullRequest(ONE, "main");
    world.deleteBranch("main");
    List<String> left = world.branches();
    assertThatThrownBy(() -> forge.git().land(landing(Method.SQUASH, main, Optional.empty(), one)))
        .isInstanceOf(ForgeUnavailable.class)
        .hasMessageContaining("no branch main");
    var hostile =
        new Landing(
            "l", "--all", main, List.of(one), Optional.empty(), false, Method.SQUASH, false, AT);
    assertThat(fault(hostile)).isInstanceOf(LandingFault.Refused.class);
    assertThat(world.branches()).isEqualTo(left).doesNotContain("main");
  }

  private LandingFault fault(Landing landing) {
    LandingResult result = forge.git().land(landing);
    assertThat(result.landed()).isEmpty();
    return result.fault().orElseThrow();
  }
}
