package dev.mainstay.server.forge.gitlab;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.Host.TestPullRequest;
import dev.mainstay.server.forge.RefNames;
import dev.mainstay.server.forge.hosted.HostJson;
import dev.mainstay.server.forge.rest.Answer;
import java.util.Map;
import java.util.Optional;

/** Merge requests of test branches. Their titles make them drafts, which nobody can merge. */
record GitLabTestRequests(GitLabProject project) {
  private static final int MOST_TITLE = 250;
  private static final int MOST_TEXT = 60_000;

  PullRequestRef open(TestPullRequest test) {
    RefNames.testBranch(test.branch());
    Optional<PullRequestRef> open = find(test);
    return open.isPresent() ? open.get() : create(test);
  }

  private Optional<PullRequestRef> find(TestPullRequest test) {
    return project
        .all(
            "/merge_requests?state=opened&per_page=1&source_branch=%s&target_branch=%s"
                .formatted(
                    GitLabPlace.encoded(test.branch()), GitLabPlace.encoded(test.targetBranch())),
            1)
        .stream()
        .flatMap(request -> HostJson.number(request.path("iid")).stream())
        .findFirst();
  }

  /** Another node may have been faster. */
  private PullRequestRef create(TestPullRequest test) {
    Answer answer =
        project.call(
            "POST",
            "/merge_requests",
            Map.of(
                "source_branch", test.branch(),
                "target_branch", test.targetBranch(),
                "title", HostJson.cut("Draft: " + test.title(), MOST_TITLE),
                "description", HostJson.cut(GitLabPeople.shown(test.text()), MOST_TEXT),
                "remove_source_branch", false));
    return Optional.of(answer)
        .filter(Answer::ok)
        .flatMap(made -> HostJson.number(made.json().path("iid")))
        .or(() -> find(test))
        .orElseThrow(
            () ->
                new ForgeUnavailable(
                    "The host of %s does not open a merge request of %s: %s (%d)."
                        .formatted(
                            project.place(),
                            test.branch(),
                            GitLabProject.words(answer),
                            answer.status())));
  }
}
