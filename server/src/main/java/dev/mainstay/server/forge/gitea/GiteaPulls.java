package dev.mainstay.server.forge.gitea;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.Forge.Status;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.GitRepository.Head;
import dev.mainstay.server.forge.GitRepository.Method;
import dev.mainstay.server.forge.Host.Marking;
import dev.mainstay.server.forge.RefNames;
import dev.mainstay.server.forge.hosted.HostJson;
import dev.mainstay.server.forge.hosted.HostedPull;
import dev.mainstay.server.forge.rest.Answer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * Pull requests, one at a time. Gitea has two heads of each: its list and git show {@code
 * refs/pull/N/head}, which follows the branch some time after a push, and not at all where that
 * came while the pull request was closed; a single one shows the branch. Only the first is the same
 * for everybody who looks, so that counts, and where the other is ahead, that is an obstacle.
 */
record GiteaPulls(GiteaRepository repository, GiteaProtection protection) {
  private static final int MOST_TITLE = 1000;
  private static final int MOST_DESCRIPTION = 200_000;
  private static final int MOST_LOGIN = 200;

  /** Gitea knows drafts by their titles only. */
  private static final Pattern DRAFT =
      Pattern.compile("^(WIP:|\\[WIP])\\s*", Pattern.CASE_INSENSITIVE);

  Optional<HostedPull> find(PullRequestRef pr) {
    return repository.find(GiteaRepository.pull(pr)).map(pull -> read(pr, pull));
  }

  /** The branch that it is of, which is ahead of its head for a while after a push. */
  Optional<CommitSha> openHead(PullRequestRef pr) {
    return repository
        .find(GiteaRepository.pull(pr))
        .filter(pull -> status(pull) == Status.OPEN || status(pull) == Status.DRAFT)
        .flatMap(pull -> HostJson.commit(pull.at("/head/sha")));
  }

  private HostedPull read(PullRequestRef pr, JsonNode pull) {
    CommitSha branch =
        HostJson.commit(pull.at("/head/sha")).orElseThrow(() -> unreadable(pr, "head"));
    String base = HostJson.branch(pull.at("/base/ref")).orElseThrow(() -> unreadable(pr, "base"));
    Status status = status(pull);
    CommitSha head = status == Status.OPEN || status == Status.DRAFT ? head(pr, branch) : branch;
    String title = HostJson.text(pull.path("title"), MOST_TITLE);
    return new HostedPull(
        pr,
        head,
        status == Status.DRAFT ? DRAFT.matcher(title).replaceFirst("") : title,
        HostJson.text(pull.path("body"), MOST_DESCRIPTION).replace("\r\n", "\n"),
        HostJson.text(pull.at("/user/login"), MOST_LOGIN),
        HostJson.url(pull.path("html_url"))
            .orElse(repository.place().location() + "/pulls/" + pr.number()),
        base,
        status,
        status == Status.OPEN ? obstacles(pr, base, head.equals(branch)) : List.of(),
        headBranch(pull),
        HostJson.commit(pull.path("merge_commit_sha")).filter(c -> status == Status.MERGED),
        HostJson.count(pull.path("changed_files")));
  }

  private List<String> obstacles(PullRequestRef pr, String base, boolean isTaken) {
    return isTaken
        ? protection.obstacles(pr, base)
        : List.of(
            "Gitea has not taken over the last push to the branch of the pull request: where it does"
                + " not within a minute, push to it once more.");
  }

  private CommitSha head(PullRequestRef pr, CommitSha branch) {
    String name = RefNames.head(pr.number());
    return repository.find("/git/" + name).stream()
        .flatMap(found -> found.isArray() ? found.valueStream() : Stream.of(found))
        .filter(reference -> reference.path("ref").asString("").equals(name))
        .flatMap(reference -> HostJson.commit(reference.at("/object/sha")).stream())
        .findFirst()
        .orElse(branch);
  }

  private static Status status(JsonNode pull) {
    if (pull.path("merged").asBoolean(false)) {
      return Status.MERGED;
    }
    if (!pull.path("state").asString("").equals("open")) {
      return Status.CLOSED;
    }
    return pull.path("draft").asBoolean(false) ? Status.DRAFT : Status.OPEN;
  }

  /** Of a fork, of a branch that is deleted, and of one that never was, there is none. */
  private static Optional<String> headBranch(JsonNode pull) {
    boolean own =
        pull.at("/head/repo_id").asLong(-1) == pull.at("/base/repo_id").asLong(-2)
            && pull.at("/head/ref").asString("").equals(pull.at("/head/label").asString(""));
    return own ? HostJson.branch(pull.at("/head/ref")) : Optional.empty();
  }

  private ForgeUnavailable unreadable(PullRequestRef pr, String what) {
    return new ForgeUnavailable(
        "The host of %s shows no %s of pull request %s.".formatted(repository.place(), what, pr));
  }

  /** A call that failed may have worked, and the host may have noticed the push by itself. */
  Marking markMerged(PullRequestRef pr, CommitSha landed) {
    Answer answer;
    try {
      answer =
          repository.call(
              "POST",
              GiteaRepository.pull(pr) + "/merge",
              Map.of("Do", "manually-merged", "MergeCommitID", landed.value()));
    } catch (ForgeUnavailable e) {
      if (isMerged(pr)) {
        return new Marking.Merged();
      }
      throw e;
    }
    return answer.ok() || isMerged(pr)
        ? new Marking.Merged()
        : new Marking.Declined(
            "The host of %s does not mark pull request %s as merged: %s (%d)."
                .formatted(repository.place(), pr, answer.words(), answer.status()));
  }

  /** Has Gitea merge it, if its head is this one. */
  Answer merge(Head head, Method method, String message) {
    int end = message.indexOf('\n');
    String way =
        switch (method) {
          case SQUASH -> "squash";
          case MERGE_COMMIT -> "merge";
          case REBASE -> "rebase";
        };
    return repository.call(
        "POST",
        GiteaRepository.pull(head.pr()) + "/merge",
        Map.of(
            "Do",
            way,
            "head_commit_id",
            head.commit().value(),
            "MergeTitleField",
            end < 0 ? message : message.substring(0, end),
            "MergeMessageField",
            end < 0 ? "" : message.substring(end).strip()));
  }

  private boolean isMerged(PullRequestRef pr) {
    return repository
        .find(GiteaRepository.pull(pr))
        .filter(p -> p.path("merged").asBoolean(false))
        .isPresent();
  }
}
