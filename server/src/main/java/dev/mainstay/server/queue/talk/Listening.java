package dev.mainstay.server.queue.talk;

import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.server.forge.Abilities.Ability;
import dev.mainstay.server.forge.Host;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.queue.store.AskedStore;
import dev.mainstay.server.queue.store.ConversationStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Reads new comments, and keeps those with commands: at once after a hook, seldom without one. What
 * was written while nobody listened, since no queue wanted commands or the repository was not
 * connected, is not listened to later.
 */
final class Listening {
  private static final Duration WITH_WORK = Duration.ofSeconds(20);
  private static final Duration WITHOUT_WORK = Duration.ofMinutes(1);

  private final Database database;
  private final Clock clock;

  Listening(Database database, Clock clock) {
    this.database = database;
    this.clock = clock;
  }

  /** Says when to listen next; empty where nobody wants that. */
  Optional<Instant> listen(Place place, ConversationStore.Due due) {
    boolean wanted =
        place.any(QueueSettings::commandsEnabled)
            && place.has(Ability.COMMANDS)
            && place.has(Ability.PERMISSIONS);
    if (!wanted) {
      if (due.comments().isPresent()) {
        stop(place.repositoryId(), place.how().address());
      }
      return Optional.empty();
    }
    Optional<String> mark =
        due.comments().filter(any -> due.address().equals(place.how().address()));
    Instant now = clock.instant();
    if (mark.isPresent() && !due.askedFor() && due.listenAt().isAfter(now)) {
      return Optional.of(due.listenAt());
    }
    Host.Comments found = place.host().comments(mark);
    List<AskedStore.Asked> asked =
        found.all().stream()
            .filter(comment -> !comment.bot())
            .flatMap(comment -> asked(comment, place.prefixes()).stream())
            .toList();
    Instant next = now.plus(rest(place));
    database.useTransaction(
        handle -> {
          AskedStore.insert(handle, place.repositoryId(), asked, now);
          ConversationStore.listened(
              handle, place.repositoryId(), place.how().address(), Optional.of(found.mark()), next);
        });
    return Optional.of(next);
  }

  /** Hooks tell most; without them this is how long something may go unheard. */
  static Duration rest(Place place) {
    return place.hasWork() ? WITH_WORK : WITHOUT_WORK;
  }

  /** Nobody listens any more, and what is written from now on will not be read. */
  void stop(long repositoryId, String address) {
    database.useTransaction(
        handle ->
            ConversationStore.listened(
                handle, repositoryId, address, Optional.empty(), Instant.EPOCH));
  }

  private static Optional<AskedStore.Asked> asked(Host.Comment comment, List<String> prefixes) {
    List<String> lines =
        comment.lines().stream().filter(line -> Command.begins(line, prefixes)).toList();
    return lines.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new AskedStore.Asked(
                Source.comment(comment.id()),
                comment.pr(),
                comment.author(),
                String.join("\n", lines).replace('\0', ' ')));
  }
}
