package dev.mainstay.server.event;

import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.FactStore;
import dev.mainstay.server.platform.Json;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Turns facts into events. What is said of one is gathered outside any transaction; then one
 * transaction inserts the events, hands them to endpoints and deletes the facts, so that each fact
 * is told exactly once, whatever dies when.
 */
final class TellWorker {
  private static final Logger log = LoggerFactory.getLogger("events");
  private static final int AT_ONCE = 200;

  /** Bodies stay below 20 KB; whatever a format adds has room in the rest. */
  private static final int MOST_BYTES = 16_000;

  /** What is left out, one after the other, where there is too much to say. */
  private static final List<String> DISPENSABLE =
      List.of("evidence", "failedTests", "failed_tests", "changed", "settings");

  private final Database database;
  private final Clock clock;
  private final Details details;
  private final Pages pages;
  private final Runnable onDeliveries;

  TellWorker(Database database, Clock clock, Details details, Pages pages, Runnable onDeliveries) {
    this.database = database;
    this.clock = clock;
    this.details = details;
    this.pages = pages;
    this.onDeliveries = onDeliveries;
  }

  /** Organizations take turns, and one whose facts cannot be told holds up no other. */
  void round() {
    var failures = new ArrayList<RuntimeException>();
    List<Long> organizations = database.query(FactStore::organizations);
    while (!organizations.isEmpty()) {
      organizations = organizations.stream().filter(one -> hasMore(one, failures)).toList();
    }
    if (!failures.isEmpty()) {
      throw failures.getFirst();
    }
  }

  private boolean hasMore(long organization, List<RuntimeException> failures) {
    try {
      return tell(organization) == AT_ONCE;
    } catch (Database.Unavailable | Database.Busy e) {
      throw e;
    } catch (RuntimeException e) {
      failures.add(e);
      return false;
    } finally {
      onDeliveries.run();
    }
  }

  private int tell(long organization) {
    List<FactStore.Row> facts = database.query(h -> FactStore.first(h, organization, AT_ONCE));
    Map<Long, EventStore.Repo> repos =
        database.query(
            h -> EventStore.repos(h, facts.stream().map(FactStore.Row::repositoryId).toList()));
    var events = new ArrayList<Event>();
    for (FactStore.Row fact : facts) {
      EventStore.Repo repo = repos.get(fact.repositoryId());
      if (repo != null) {
        events.add(event(fact, repo));
      }
    }
    List<Long> numbers = facts.stream().map(FactStore.Row::number).toList();
    return database.inTransaction(h -> save(h, organization, numbers, events)) ? facts.size() : 0;
  }

  /** False where another node is at it. */
  private boolean save(Handle handle, long organization, List<Long> numbers, List<Event> events) {
    if (!EventStore.lock(handle, organization)) {
      return false;
    }
    Set<Long> told = new HashSet<>(FactStore.told(handle, numbers));
    List<Event> fresh = events.stream().filter(e -> told.contains(e.number())).toList();
    EventStore.insert(handle, fresh, clock.instant());
    DeliveryStore.insert(
        handle, organization, fresh.stream().map(Event::number).toList(), clock.instant());
    return true;
  }

  private Event event(FactStore.Row row, EventStore.Repo repo) {
    ObjectNode data = Json.object().put("sequence", row.number());
    data.put("organization", repo.organization());
    data.putObject("repository")
        .put("host", repo.host())
        .put("owner", repo.owner())
        .put("name", repo.name());
    data.setAll(row.fact().content());
    try {
      details.add(row, data);
    } catch (Database.Unavailable | Database.Busy e) {
      throw e;
    } catch (RuntimeException e) {
      log.error(
          "event {} of kind {} is told without its details", row.number(), row.fact().kind(), e);
    }
    pages.link(repo, data);
    shorten(data);
    return new Event(
        row.organizationId(),
        row.number(),
        row.id(),
        row.repositoryId(),
        repo.key(),
        row.fact().kind(),
        row.fact().subject(),
        row.fact().at(),
        data);
  }

  private static void shorten(ObjectNode data) {
    for (String field : DISPENSABLE) {
      if (Json.write(data).length <= MOST_BYTES) {
        return;
      }
      if (data.remove(field) != null) {
        data.put("shortened", true);
      }
    }
  }
}
