package dev.mainstay.server.forge.github;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.Edit;
import dev.mainstay.server.forge.ForgeScene;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.ForgeWorld;
import dev.mainstay.server.forge.GitRepository.Head;
import dev.mainstay.server.forge.GitRepository.How;
import dev.mainstay.server.forge.GitRepository.Landed;
import dev.mainstay.server.forge.GitRepository.Landing;
import dev.mainstay.server.forge.GitRepository.LandingResult;
import dev.mainstay.server.forge.GitRepository.Method;
import dev.mainstay.server.forge.github.FakeFaults.Fault;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * Requests of a landing fail, before they did their work and after it: the landing, asked for
 * again, ends as if nothing had been.
 */
@Order(1)
class GitHubFaultsTest extends ForgeScene {
  private static final int MOST_REQUESTS = 100;

  /** One in so many is tried, each time others: a landing takes a second. */
  private static final int STRIDE = 4;

  private int number;

  @Override
  protected ForgeWorld world(Path directory) {
    return GitHubForgeTest.world(directory, false);
  }

  private FakeGitHub github() {
    return ((GitHubWorld) world).github;
  }

  @Test
  void each_request_fails_before_its_work() {
    int first = ThreadLocalRandom.current().nextInt(STRIDE);
    assertThat(sweep(new Fault.Instead(500, Map.of()), first, STRIDE)).isBetween(10, MOST_REQUESTS);
  }

  @Test
  void each_change_fails_after_its_work() {
    assertThat(sweep(new Fault.AfterWork(502), 0, 1)).isEqualTo(3);
  }

  /** The number of requests that a landing has, or a little more. */
  private int sweep(Fault fault, int first, int stride) {
    for (int at = first; at < MOST_REQUESTS; at += stride) {
      if (at % 15 == 14) {
        forge = world.node(); // One alone may not write so often in a minute.
      }
      if (struck(at, fault).isEmpty()) {
        return at;
      }
    }
    return MOST_REQUESTS;
  }

  /** One is pushed, and one GitHub merges; then the kind of the request that had the fault. */
  private Optional<String> struck(int at, Fault fault) {
    CommitSha onto = world.branch("main").orElseThrow();
    Head one = next();
    Head two = next();
    github().protection.protectedBranches.add(GitHubWorld.headBranch(two.pr().number()));
    CommitSha tested = built("mainstay/main/r" + number, onto, one, two);
    Landing landing = landing(Method.SQUASH, onto, Optional.of(tested), one, two);
    github().faults.afterAny(at, fault);
    LandingResult result = untilItEnds(landing);
    Optional<String> struck = github().faults.struck();
    String when = "#%d with a fault of %s".formatted(at, struck);
    assertThat(result.fault()).as(when).isEmpty();
    assertThat(result.landed())
        .as(when)
        .extracting(Landed::how)
        .containsExactly(How.TESTED_COMMIT, How.BY_FORGE);
    assertThat(world.branch("main")).as(when).contains(result.landed().getLast().targetHead());
    assertThat(tree(world.branch("main").orElseThrow())).as(when).isEqualTo(tree(tested));
    assertThat(merged(one) && merged(two)).as(when).isTrue();
    assertThat(world.branch(GitHubWorld.headBranch(two.pr().number())))
        .as(when)
        .contains(two.commit());
    assertThat(github().talk.comments(one.pr().number())).as(when).isEmpty();
    return struck;
  }

  private Head next() {
    number++;
    return head(number, Edit.on(main).file("file-" + number, "1\n"));
  }

  private LandingResult untilItEnds(Landing landing) {
    for (int tries = 0; tries < 3; tries++) {
      try {
        return forge.git().land(landing);
      } catch (ForgeUnavailable | CredentialsRefused e) {
        // Asked for again, as the queue does.
      }
    }
    return forge.git().land(landing);
  }

  private Map<String, String> tree(CommitSha commit) {
    return world.tree(commit);
  }

  private boolean merged(Head head) {
    PullRequestRef pr = head.pr();
    return github().pulls.pull(pr.number()).merged;
  }
}
