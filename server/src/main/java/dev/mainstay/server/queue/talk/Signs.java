package dev.mainstay.server.queue.talk;

import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.server.forge.Abilities.Ability;
import dev.mainstay.server.forge.Host;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.queue.store.AskedStore;
import dev.mainstay.server.queue.store.ConversationStore;
import dev.mainstay.server.queue.store.SignStore;
import dev.mainstay.server.queue.store.SignStore.Sign;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jdbi.v3.core.Handle;

/**
 * Labels and the host's own merge button as commands: a sign that is set or taken is one. What
 * counts is what is on a pull request now and was there the last time, so that hooks may be lost,
 * doubled or out of order. What is there when a sign is first looked for is no command.
 */
final class Signs {
  /** The button of the host; no label has a line break. */
  static final String AUTO_MERGE = "\nauto-merge";

  static final String MERGE = "mainstay/merge";
  static final String CANCEL = "mainstay/cancel";

  private final Database database;
  private final Clock clock;

  Signs(Database database, Clock clock) {
    this.database = database;
    this.clock = clock;
  }

  /** Whether signs are looked at in this place. */
  static boolean wanted(Place place) {
    return place.has(Ability.LABELS) && place.has(Ability.PERMISSIONS) && !watched(place).isEmpty();
  }

  private static Set<String> watched(Place place) {
    var signs = new TreeSet<String>();
    place
        .queues()
        .forEach(queue -> queue.state().settings().enqueueingLabel().ifPresent(signs::add));
    if (place.any(QueueSettings::labelCommandsEnabled)) {
      signs.addAll(List.of(MERGE, CANCEL));
    }
    if (place.any(QueueSettings::commandsEnabled) && place.has(Ability.AUTO_MERGE)) {
      signs.add(AUTO_MERGE);
    }
    return signs;
  }

  /** Looks at what may have changed, and keeps what was asked for by that. */
  void look(Place place, ConversationStore.Due due) {
    Set<String> now = watched(place);
    Set<String> before = due.address().equals(place.how().address()) ? due.signs() : Set.of();
    // A sign that was not looked for before may be on pull requests that did not change since.
    Optional<String> mark = due.covers().filter(any -> before.containsAll(now));
    Host.Covers found = place.host().covers(mark);
    Map<Sign, String> seen = database.query(handle -> SignStore.of(handle, place.repositoryId()));
    var changes = new Changes(place, seen);
    found
        .all()
        .forEach(
            (pr, cover) -> {
              for (String name : now) {
                changes.compare(new Sign(pr, name), cover, before.contains(name));
              }
            });
    database.useTransaction(
        handle -> {
          changes.save(handle, clock.instant());
          ConversationStore.saw(
              handle, place.repositoryId(), place.how().address(), Optional.of(found.mark()), now);
        });
  }

  /** Nobody looks any more: what is there when somebody does again is no command. */
  void stop(long repositoryId, String address) {
    database.useTransaction(
        handle -> ConversationStore.saw(handle, repositoryId, address, Optional.empty(), Set.of()));
  }

  /** What is other than it was. */
  private static final class Changes {
    private final Place place;
    private final Map<Sign, String> seen;
    private final Map<Sign, String> set = new LinkedHashMap<>();
    private final List<Sign> taken = new ArrayList<>();
    private final List<AskedStore.Asked> asked = new ArrayList<>();

    Changes(Place place, Map<Sign, String> seen) {
      this.place = place;
      this.seen = seen;
    }

    void compare(Sign sign, Host.Cover cover, boolean lookedFor) {
      boolean button = sign.name().equals(AUTO_MERGE);
      boolean there =
          cover.open() && (button ? cover.armed() : cover.labels().contains(sign.name()));
      boolean before = seen.containsKey(sign);
      if (there == before) {
        return;
      }
      Optional<Host.Deed> deed =
          lookedFor && cover.open() ? deed(sign).filter(d -> d.set() == there) : Optional.empty();
      String who = deed.map(Host.Deed::who).orElse(seen.getOrDefault(sign, ""));
      if (there) {
        set.put(sign, who);
      } else {
        taken.add(sign);
      }
      if (lookedFor && cover.open()) {
        asked.add(Source.sign(sign, there, who));
      }
    }

    private Optional<Host.Deed> deed(Sign sign) {
      return sign.name().equals(AUTO_MERGE)
          ? place.host().armed(sign.pr())
          : place.host().labelled(sign.pr(), sign.name());
    }

    /** A node that lost its lease may have been here: each change is asked for once. */
    void save(Handle handle, Instant now) {
      Map<Sign, String> still = SignStore.of(handle, place.repositoryId());
      if (!still.equals(seen)) {
        throw new IllegalStateException("signs changed meanwhile");
      }
      set.forEach((sign, who) -> SignStore.insert(handle, place.repositoryId(), sign, who));
      taken.forEach(sign -> SignStore.delete(handle, place.repositoryId(), sign));
      AskedStore.insert(handle, place.repositoryId(), asked, now);
    }
  }
}
