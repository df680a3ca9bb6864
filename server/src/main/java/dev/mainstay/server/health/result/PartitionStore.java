package dev.mainstay.server.health.result;

import dev.mainstay.server.platform.Database;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;

/**
 * The partitions of the tables that grow by time. Each retention class has tables of its own, with
 * partitions of a length that keeps their number small; a partition is dropped when all of it is
 * older than its class.
 */
public final class PartitionStore {
  private static final int DAYS_AHEAD = 3;
  private static final DateTimeFormatter NAME = DateTimeFormatter.BASIC_ISO_DATE;
  private static final List<String> TABLES = List.of("run", "failure", "test_hour");

  /** Days in a partition, by the days its rows are kept. */
  private static final Map<Integer, Integer> LENGTHS = Map.of(30, 1, 90, 1, 365, 7, 1095, 28);

  /** The retention classes, each of which has tables of its own. */
  static final List<Integer> CLASSES = LENGTHS.keySet().stream().sorted().toList();

  private final Database database;
  private final Set<String> known = ConcurrentHashMap.newKeySet();

  public PartitionStore(Database database) {
    this.database = database;
  }

  /** A stretch of days whose rows are dropped together. */
  private record Period(int retentionDays, int firstDay) {
    static Period of(int retentionDays, int day) {
      return new Period(retentionDays, day - Math.floorMod(day, length(retentionDays)));
    }

    private static int length(int retentionDays) {
      return LENGTHS.getOrDefault(retentionDays, 1);
    }

    LocalDate start() {
      return LocalDate.ofEpochDay(firstDay);
    }

    LocalDate end() {
      return start().plusDays(length(retentionDays));
    }

    String suffix() {
      return retentionDays + "_" + start().format(NAME);
    }
  }

  /** Makes sure that rows of these days (counted from 1970) have a place to go. */
  public void ensure(int retentionDays, Collection<Integer> days) {
    var missing =
        days.stream()
            .map(day -> Period.of(retentionDays, day))
            .distinct()
            .filter(period -> !known.contains(period.suffix()))
            .toList();
    missing.forEach(this::create);
  }

  /** Makes the partitions of the days to come, for every class in use. */
  public void makeAhead(LocalDate today) {
    var classes =
        database.query(
            handle ->
                handle
                    .select("SELECT DISTINCT retention_days FROM organization_view")
                    .mapTo(Integer.class)
                    .list());
    int first = Math.toIntExact(today.toEpochDay());
    var days = IntStream.rangeClosed(first, first + DAYS_AHEAD).boxed().toList();
    classes.forEach(retentionDays -> ensure(retentionDays, days));
  }

  /**
   * Attaching takes a weaker lock than creating in place: uploads go on meanwhile. The advisory
   * lock lets several nodes try at once.
   */
  private void create(Period period) {
    database.useTransaction(
        handle -> {
          handle.execute("SELECT pg_advisory_xact_lock(hashtextextended('partitions', 0))");
          for (String table : TABLES) {
            String parent = table + "_" + period.retentionDays();
            String name = table + "_" + period.suffix();
            boolean exists =
                handle.select("SELECT to_regclass(?) IS NOT NULL", name).mapTo(Boolean.class).one();
            if (!exists) {
              handle.execute("CREATE TABLE %s (LIKE %s INCLUDING ALL)".formatted(name, parent));
              handle.execute(
                  "ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM ('%s') TO ('%s')"
                      .formatted(parent, name, period.start(), period.end()));
            }
          }
        });
    known.add(period.suffix());
  }

  /**
   * Drops what is past its retention, a day of grace included, unless a backup is being made;
   * returns the names.
   */
  public List<String> dropExpired(LocalDate today) {
    return names().stream()
        .filter(name -> isExpired(name, today))
        .filter(name -> database.unlessCopied(handle -> drop(handle, name)))
        .toList();
  }

  private static void drop(Handle handle, String name) {
    // Rather later than in the way of uploads.
    handle.execute("SET LOCAL lock_timeout = '2s'");
    // Another node may have been faster.
    handle.execute("DROP TABLE IF EXISTS " + name);
  }

  private List<String> names() {
    return database.query(
        handle ->
            handle
                .select(
                    """
                    SELECT c.relname FROM pg_class c
                    WHERE c.relkind = 'r' AND c.relispartition AND c.relnamespace = current_schema()::regnamespace
                      AND c.relname ~ '^(run|failure|test_hour)_[0-9]+_[0-9]{8}$'
                    ORDER BY c.relname
                    """)
                .mapTo(String.class)
                .list());
  }

  private static boolean isExpired(String name, LocalDate today) {
    String[] parts = name.split("_", -1);
    int retentionDays = Integer.parseInt(parts[parts.length - 2]);
    LocalDate start = LocalDate.parse(parts[parts.length - 1], NAME);
    LocalDate end = Period.of(retentionDays, Math.toIntExact(start.toEpochDay())).end();
    return end.isBefore(today.minusDays(retentionDays + 1L));
  }
}
