package dev.mainstay.server.forge.github;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.forge.RefNames;
import dev.mainstay.server.forge.hosted.HostedPull;
import dev.mainstay.server.forge.hosted.MovedHeads;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The branches of heads that we may move for a landing: those of this repository which are there
 * for one pull request alone. One that is protected, that others are to be merged into, or that is
 * the head of several, lives on after the landing, and is left alone.
 */
record HeadBranches(GitHubClient client, GitHubApi api) implements MovedHeads.Branches {
  @Override
  public Optional<String> movable(HostedPull pull, String targetBranch) {
    boolean ofThis = pull.status() == Forge.Status.OPEN && pull.baseBranch().equals(targetBranch);
    return pull.headBranch().filter(branch -> ofThis && isForOne(branch));
  }

  private boolean isForOne(String branch) {
    String head = GitHubClient.encoded(client.address().owner() + ":" + branch);
    return !api.required().branch(branch).path("protected").asBoolean(true)
        && api.pulls().open("head=" + head) == 1
        && api.pulls().open("base=" + GitHubClient.encoded(branch)) == 0;
  }

  @Override
  public Optional<CommitSha> at(String branch) {
    JsonNode sha = api.required().branch(branch).path("commit").path("sha");
    return Optional.of(sha.asString(""))
        .filter(s -> !s.isBlank())
        .map(CommitSha::new)
        .filter(RefNames::isCommit);
  }
}
