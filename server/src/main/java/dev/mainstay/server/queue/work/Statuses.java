package dev.mainstay.server.queue.work;

import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.Run;
import dev.mainstay.server.forge.Abilities.Ability;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.forge.Host;
import dev.mainstay.server.queue.run.Proposal;
import dev.mainstay.server.queue.store.OpenQueue;
import dev.mainstay.server.queue.store.TestRunStore;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The statuses of a queue's runs in progress, read from the host where that has them, and reported
 * as CI would. A status that is required is told when it is news; any other only as a sign of life.
 */
record Statuses(OpenQueue queue, Forge forge, Clock clock) {
  List<Proposal> news() {
    if (!forge.abilities().has(Ability.STATUSES)) {
      return List.of();
    }
    Host host = forge.host().orElseThrow();
    var news = new ArrayList<Proposal>();
    for (Run run : runs()) {
      boolean heard = run.heard();
      for (Host.Status status : host.statuses(run.commit().orElseThrow())) {
        Optional<CheckState> state = state(status.verdict());
        boolean required = run.requiredStatuses().contains(status.name());
        if (state.isPresent() && (required ? isNews(run, status.name(), state.get()) : !heard)) {
          heard = true;
          news.add(report(run, status, state.get()));
        }
      }
    }
    return news;
  }

  private List<Run> runs() {
    return Stream.concat(queue.state().line().stream(), queue.state().side().stream())
        .flatMap(group -> group.run().stream())
        .filter(run -> run.isInProgress() && run.commit().isPresent())
        .toList();
  }

  private static Optional<CheckState> state(Host.Verdict verdict) {
    return switch (verdict) {
      case PENDING -> Optional.of(CheckState.PENDING);
      case SUCCESS -> Optional.of(CheckState.SUCCESS);
      case FAILURE -> Optional.of(CheckState.FAILURE);
      case NONE -> Optional.empty();
    };
  }

  /** The first final word on a status stays. */
  private static boolean isNews(Run run, String name, CheckState said) {
    CheckState known = run.checks().get(name);
    return known == null || (known == CheckState.PENDING && said != CheckState.PENDING);
  }

  private Proposal report(Run run, Host.Status status, CheckState state) {
    Instant now = clock.instant();
    return Proposal.of(new QueueEvent.StatusReported(run.id(), status.name(), state))
        .also(
            handle ->
                TestRunStore.check(
                    handle, queue.id(), run.id(), status.name(), state, status.url(), now));
  }
}
