package dev.mainstay.server.event;

import dev.mainstay.server.platform.Database;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import java.util.function.ToIntFunction;
import org.jdbi.v3.core.Handle;

/** Forgets events and attempts when their time is over, and attempts beyond their number. */
final class EventTidyWorker {
  static final Duration KEPT = Duration.ofDays(14);
  static final int KEPT_ATTEMPTS = 5_000;
  private static final int AT_ONCE = 5_000;

  private final Database database;
  private final Clock clock;

  EventTidyWorker(Database database, Clock clock) {
    this.database = database;
    this.clock = clock;
  }

  void round(BooleanSupplier isClosing) {
    Instant before = clock.instant().minus(KEPT);
    all(isClosing, h -> EventStore.deleteBefore(h, before, AT_ONCE));
    all(isClosing, h -> DeliveryStore.deleteOrphans(h, AT_ONCE));
    database.inTransaction(h -> DeliveryStore.wakeAll(h, clock.instant()));
    all(isClosing, h -> AttemptStore.deleteBefore(h, before, AT_ONCE));
    database.inTransaction(h -> AttemptStore.deleteBeyond(h, KEPT_ATTEMPTS));
  }

  private void all(BooleanSupplier isClosing, ToIntFunction<Handle> some) {
    while (!isClosing.getAsBoolean() && database.inTransaction(some::applyAsInt) == AT_ONCE) {}
  }
}
