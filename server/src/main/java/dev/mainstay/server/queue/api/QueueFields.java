package dev.mainstay.server.queue.api;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Priority;
import dev.mainstay.server.forge.RefNames;
import dev.mainstay.server.platform.http.Caller;
import dev.mainstay.server.platform.http.Fields;
import dev.mainstay.server.queue.store.QueueName;
import dev.mainstay.server.repository.RepositoryField;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The fields that requests about queues share. Values are placeholders until they were checked. */
public final class QueueFields {
  private static final int MAX_BRANCH_LENGTH = 250;
  private static final int MAX_SHA_LENGTH = 64;
  private static final List<Priority> NAMED =
      List.of(Priority.URGENT, Priority.HIGH, Priority.MEDIUM, Priority.LOW);

  private QueueFields() {}

  static QueueName queue(Caller caller, Fields in) {
    return new QueueName(caller.organizationId(), RepositoryField.read(in), branch(in));
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

  /** A branch that a queue is to be made for. */
  static void checkNew(Fields in, String branch) {
    if (branch.startsWith("refs/")) {
      in.fault(
          "targetBranch", "must be the name of the branch alone, such as main for refs/heads/main");
    }
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

  /** The commit that {@code pr.sha} must name; a number beside it is not needed. */
  static Optional<CommitSha> requiredHead(Fields in) {
    Fields pr = in.object("pr");
    if (!pr.has("sha")) {
      pr.fault("sha", "is required");
    }
    if (pr.has("number")) {
      pr.number("number", 1, Integer.MAX_VALUE);
    }
    return sha(pr, "sha");
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
}
