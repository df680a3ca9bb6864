package dev.mainstay.server.forge.gitlab;

import dev.mainstay.server.forge.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** A branch that a queue lands on, as it is set up; {@code login} is who pushes. */
record GitLabTarget(GitLabProject project, GitLabCi ci, String name, String login) {
  List<Finding> all(JsonNode itself) {
    Optional<JsonNode> branch = new GitLabBranches(project).find(name);
    if (branch.isEmpty()) {
      return List.of(
          Finding.missing(
              "There is no branch %s.".formatted(name), "Push it, or name another for the queue."));
    }
    var found = new ArrayList<Finding>();
    found.add(push(branch.get()));
    found.add(others(branch.get()));
    found.add(tests(itself));
    return found;
  }

  private Finding push(JsonNode branch) {
    return branch.path("can_push").asBoolean(false)
        ? Finding.good("%s may push to %s.".formatted(login, name))
        : Finding.missing(
            "%s may not push to %s: nothing can land there but by GitLab's own merge."
                .formatted(login, name),
            "Under Settings, Repository, Protected branches, let %s, or those of its role, push to %s."
                .formatted(login, name));
  }

  private Finding others(JsonNode branch) {
    return branch.path("protected").asBoolean(false)
        ? Finding.good("%s is protected.".formatted(name))
        : Finding.advice(
            "%s is not protected: others can push to it past the queue.".formatted(name),
            "Protect it, and let only %s push and merge where your plan has that."
                .formatted(login));
  }

  private Finding tests(JsonNode itself) {
    if (GitLabCi.isOff(itself)) {
      return Finding.advice(
          "CI/CD is switched off for the project: no pipeline can prove anything.",
          "Switch it on, or give the queue requiredStatuses that others report, or a test command.");
    }
    return ci.isThere(name)
        ? Finding.advice(
            "The newest pipeline of a test branch must pass. Whether one starts there is not to be seen.",
            "See that the rules of %s let jobs run on branches mainstay/*, or let the queue open merge requests for its test branches (createPrsForTestingBranches)."
                .formatted(GitLabCi.file(itself)))
        : Finding.missing(
            "%s has no %s, and no pipeline ever ran there: nothing can prove a change."
                .formatted(name, GitLabCi.file(itself)),
            "Add one, or give the queue requiredStatuses or a test command.");
  }
}
