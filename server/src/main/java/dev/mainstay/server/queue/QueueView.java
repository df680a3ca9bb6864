package dev.mainstay.server.queue;

import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.QueueSettings;
import java.util.List;

/**
 * A queue as users see it, with its open entries in queue order. Two views of one {@code slug} and
 * {@code version} are equal, so that what was made of one may be kept.
 */
public record QueueView(
    String slug,
    long version,
    QueueLifecycle state,
    String branch,
    QueueSettings settings,
    List<PullRequestView> pullRequests) {
  public QueueView {
    pullRequests = List.copyOf(pullRequests);
  }
}
