package dev.mainstay.server.queue;

import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.queue.Stall;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A queue as users see it, with its open entries in queue order. {@code nextMode} is the mode that
 * it switches to; {@code warnings} name what will not work as set, {@code stall} why nothing moves.
 * Two views of one {@code slug} and {@code version} are equal, so that what was made of one may be
 * kept.
 */
public record QueueView(
    String slug,
    long version,
    QueueLifecycle state,
    String branch,
    QueueSettings settings,
    Optional<QueueSettings.Mode> nextMode,
    List<String> warnings,
    Optional<Stall> stall,
    InForce inForce,
    List<PullRequestView> pullRequests) {
  public QueueView {
    warnings = List.copyOf(warnings);
    pullRequests = List.copyOf(pullRequests);
  }

  /** The numbers that are in force, whoever found them. */
  public record InForce(int batchSize, int testingTimeoutMinutes) {}

  QueueView warning(String sentence) {
    var more = new ArrayList<>(warnings);
    more.add(sentence);
    return new QueueView(
        slug, version, state, branch, settings, nextMode, more, stall, inForce, pullRequests);
  }
}
