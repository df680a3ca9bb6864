package dev.mainstay.server.forge.hosted;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.Abilities;
import dev.mainstay.server.forge.Finding;
import dev.mainstay.server.forge.Host;
import dev.mainstay.server.forge.HostUsage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The API of a host, as every hosted forge needs it; one per kind. */
public interface HostApi extends Host, AutoCloseable {
  /** The open pull requests. */
  sealed interface Opened {
    /**
     * Each with its head, and a mark by which a later question can tell whether all is so still.
     */
    record Seen(Map<PullRequestRef, CommitSha> heads, String mark) implements Opened {
      public Seen {
        heads = Map.copyOf(heads);
      }
    }

    /** As they were when the mark was given. */
    record Unchanged() implements Opened {}
  }

  /** Never unchanged without a mark. */
  Opened opened(Optional<String> mark);

  /** Empty where there is none of this number. */
  Optional<HostedPull> pull(PullRequestRef pr);

  /** The same by fewer questions: without what the host demands before it would merge. */
  default Optional<HostedPull> plain(PullRequestRef pr) {
    return pull(pr);
  }

  /** The checks that a branch requires, ours left out; empty where nothing is said. */
  Optional<List<String>> requiredStatuses(String targetBranch);

  /** The sign that the host writes before the number of a pull request. */
  default String sign() {
    return "#";
  }

  Abilities abilities();

  /** Something that people should know of the repository, by what was seen so far. */
  default Optional<String> notice() {
    return Optional.empty();
  }

  /** The requests to the host, for whoever watches that. */
  HostUsage usage();

  /** Everything that was looked at, what is right included. */
  List<Finding> findings(Set<String> targetBranches);

  @Override
  void close();
}
