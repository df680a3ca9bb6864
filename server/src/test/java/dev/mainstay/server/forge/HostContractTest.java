package dev.mainstay.server.forge;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.Abilities.Ability;
import dev.mainstay.server.forge.git.GitKind;
import dev.mainstay.server.forge.git.copy.GitLimits;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of hosts finds out who says more, or less, than is true. */
class HostContractTest {
  private static final Host STATUSES =
      new Host() {
        @Override
        public List<Status> statuses(CommitSha commit) {
          return List.of();
        }
      };

  @TempDir private Path directory;

  private void check(Abilities abilities, Optional<Host> host) {
    try (Forge git =
        new GitKind(directory, GitLimits.USUAL, Reach.usual())
            .open("/not/asked", Optional::empty)) {
      HostContract.check(
          new HostedForge(git, abilities, host),
          new CommitSha("1".repeat(40)),
          new PullRequestRef(1));
    }
  }

  @Test
  void who_says_what_it_can_do_keeps_the_contract() {
    check(Abilities.NONE, Optional.empty());
    check(Abilities.of(Ability.STATUSES), Optional.of(STATUSES));
  }

  @Test
  void who_says_more_or_less_does_not() {
    breaks(Abilities.of(Ability.STATUSES), Optional.empty());
    breaks(Abilities.NONE, Optional.of(STATUSES));
    breaks(Abilities.of(Ability.COMMENTS), Optional.of(STATUSES));
    breaks(Abilities.of(Ability.STATUSES, Ability.COMMENTS), Optional.of(STATUSES));
  }

  private void breaks(Abilities abilities, Optional<Host> host) {
    assertThatThrownBy(() -> check(abilities, host))
        .isInstanceOfAny(AssertionError.class, UnsupportedOperationException.class);
  }
}
