package dev.mainstay.server.forge.gitea;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.Host.TestPullRequest;
import dev.mainstay.server.forge.hosted.HostJson;
import dev.mainstay.server.forge.rest.Answer;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Pull requests of test branches. Their titles make them drafts, which nobody can merge. */
record GiteaTestPulls(GiteaRepository repository) {
  private static final String DRAFT = "WIP: ";
  private static final int MOST_TITLE = 250;
  private static final int MOST_TEXT = 60_000;

  PullRequestRef open(TestPullRequest test) {
    Answer answer =
        repository.call(
            "POST",
            "/pulls",
            Map.of(
                "head", test.branch(),
                "base", test.targetBranch(),
                "title", HostJson.cut(DRAFT + test.title(), MOST_TITLE),
                "body", HostJson.cut(test.text(), MOST_TEXT)));
    Optional<JsonNode> pull =
        answer.status() == 409 ? opened(test) : Optional.of(answer.json()).filter(a -> answer.ok());
    return pull.flatMap(p -> HostJson.number(p.path("number")))
        .orElseThrow(
            () ->
                new ForgeUnavailable(
                    "The host of %s does not open a pull request of %s: %s (%d)."
                        .formatted(
                            repository.place(), test.branch(), answer.words(), answer.status())));
  }

  private Optional<JsonNode> opened(TestPullRequest test) {
    return repository.find(
        "/pulls/%s/%s"
            .formatted(
                GiteaRepository.encoded(test.targetBranch()),
                GiteaRepository.encoded(test.branch())));
  }

  void close(PullRequestRef test) {
    boolean open =
        repository
            .find(GiteaRepository.pull(test))
            .filter(pull -> pull.path("state").asString("").equals("open"))
            .isPresent();
    if (open) {
      repository.change("PATCH", GiteaRepository.pull(test), Map.of("state", "closed"));
    }
  }
}
