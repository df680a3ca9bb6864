package dev.mainstay.server.forge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.Forge.BuildResult;
import dev.mainstay.server.forge.Forge.Head;
import dev.mainstay.server.forge.Forge.Landing;
import dev.mainstay.server.forge.Forge.LandingResult;
import dev.mainstay.server.forge.Forge.Mergeability;
import dev.mainstay.server.forge.Forge.Method;
import dev.mainstay.server.forge.Forge.Status;
import dev.mainstay.server.forge.Forge.TestBranch;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the queue relies on, whatever the forge. */
abstract class ForgeContractTest {
  private static final Instant AT = Instant.parse("2026-03-01T10:00:00Z");
  private static final PullRequestRef ONE = new PullRequestRef(1);
  private static final PullRequestRef TWO = new PullRequestRef(2);

  @TempDir Path directory;
  private ForgeWorld world;
  private Forge forge;
  private CommitSha main;

  abstract ForgeWorld world(Path directory);

  @BeforeEach
  void begin() {
    world = world(directory);
    main = world.commit(Edit.on().says("Begin").file("a.txt", "1\n").file("b.txt", "1\n"));
    world.push("main", main);
    forge = world.node();
  }

  @AfterEach
  void end() {
    world.close();
  }

  @Test
  void heads_are_all_that_is_open() {
    CommitSha one = open(1, Edit.on(main).file("one.txt", "1\n"));
    assertThat(forge.heads().pullRequests()).containsExactly(java.util.Map.entry(ONE, one));
    assertThat(forge.heads().branches()).containsEntry("main", main);
    world.close(1);
    assertThat(forge.heads().pullRequests()).isEmpty();
  }

  @Test
  void a_pull_request_is_seen_as_it_stands() {
    CommitSha head =
        open(1, Edit.on(main).by("Bob B. <bob@example.org>").says("Add it\n\nWhy.").file("c", "1"));
    var view = forge.pullRequest(ONE, "main").orElseThrow();
    assertThat(view.head()).isEqualTo(head);
    assertThat(view.title()).isEqualTo("Add it");
    assertThat(view.author()).isEqualTo("Bob B.");
    assertThat(view.status()).isEqualTo(Status.OPEN);
    assertThat(view.mergeability()).isEqualTo(Mergeability.MERGEABLE);
    assertThat(view.mergeBase()).contains(main);
    assertThat(view.baseBranch()).isEqualTo("main");
    assertThat(forge.pullRequest(TWO, "main")).isEmpty();
  }

  @Test
  void a_test_branch_holds_the_base_and_every_head() {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    Head two = head(2, Edit.on(main).file("two.txt", "1\n"));
    CommitSha built = built("mainstay/main/r1", main, one, two);
    assertThat(world.branch("mainstay/main/r1")).contains(built);
    assertThat(world.tree(built)).containsOnlyKeys("a.txt", "b.txt", "one.txt", "two.txt");
    assertThat(world.branch("main")).contains(main);
  }

  @ParameterizedTest
  @EnumSource
  void what_lands_is_what_was_tested(Method method) {
    Head one = head(1, Edit.on(main).file("one.txt", "1\n"));
    Head two = head(2, Edit.on(main).file("two.txt", "1\n"));
    CommitSha tested = built("mainstay/main/r1", main, one, two);
    LandingResult result = forge.land(landing(method, main, Optional.of(tested), one, two));
    assertThat(result.fault()).isEmpty();
    assertThat(result.landed()).extracting(Forge.Landed::pr).containsExactly(ONE, TWO);
    CommitSha landed = world.branch("main").orElseThrow();
    assertThat(result.landed().getLast().targetHead()).isEqualTo(landed);
    assertThat(world.show(landed, "%T")).isEqualTo(world.show(tested, "%T"));
  }

  Landing landing(Method method, CommitSha onto, Optional<CommitSha> tested, Head... heads) {
    return new Landing(
        "landing-1", "main", onto, List.of(heads), tested, tested.isPresent(), method, AT);
  }

  CommitSha built(String name, CommitSha base, Head... heads) {
    BuildResult result = forge.build(new TestBranch(name, base, List.of(heads), AT));
    assertThat(result).isInstanceOf(BuildResult.Built.class);
    return ((BuildResult.Built) result).commit();
  }

  Head head(int number, Edit edit) {
    return new Head(new PullRequestRef(number), open(number, edit));
  }

  CommitSha open(int number, Edit edit) {
    CommitSha head = world.commit(edit);
    world.open(number, head);
    return head;
  }
}
