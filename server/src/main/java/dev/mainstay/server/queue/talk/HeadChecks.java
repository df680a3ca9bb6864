package dev.mainstay.server.queue.talk;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.server.connection.Forges;
import dev.mainstay.server.forge.Abilities.Ability;
import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.Host;
import dev.mainstay.server.forge.Purpose;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.queue.History;
import dev.mainstay.server.queue.PullRequestView;
import dev.mainstay.server.queue.Views;
import dev.mainstay.server.queue.run.QueueRunner;
import dev.mainstay.server.queue.store.HeadCheckStore;
import dev.mainstay.server.queue.store.OpenQueue;
import dev.mainstay.server.queue.store.PromiseStore;
import dev.mainstay.server.queue.work.Pace;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes our one check on the head of each pull request in a queue: where it stands, what it stands
 * on, and why it left, updated in place. A change of state is told at once, a change of place every
 * so often, and of one that is being merged nothing. What was written last is in the database, and
 * so is that something shall be written, so that the end is told after a crash and where nothing
 * before it could be told. Talking waits while the host rests: landing and looking go before it.
 */
final class HeadChecks {
  private static final Logger log = LoggerFactory.getLogger("queue");
  private static final Duration BETWEEN_PLACES = Duration.ofSeconds(30);
  private static final Duration AFTER_FAULT = Duration.ofSeconds(30);
  private static final Duration AFTER_REFUSAL = Duration.ofMinutes(10);
  private static final int MOST_AT_ONCE = 20;

  private final Database database;
  private final Clock clock;
  private final QueueRunner runner;
  private final Forges forges;
  private final Pace pace;
  private final History history;
  private final Standings standings;
  private final Map<Long, Long> promised = new HashMap<>();
  private final Map<Long, Long> shown = new HashMap<>();
  private final Map<Long, Instant> notBefore = new HashMap<>();

  HeadChecks(
      Database database,
      Clock clock,
      QueueRunner runner,
      Forges forges,
      Pace pace,
      History history,
      Standings standings) {
    this.database = database;
    this.clock = clock;
    this.runner = runner;
    this.forges = forges;
    this.pace = pace;
    this.history = history;
    this.standings = standings;
  }

  /** Shows what changed in the queues that this node knows. */
  void round() {
    List<OpenQueue> known = runner.known();
    List<Long> ids = known.stream().map(OpenQueue::id).toList();
    List.of(promised, shown, notBefore).forEach(of -> of.keySet().retainAll(ids));
    for (OpenQueue queue : known) {
      if (isNews(queue, shown) && tell(queue)) {
        shown.put(queue.id(), queue.version());
      }
    }
  }

  private static boolean isNews(OpenQueue queue, Map<Long, Long> versions) {
    return versions.getOrDefault(queue.id(), -1L) != queue.version();
  }

  /** False where something is left to be shown. */
  private boolean tell(OpenQueue queue) {
    Optional<Forges.Connected> connected = forges.of(queue.repositoryId());
    if (connected.isEmpty()
        || !queue.state().settings().statusCheckEnabled()
        || !connected.get().forge().abilities().has(Ability.CHECKS)) {
      return true;
    }
    if (isNews(queue, promised)) {
      promise(queue);
      promised.put(queue.id(), queue.version());
    }
    Instant now = clock.instant();
    String host = connected.get().how().host();
    if (notBefore.getOrDefault(queue.id(), now).isAfter(now)
        || pace.notBefore(host, false, now).isPresent()) {
      return false;
    }
    try {
      Host there = connected.get().forge().host().orElseThrow();
      return Purpose.TALKING.during(() -> show(queue, there));
    } catch (ForgeUnavailable e) {
      pace.unavailable(host, e, clock.instant());
      notBefore.put(queue.id(), clock.instant().plus(AFTER_FAULT));
      return false;
    } catch (CredentialsRefused e) {
      log.warn("repository {}: {}", queue.repositoryId(), e.getMessage());
      forgetEnded(queue);
      notBefore.put(queue.id(), clock.instant().plus(AFTER_REFUSAL));
      return false;
    }
  }

  private boolean show(OpenQueue queue, Host host) {
    Map<PullRequestRef, HeadCheckStore.Row> before =
        database.query(handle -> HeadCheckStore.of(handle, queue.id()));
    Instant now = clock.instant();
    var due = new ArrayList<PullRequestView>();
    boolean later = false;
    for (PullRequestView pr : Views.of(queue).pullRequests()) {
      Optional<HeadCheckStore.Row> last = Optional.ofNullable(before.get(ref(pr)));
      if (pr.sha().isPresent()
          && !isLanding(queue, pr)
          && last.filter(row -> isShown(row, pr)).isEmpty()) {
        boolean wait = last.filter(row -> isOfPlace(row, pr, now)).isPresent();
        later |= wait;
        due.addAll(wait ? List.of() : List.of(pr));
      }
    }
    for (PullRequestRef pr : ended(queue, before)) {
      history
          .newest(queue, pr)
          .filter(view -> view.sha().isPresent())
          .ifPresentOrElse(due::add, () -> forget(queue, pr));
    }
    due.stream()
        .limit(MOST_AT_ONCE)
        .filter(pr -> runner.lastSeen(queue.id()).filter(q -> isLanding(q, pr)).isEmpty())
        .forEach(pr -> write(queue, pr, host));
    return !later && due.size() <= MOST_AT_ONCE;
  }

  /** Whoever comes is told its end, though it may have left before this looks. */
  private void promise(OpenQueue queue) {
    Instant now = clock.instant();
    database.useTransaction(
        handle ->
            HeadCheckStore.promise(
                handle,
                queue.id(),
                PromiseStore.newcomers(handle, queue.id(), PromiseStore.Talker.CHECKS, now),
                now));
  }

  /** Where no check may be written, none is owed. */
  private void forgetEnded(OpenQueue queue) {
    ended(queue, database.query(handle -> HeadCheckStore.of(handle, queue.id())))
        .forEach(pr -> forget(queue, pr));
  }

  private void forget(OpenQueue queue, PullRequestRef pr) {
    database.useTransaction(handle -> HeadCheckStore.delete(handle, queue.id(), pr));
  }

  private static List<PullRequestRef> ended(
      OpenQueue queue, Map<PullRequestRef, HeadCheckStore.Row> rows) {
    return rows.keySet().stream().filter(pr -> queue.state().entry(pr).isEmpty()).toList();
  }

  private static PullRequestRef ref(PullRequestView pr) {
    return new PullRequestRef(pr.number());
  }

  private static CommitSha head(PullRequestView pr) {
    return new CommitSha(pr.sha().orElseThrow());
  }

  /** Then our check is green, since the host may require that to merge. */
  private static boolean isLanding(OpenQueue queue, PullRequestView pr) {
    QueueState state = queue.state();
    return state.groupOf(ref(pr)).filter(g -> state.isLanding(g.id())).isPresent();
  }

  private static boolean isShown(HeadCheckStore.Row last, PullRequestView pr) {
    return isOfState(last, pr) && last.title().equals(Words.title(pr));
  }

  private static boolean isOfState(HeadCheckStore.Row last, PullRequestView pr) {
    return last.state().equals(pr.state().name()) && last.head().equals(Optional.of(head(pr)));
  }

  /** Nothing but its place has changed, and that was told a moment ago. */
  private static boolean isOfPlace(HeadCheckStore.Row last, PullRequestView pr, Instant now) {
    return isOfState(last, pr) && last.shownAt().plus(BETWEEN_PLACES).isAfter(now);
  }

  private void write(OpenQueue queue, PullRequestView pr, Host host) {
    String title = Words.title(pr);
    CommitSha head = head(pr);
    Optional<Standing> standing = standings.of(queue, pr);
    boolean commands = queue.state().settings().commandsEnabled();
    host.write(
        new Host.Check(
            head,
            Host.CHECK,
            Words.verdict(pr),
            title,
            standing.map(Words::check).orElse(title),
            standing.map(Standing::page),
            commands ? Words.buttons(pr) : List.of()));
    PullRequestRef ref = ref(pr);
    if (pr.open()) {
      var row =
          new HeadCheckStore.Row(Optional.of(head), pr.state().name(), title, clock.instant());
      database.useTransaction(handle -> HeadCheckStore.save(handle, queue.id(), ref, row));
    } else {
      forget(queue, ref);
    }
  }
}
