package dev.mainstay.server.forge.gitlab;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.forge.RefNames;
import dev.mainstay.server.forge.hosted.HostJson;
import dev.mainstay.server.forge.hosted.HostedPull;
import dev.mainstay.server.forge.hosted.MovedHeads;
import dev.mainstay.server.forge.rest.Answer;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The branches of a project. One of a head is ours to move where it is there for one merge request
 * alone: one that is protected, that others are to be merged into, or that is the head of several,
 * lives on after the landing, and is left alone.
 */
record GitLabBranches(GitLabProject project) implements MovedHeads.Branches {
  Optional<JsonNode> find(String name) {
    return RefNames.isBranch(name)
        ? project.find("/repository/branches/" + GitLabPlace.encoded(name))
        : Optional.empty();
  }

  @Override
  public Optional<CommitSha> at(String name) {
    return find(name).flatMap(branch -> HostJson.commit(branch.at("/commit/id")));
  }

  /** A branch of another project; empty where it is gone, or we may not see it. */
  Optional<CommitSha> at(long otherProject, String name) {
    try {
      Answer answer =
          project
              .rest()
              .get(
                  "/projects/%d/repository/branches/%s"
                      .formatted(otherProject, GitLabPlace.encoded(name)));
      return answer.ok() ? HostJson.commit(answer.json().at("/commit/id")) : Optional.empty();
    } catch (CredentialsRefused e) {
      return Optional.empty();
    }
  }

  @Override
  public Optional<String> movable(HostedPull pull, String targetBranch) {
    boolean ofThis = pull.status() == Forge.Status.OPEN && pull.baseBranch().equals(targetBranch);
    return pull.headBranch().filter(branch -> ofThis && isForOne(branch));
  }

  private boolean isForOne(String branch) {
    return !find(branch).map(b -> b.path("protected").asBoolean(true)).orElse(true)
        && opened("source_branch", branch) == 1
        && opened("target_branch", branch) == 0;
  }

  private int opened(String how, String branch) {
    return project
        .all(
            "/merge_requests?state=opened&per_page=2&%s=%s"
                .formatted(how, GitLabPlace.encoded(branch)),
            2)
        .size();
  }
}
