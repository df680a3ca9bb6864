package dev.mainstay.server.queue;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.code.RepoName;
import dev.mainstay.core.queue.Priority;
import dev.mainstay.server.forge.RefNames;
import dev.mainstay.server.platform.ApiError;
import dev.mainstay.server.platform.Caller;
import dev.mainstay.server.platform.Fields;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What requests about queues have in common. Values are placeholders until they were checked. */
final class QueueFields {
  private static final RepoName NO_REPO = new RepoName("none", "none", "none");
  private static final int MAX_BRANCH_LENGTH = 255;
  private static final int MAX_HOST_LENGTH = 259;
  private static final int MAX_NAME_LENGTH = 200;
  private static final int MAX_SHA_LENGTH = 64;
  private static final List<Priority> NAMED =
      List.of(Priority.URGENT, Priority.HIGH, Priority.MEDIUM, Priority.LOW);

  private QueueFields() {}

  static QueueName queue(Caller caller, Fields in) {
    return new QueueName(caller.organizationId(), repo(in), branch(in));
  }

  static RepoName repo(Fields in) {
    Fields repo = in.object("repo");
    String host = repo.text("host", MAX_HOST_LENGTH);
    String owner = repo.text("owner", RepoName.MAX_LENGTH);
    String name = repo.text("name", MAX_NAME_LENGTH);
    Optional<RepoName> whole = RepoName.of(host, owner, name);
    if (whole.isEmpty()) {
      refuse(repo, "host", host, RepoName.of(host, "o", "n"), "must be the name of a host");
      refuse(
          repo, "owner", owner, RepoName.of("h", owner, "n"), "must be one or more names with /");
      refuse(
          repo, "name", name, RepoName.of("h", "o", name), "must be a name without / and spaces");
    } else if (whole.get().toString().length() > RepoName.MAX_LENGTH) {
      in.fault("repo", "must have at most %d characters".formatted(RepoName.MAX_LENGTH));
    }
    return whole.orElse(NO_REPO);
  }

  /** Says what is wrong with a text that is there, but is no part of a repository's name. */
  private static void refuse(
      Fields repo, String field, String text, Optional<RepoName> readable, String expectation) {
    if (!text.isEmpty() && readable.isEmpty()) {
      repo.fault(field, expectation);
    }
  }

  /** The repository that the parameters {@code repo} and {@code repoHost} of a query name. */
  static RepoName repoParameters(Fields in) {
    String path = in.text("repo", RepoName.MAX_LENGTH);
    String host = in.text("repoHost", MAX_HOST_LENGTH);
    int slash = Math.max(0, path.lastIndexOf('/'));
    String owner = path.substring(0, slash);
    String name = path.substring(Math.min(path.length(), slash + 1));
    refuse(in, "repo", path, RepoName.of("h", owner, name), "must be owner/name");
    refuse(in, "repoHost", host, RepoName.of(host, "o", "n"), "must be the name of a host");
    return RepoName.of(host, owner, name).orElse(NO_REPO);
  }

  static String branch(Fields in) {
    String branch = in.text("targetBranch", MAX_BRANCH_LENGTH);
    if (!branch.isEmpty() && !RefNames.isBranch(branch)) {
      in.fault("targetBranch", "must be a name git allows for a branch");
    } else if (branch.startsWith("mainstay/")) {
      in.fault("targetBranch", "must not begin with mainstay/, where test branches are");
    }
    return branch;
  }

  static PullRequestRef pullRequest(Fields in) {
    return new PullRequestRef(in.object("pr").number("number", 1, Integer.MAX_VALUE));
  }

  /** The pull request's number, where the request names one. */
  static Optional<PullRequestRef> optionalPullRequest(Fields in) {
    return in.has("pr") ? Optional.of(pullRequest(in)) : Optional.empty();
  }

  /** The commit that {@code pr.sha} names. */
  static Optional<CommitSha> head(Fields in) {
    return in.has("pr") ? sha(in.object("pr"), "sha") : Optional.empty();
  }

  static Optional<CommitSha> sha(Fields in, String field) {
    var text = in.optionalText(field, MAX_SHA_LENGTH).map(s -> s.toLowerCase(Locale.ROOT));
    if (text.isPresent() && !text.get().matches("[0-9a-f]{40}|[0-9a-f]{64}")) {
      in.fault(field, "must be a whole commit id: 40 or 64 hexadecimal digits");
    }
    return text.map(CommitSha::new);
  }

  /** A name or a number from 0 to 255. */
  static Optional<Priority> priority(Fields in) {
    if (!in.has("priority")) {
      return Optional.empty();
    }
    return NAMED.stream()
        .filter(p -> in.says("priority", p.name().orElseThrow()))
        .findFirst()
        .or(() -> numberedPriority(in));
  }

  private static Optional<Priority> numberedPriority(Fields in) {
    Optional<Integer> value = in.anyNumber("priority", 0, 255);
    if (value.isEmpty()) {
      in.fault("priority", "must be urgent, high, medium, low or a whole number from 0 to 255");
    }
    return value.map(Priority::new);
  }

  static ApiError noSuchQueue() {
    return ApiError.notFound(
        "queue_not_found", "The organization has no queue for this branch of this repository.");
  }

  static ApiError neverSubmitted() {
    return ApiError.notFound(
        "pull_request_not_found", "This pull request was never submitted to this queue.");
  }
}
