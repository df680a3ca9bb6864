package dev.mainstay.server.queue.talk;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.connection.Forges;
import dev.mainstay.server.forge.Abilities.Ability;
import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.Purpose;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.queue.run.QueueRunner;
import dev.mainstay.server.queue.store.CommentStore;
import dev.mainstay.server.queue.store.ConversationStore;
import dev.mainstay.server.queue.store.OpenQueue;
import dev.mainstay.server.queue.store.PromiseStore;
import dev.mainstay.server.queue.store.QueueStore;
import dev.mainstay.server.queue.store.StateLabelStore;
import dev.mainstay.server.queue.work.Pace;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Talks with the people of repositories: one node at a time with those of one, at once after a hook
 * or a change of a queue. It listens, does what was asked for, answers, and says how pull requests
 * stand. A host that has no time for that is left alone for a while, and nothing is lost.
 */
final class TalkWorker {
  private static final Logger log = LoggerFactory.getLogger("queue");
  private static final Duration LEASE = Duration.ofMinutes(5);
  private static final Duration AFTER_FAULT = Duration.ofSeconds(30);
  private static final Duration AFTER_REFUSAL = Duration.ofMinutes(10);
  private static final Duration LONGEST_WAIT = Duration.ofHours(1);
  private static final Duration WITHOUT_WISH = Duration.ofDays(1);
  private static final int MOST_AT_ONCE = 8;

  private final Database database;
  private final Clock clock;
  private final Supplier<Optional<Integer>> node;
  private final QueueRunner runner;
  private final Forges forges;
  private final Pace pace;
  private final Listening listening;
  private final Signs signs;
  private final Acting acting;
  private final Commenting commenting;
  private final StateLabels stateLabels;
  private final Map<Long, Long> told = new HashMap<>();
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

  TalkWorker(
      Database database,
      Clock clock,
      Supplier<Optional<Integer>> node,
      QueueRunner runner,
      Forges forges,
      Pace pace,
      Listening listening,
      Signs signs,
      Acting acting,
      Commenting commenting,
      StateLabels stateLabels) {
    this.database = database;
    this.clock = clock;
    this.node = node;
    this.runner = runner;
    this.forges = forges;
    this.pace = pace;
    this.listening = listening;
    this.signs = signs;
    this.acting = acting;
    this.commenting = commenting;
    this.stateLabels = stateLabels;
  }

  /** Talks where that is due, in a thread for each repository. */
  List<Thread> round() {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    changed(now);
    List<ConversationStore.Due> due =
        node.get()
            .map(
                n ->
                    database.inTransaction(
                        h -> ConversationStore.take(h, n, now, LEASE, MOST_AT_ONCE)))
            .orElse(List.of());
    List<Thread> begun =
        due.stream()
            .map(
                one ->
                    Thread.ofVirtual()
                        .name("talk-" + one.repositoryId())
                        .unstarted(() -> begin(one, now.plus(LEASE))))
            .toList();
    threads.addAll(begun);
    begun.forEach(Thread::start);
    return begun;
  }

  /** The threads that talk now. */
  Set<Thread> threads() {
    return threads;
  }

  /** Queues that changed since the last round, as this node saw them, have something to say. */
  private void changed(Instant now) {
    List<OpenQueue> known = runner.known();
    told.keySet().retainAll(known.stream().map(OpenQueue::id).toList());
    var news = new HashSet<Long>();
    for (OpenQueue queue : known) {
      Long before = told.put(queue.id(), queue.version());
      if (before == null || before != queue.version()) {
        news.add(queue.repositoryId());
      }
    }
    news.removeIf(repository -> forges.of(repository).filter(TalkWorker::canTalk).isEmpty());
    if (!news.isEmpty()) {
      database.useTransaction(handle -> ConversationStore.due(handle, news, now));
    }
  }

  private static boolean canTalk(Forges.Connected connected) {
    return connected.forge().host().isPresent();
  }

  private void begin(ConversationStore.Due due, Instant leased) {
    try {
      Instant next = talked(due);
      database.useTransaction(h -> ConversationStore.end(h, due.repositoryId(), leased, next));
    } catch (Database.Unavailable e) {
      // The lease ends by itself, and whoever has it then goes on.
      log.warn("repository {} is talked about later: {}", due.repositoryId(), e.getMessage());
    } finally {
      threads.remove(Thread.currentThread());
    }
  }

  private Instant talked(ConversationStore.Due due) {
    try {
      return Purpose.TALKING.during(() -> talk(due));
    } catch (Database.Unavailable e) {
      throw e;
    } catch (RuntimeException e) {
      log.error("talking about repository {} failed", due.repositoryId(), e);
      return clock.instant().plus(AFTER_FAULT);
    }
  }

  /** Talks, and says when next. */
  private Instant talk(ConversationStore.Due due) {
    Instant now = clock.instant();
    Optional<Forges.Connected> connected =
        forges.of(due.repositoryId()).filter(TalkWorker::canTalk);
    List<OpenQueue> queues = queues(due.repositoryId());
    if (connected.isEmpty() || queues.isEmpty()) {
      listening.stop(due.repositoryId(), "");
      signs.stop(due.repositoryId(), "");
      return now.plus(WITHOUT_WISH);
    }
    String host = connected.get().how().host();
    Optional<Instant> closed = pace.notBefore(host, false, now);
    if (closed.isPresent()) {
      return closed.get();
    }
    var place =
        new Place(
            connected.get().how(),
            connected.get().forge().host().orElseThrow(),
            connected.get().forge().abilities(),
            queues);
    try {
      return talk(place, due);
    } catch (ForgeUnavailable e) {
      pace.unavailable(host, e, clock.instant());
      Duration asked = e.retryAfter().filter(d -> d.compareTo(AFTER_FAULT) > 0).orElse(AFTER_FAULT);
      return clock.instant().plus(asked.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : asked);
    } catch (CredentialsRefused e) {
      log.warn("talking about repository {}: {}", due.repositoryId(), e.getMessage());
      return clock.instant().plus(AFTER_REFUSAL);
    }
  }

  private Instant talk(Place place, ConversationStore.Due due) {
    Instant next = clock.instant().plus(WITHOUT_WISH);
    next = earlier(next, listening.listen(place, due));
    next = earlier(next, looked(place, due));
    boolean more = acting.act(place);
    acting.answer(place);
    var after =
        new Place(place.how(), place.host(), place.abilities(), queues(place.repositoryId()));
    promise(after);
    next = earlier(next, commenting.say(after));
    more |= stateLabels.show(after);
    return more ? clock.instant() : next;
  }

  /** Whoever comes is told its end, though it may have left before this looks. */
  private void promise(Place place) {
    Instant now = clock.instant();
    database.useTransaction(
        handle -> {
          for (OpenQueue queue : place.queues()) {
            List<PullRequestRef> newcomers =
                PromiseStore.newcomers(handle, queue.id(), PromiseStore.Talker.CONVERSATIONS, now);
            if (place.has(Ability.COMMENTS)) {
              CommentStore.promise(handle, place.repositoryId(), newcomers, now);
            }
            if (place.has(Ability.LABELS) && queue.state().settings().stateLabelsEnabled()) {
              StateLabelStore.promise(
                  handle,
                  place.repositoryId(),
                  newcomers.stream().filter(pr -> queue.state().entry(pr).isEmpty()).toList());
            }
          }
        });
  }

  /** Looks at labels and buttons as often as it listens. */
  private Optional<Instant> looked(Place place, ConversationStore.Due due) {
    if (!Signs.wanted(place)) {
      if (!due.signs().isEmpty()) {
        signs.stop(place.repositoryId(), place.how().address());
      }
      return Optional.empty();
    }
    Instant now = clock.instant();
    if (!due.askedFor() && due.covers().isPresent() && due.listenAt().isAfter(now)) {
      return Optional.of(due.listenAt());
    }
    signs.look(place, due);
    Instant next = now.plus(Listening.rest(place));
    if (due.comments().isEmpty()) {
      database.useTransaction(h -> ConversationStore.listenAt(h, place.repositoryId(), next));
    }
    return Optional.of(next);
  }

  private static Instant earlier(Instant one, Optional<Instant> other) {
    return other.filter(o -> o.isBefore(one)).orElse(one);
  }

  private List<OpenQueue> queues(long repositoryId) {
    return database.query(handle -> QueueStore.ofRepository(handle, repositoryId)).stream()
        .flatMap(row -> runner.current(row).stream())
        .toList();
  }
}
