package dev.mainstay.server.forge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.Abilities.Ability;
import dev.mainstay.server.forge.Host.Check;
import dev.mainstay.server.forge.Host.TestPullRequest;
import dev.mainstay.server.forge.Host.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The promise of abilities: what a forge names it does, also twice, and the rest it does not. */
final class HostContract {
  private HostContract() {}

  /** Tries everything on a commit of the main branch and an open pull request. */
  static void check(Forge forge, CommitSha commit, PullRequestRef pr) {
    assertThat(forge.host().isPresent())
        .as("a host and abilities")
        .isEqualTo(!forge.abilities().all().isEmpty());
    forge.host().ifPresent(host -> check(forge.abilities(), host, commit, pr));
  }

  private static void check(Abilities abilities, Host host, CommitSha commit, PullRequestRef pr) {
    for (Ability ability : Ability.values()) {
      for (Runnable call : calls(ability, host, commit, pr)) {
        if (abilities.has(ability)) {
          call.run();
          call.run();
        } else {
          assertThatThrownBy(call::run)
              .as("%s", ability)
              .isInstanceOf(UnsupportedOperationException.class);
        }
      }
    }
  }

  private static List<Runnable> calls(
      Ability ability, Host host, CommitSha commit, PullRequestRef pr) {
    return switch (ability) {
      case STATUSES -> List.of(() -> host.statuses(commit));
      case CHECKS ->
          List.of(
              () ->
                  host.write(
                      new Check(commit, "mainstay", Verdict.PENDING, "In", "", Optional.empty())));
      case COMMENTS -> List.of(() -> host.comment(pr, "Hello."));
      case COMMANDS ->
          List.of(
              () -> host.comments(Optional.empty()),
              () -> host.comments(Optional.of(host.comments(Optional.empty()).mark())),
              () -> host.react(pr, "1", Host.Reaction.DONE),
              () -> host.cover(pr));
      case LABELS ->
          List.of(
              () -> host.covers(Optional.empty()),
              () -> host.covers(Optional.of(host.covers(Optional.empty()).mark())),
              () -> host.labelled(pr, "none of this name"),
              () -> host.label(pr, Set.of("mainstay: testing"), Set.of("none of this name")));
      case AUTO_MERGE -> List.of(() -> host.armed(pr));
      case DISARMING -> List.of(() -> host.disarm(pr));
      case PERMISSIONS -> List.of(() -> host.permission("nobody-of-this-name"));
      case TEST_PULL_REQUESTS ->
          List.of(
              () -> host.open(new TestPullRequest("mainstay/main/r1", "main", "Test", "")),
              () -> host.close(pr));
      case MARKING_MERGED -> List.of(() -> host.markMerged(pr, commit));
      case RERUNS -> List.of(() -> host.rerun(commit, "ci"));
      case STOPPING -> List.of(() -> host.stop(commit));
      case RUN_NUMBERS -> List.of(() -> host.runsForFork(1, commit));
      case BUTTONS -> List.of();
    };
  }
}
