package dev.mainstay.server.event;

import static dev.mainstay.server.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.platform.Convoy;
import dev.mainstay.server.platform.Database;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two nodes with deliveries of one endpoint and one subject. */
class DeliveryStoreTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final UUID WEBHOOK = new UUID(1, 1);
  private static final DeliveryStore.Share SHARE = new DeliveryStore.Share(Map.of(), Map.of(), 8);

  private Database database;
  private Database watcher;

  @BeforeEach
  void insertTwo() {
    Database.Address address = TestDatabase.withTables();
    database = Database.connect(address, 4);
    watcher = Database.connect(address, 1);
    database.useTransaction(
        h -> {
          h.execute(
              "INSERT INTO organization (slug, name, created_at) VALUES ('acme', 'Acme', now())");
          h.execute(
              """
              INSERT INTO webhook (id, organization_id, name, url, kinds, format, enabled, secret, created_at)
              SELECT ?, id, 'x', '', '{}', 'standard', true, '', now() FROM organization
              """,
              WEBHOOK);
          h.execute(
              """
              INSERT INTO webhook_delivery (webhook_id, number, organization_id, subject, due_at)
              SELECT ?, number, o.id, 'pull-request/1/1', ? FROM organization o, (VALUES (1), (2)) v (number)
              """,
              WEBHOOK,
              NOW);
        });
  }

  @AfterEach
  void close() {
    database.close();
    watcher.close();
  }

  private static DeliveryStore.Take take(Handle handle, int node) {
    return DeliveryStore.take(handle, node, NOW, Duration.ofMinutes(1), SHARE, 10);
  }

  private static void done(Handle handle, List<DeliveryStore.Taken> taken) {
    var convoy = new Convoy();
    DeliveryStore.done(convoy, taken, NOW);
    convoy.send(handle);
  }

  private List<Long> taken(int node) {
    return database.inTransaction(h -> take(h, node)).taken().stream()
        .map(DeliveryStore.Taken::number)
        .toList();
  }

  @Test
  void what_begins_to_wait_while_the_one_before_ends_is_not_forgotten() throws Exception {
    List<DeliveryStore.Taken> first =
        database.inTransaction(
            h -> {
              h.execute("UPDATE webhook_delivery SET due_at = 'infinity' WHERE number = 2");
              return take(h, 1).taken();
            });
    assertThat(first).hasSize(1);
    database.useTransaction(
        h -> h.execute("UPDATE webhook_delivery SET due_at = ? WHERE number = 2", NOW));

    var ends = new Thread(() -> database.useTransaction(h -> done(h, first)));
    database.useTransaction(
        h -> {
          assertThat(take(h, 2).othersWait()).isTrue();
          ends.start();
          until(() -> !ends.isAlive() || isWaiting(), over -> over);
        });
    ends.join();
    assertThat(taken(2)).containsExactly(2L);
  }

  private boolean isWaiting() {
    return watcher.query(
        h ->
            h.select(
                    """
                    SELECT EXISTS (SELECT FROM pg_stat_activity
                      WHERE datname = current_database() AND wait_event_type = 'Lock')
                    """)
                .mapTo(Boolean.class)
                .one());
  }

  @Test
  void what_was_found_to_wait_for_one_that_ended_meanwhile_is_due_at_once() {
    List<DeliveryStore.Taken> first = database.inTransaction(h -> take(h, 1)).taken();
    assertThat(first).hasSize(1);
    assertThat(taken(2)).isEmpty();
    database.useTransaction(h -> done(h, first));
    assertThat(taken(2)).containsExactly(2L);
  }
}
