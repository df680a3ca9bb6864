package dev.mainstay.server.forge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.GitRepository.BuildResult;
import dev.mainstay.server.forge.GitRepository.Head;
import dev.mainstay.server.forge.GitRepository.Landing;
import dev.mainstay.server.forge.GitRepository.LandingResult;
import dev.mainstay.server.forge.GitRepository.Method;
import dev.mainstay.server.forge.GitRepository.TestBranch;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A repository with a branch main of two files, and a node that is connected to it. */
public abstract class ForgeScene {
  public static final Instant AT = Instant.parse("2026-03-01T10:00:00Z");
  public static final PullRequestRef ONE = new PullRequestRef(1);
  protected static final PullRequestRef TWO = new PullRequestRef(2);

  @TempDir protected Path directory;
  public ForgeWorld world;
  public Forge forge;
  public CommitSha main;

  protected abstract ForgeWorld world(Path directory);

  @BeforeEach
  public void begin() {
    world = world(directory);
    main = world.commit(Edit.on().says("Begin").file("a.txt", "1\n").file("b.txt", "1\n"));
    world.push("main", main);
    forge = world.node();
  }

  @AfterEach
  public void end() {
    world.close();
  }

  protected CommitSha open(int number, Edit edit) {
    CommitSha head = world.commit(edit);
    world.open(number, head);
    return head;
  }

  protected Head head(int number, Edit edit) {
    return new Head(new PullRequestRef(number), open(number, edit));
  }

  protected TestBranch branch(String name, CommitSha base, Head... heads) {
    return new TestBranch(name, base, List.of(heads), Method.SQUASH);
  }

  protected CommitSha built(String name, CommitSha base, Head... heads) {
    BuildResult result = forge.git().build(branch(name, base, heads));
    assertThat(result).isInstanceOf(BuildResult.Built.class);
    return ((BuildResult.Built) result).commit();
  }

  protected Landing landing(
      Method method, CommitSha onto, Optional<CommitSha> tested, Head... heads) {
    return new Landing(
        "landing-1", "main", onto, List.of(heads), tested, tested.isPresent(), method, false, AT);
  }

  /** Lands without a test before, and everything. */
  protected CommitSha landed(Method method, Head... heads) {
    CommitSha onto = world.branch("main").orElseThrow();
    LandingResult result = forge.git().land(landing(method, onto, Optional.empty(), heads));
    assertThat(result.fault()).isEmpty();
    CommitSha tip = world.branch("main").orElseThrow();
    assertThat(result.landed().getLast().targetHead()).isEqualTo(tip);
    return tip;
  }
}
