package dev.mainstay.server.queue.work;

import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Run;
import dev.mainstay.core.queue.RunId;
import dev.mainstay.core.queue.Stall;
import dev.mainstay.core.queue.Stall.Cause;
import dev.mainstay.core.queue.rules.StatusNames;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Says why a queue stalls, in a sentence that names what to look at. */
final class StallCause {
  private static final int MOST_NAMED = 5;

  private StallCause() {}

  /**
   * What is known around a queue: the fault of its forge, the runs that are tested by a command and
   * whether a node has taken it, and how long a test usually takes at most.
   */
  record Around(Optional<String> fault, Map<RunId, Boolean> commands, Optional<Duration> usual) {}

  private record Why(Cause cause, String sentence) {}

  static Stall of(QueueState state, Instant since, Around around) {
    Why why =
        paused(state)
            .or(() -> unreachable(state, around))
            .or(() -> waiting(state, around))
            .or(() -> missing(state, around))
            .or(() -> running(state, around))
            .orElseGet(() -> idle(state));
    return new Stall(since, why.cause(), why.sentence());
  }

  private static Why idle(QueueState state) {
    return new Why(
        Cause.NO_SLOTS,
        "Nothing is under test, and %s.".formatted(counted(inQueue(state), "waits", "wait")));
  }

  private static Optional<Why> paused(QueueState state) {
    return state.lifecycle() == QueueLifecycle.PAUSED
        ? why(
            Cause.PAUSED,
            "The queue is paused, and %s.".formatted(counted(inQueue(state), "waits", "wait")))
        : Optional.empty();
  }

  private static Optional<Why> unreachable(QueueState state, Around around) {
    if (!state.connection().connected()) {
      return why(Cause.FORGE_UNREACHABLE, "The repository is not connected.");
    }
    return around
        .fault()
        .flatMap(
            fault ->
                why(
                    Cause.FORGE_UNREACHABLE,
                    "The host of the repository does not do what is asked of it: " + fault))
        .or(
            () ->
                state
                    .landing()
                    .flatMap(
                        landing ->
                            why(
                                Cause.FORGE_UNREACHABLE,
                                "The merge that was asked for at %s has not been answered."
                                    .formatted(time(landing.requestedAt())))));
  }

  /** The first group that waits for a status of which nobody has said a word. */
  private static Optional<Why> missing(QueueState state, Around around) {
    return tested(state)
        .filter(g -> !around.commands().containsKey(run(g).id()))
        .filter(g -> run(g).builtAt().isPresent() && !run(g).missingStatuses().isEmpty())
        .findFirst()
        .flatMap(
            g ->
                why(
                    Cause.CHECK_MISSING,
                    "Nobody has said a word of %s for the test branch of %s, which is there since %s."
                        .formatted(
                            StatusNames.of(run(g).missingStatuses()),
                            names(g),
                            time(run(g).builtAt().orElseThrow()))));
  }

  private static Optional<Why> waiting(QueueState state, Around around) {
    return tested(state)
        .filter(g -> !around.commands().getOrDefault(run(g).id(), true))
        .findFirst()
        .flatMap(
            g ->
                why(
                    Cause.NO_SLOTS,
                    "No node has a place free for the test command of %s.".formatted(names(g))));
  }

  private static Optional<Why> running(QueueState state, Around around) {
    return tested(state)
        .findFirst()
        .flatMap(
            g ->
                why(
                    Cause.TESTS_RUNNING,
                    "The tests of %s run since %s%s."
                        .formatted(
                            names(g),
                            time(run(g).builtAt().orElse(run(g).requestedAt())),
                            around
                                .usual()
                                .map(u -> "; 95 of 100 end within " + minutes(u))
                                .orElse(""))));
  }

  private static Optional<Why> why(Cause cause, String sentence) {
    return Optional.of(new Why(cause, sentence));
  }

  private static Stream<Group> tested(QueueState state) {
    return Stream.concat(state.line().stream(), state.side().stream()).filter(Group::isTesting);
  }

  private static Run run(Group group) {
    return group.run().orElseThrow();
  }

  private static String names(Group group) {
    List<String> all = group.pullRequests().stream().map(pr -> "#" + pr.number()).toList();
    String some = all.stream().limit(MOST_NAMED).collect(Collectors.joining(", "));
    return all.size() > MOST_NAMED ? some + " and others" : some;
  }

  private static int inQueue(QueueState state) {
    return (int)
        state.entries().values().stream().filter(e -> !e.is(PullRequestState.NOT_READY)).count();
  }

  private static String counted(int count, String one, String many) {
    return count == 1 ? "1 pull request " + one : "%d pull requests %s".formatted(count, many);
  }

  private static String minutes(Duration duration) {
    long minutes = Math.max(1, duration.plusSeconds(59).toMinutes());
    return minutes == 1 ? "a minute" : minutes + " minutes";
  }

  private static Instant time(Instant at) {
    return at.truncatedTo(ChronoUnit.SECONDS);
  }
}
