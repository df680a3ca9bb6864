package dev.mainstay.server.queue.work;

import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.ReasonCode;
import dev.mainstay.core.queue.Run;
import dev.mainstay.server.forge.Abilities.Ability;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.forge.Host;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.queue.run.Evidence;
import dev.mainstay.server.queue.run.Proposal;
import dev.mainstay.server.queue.store.OpenQueue;
import dev.mainstay.server.queue.store.TestRunStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The statuses of a queue's runs in progress, read from the host where that has them, and reported
 * as CI would. A status that is required is told when it is news; any other only as a sign of life.
 * Where tests are run again, what CI said before does not count. What CI cancelled is tried again,
 * twice, before it counts: that blames nobody.
 */
record Statuses(OpenQueue queue, Forge forge, Clock clock, Database database, Evidence evidence) {
  private static final int MOST_RERUNS = 2;

  /** The time in which a host shows that it tries again. */
  private static final Duration UNTIL_SHOWN = Duration.ofMinutes(1);

  /** The time in which CI begins to test a commit that it has tested before. */
  private static final Duration UNTIL_BEGUN = Duration.ofMinutes(5);

  private static final Set<ReasonCode> AGAIN =
      Set.of(ReasonCode.RESTARTED, ReasonCode.FLAKE_RETRY, ReasonCode.TARGET_PASSED);

  List<Proposal> news() {
    if (!forge.abilities().has(Ability.STATUSES)) {
      return List.of();
    }
    var news = new ArrayList<Proposal>();
    for (Run run : runs()) {
      boolean heard = run.heard();
      for (Host.Status status : host().statuses(run.commit().orElseThrow())) {
        Optional<CheckState> state = isOld(run, status) ? Optional.empty() : state(run, status);
        boolean required = run.requiredStatuses().contains(status.name());
        if (state.isPresent() && (required ? isNews(run, status.name(), state.get()) : !heard)) {
          heard = true;
          news.add(report(run, status, state.get()));
        }
      }
    }
    return news;
  }

  private Host host() {
    return forge.host().orElseThrow();
  }

  private List<Run> runs() {
    return queue
        .state()
        .groups()
        .flatMap(g -> g.runs().stream())
        .filter(run -> run.isInProgress() && run.commit().isPresent())
        .toList();
  }

  /**
   * The same commits are tested again: what is known of them is of the run before, until CI begins
   * anew, or has had the time to.
   */
  private boolean isOld(Run run, Host.Status status) {
    boolean again =
        queue
            .state()
            .groupOf(run.id())
            .filter(g -> AGAIN.contains(g.why().code()) && g.run().equals(Optional.of(run)))
            .isPresent();
    Instant begun = run.builtAt().orElseThrow().plus(UNTIL_BEGUN);
    return again
        && status.verdict() != Host.Verdict.PENDING
        && !run.checks().containsKey(status.name())
        && clock.instant().isBefore(begun);
  }

  private Optional<CheckState> state(Run run, Host.Status status) {
    return switch (status.verdict()) {
      case PENDING -> Optional.of(CheckState.PENDING);
      case SUCCESS -> Optional.of(CheckState.SUCCESS);
      case FAILURE -> Optional.of(CheckState.FAILURE);
      case TIMED_OUT -> Optional.of(CheckState.TIMED_OUT);
      case CANCELLED ->
          run.requiredStatuses().contains(status.name()) && isTriedAgain(run, status.name())
              ? Optional.empty()
              : Optional.of(CheckState.CANCELLED);
      case NONE -> Optional.empty();
    };
  }

  /** False where it was cancelled as often as it may be, or cannot be tried again. */
  private boolean isTriedAgain(Run run, String name) {
    if (!forge.abilities().has(Ability.RERUNS)) {
      return false;
    }
    Instant now = clock.instant();
    var so = database.query(h -> TestRunStore.reruns(h, queue.id(), run.id(), name));
    if (so.last().filter(at -> at.plus(UNTIL_SHOWN).isAfter(now)).isPresent()) {
      return true;
    }
    if (so.count() >= MOST_RERUNS || !host().rerun(run.commit().orElseThrow(), name)) {
      return false;
    }
    database.useTransaction(h -> TestRunStore.rerun(h, queue.id(), run.id(), name, now));
    return true;
  }

  /** The first final word on a status stays. */
  private static boolean isNews(Run run, String name, CheckState said) {
    CheckState known = run.checks().get(name);
    return known == null || (known == CheckState.PENDING && said != CheckState.PENDING);
  }

  private Proposal report(Run run, Host.Status status, CheckState state) {
    Instant now = clock.instant();
    var told = new QueueEvent.StatusReported(run.id(), status.name(), state);
    List<QueueEvent> events = evidence.with(queue, run.commit(), told);
    return Proposal.of(before -> events)
        .also(
            handle ->
                TestRunStore.check(
                    handle, queue.id(), run.id(), status.name(), state, status.url(), now));
  }
}
