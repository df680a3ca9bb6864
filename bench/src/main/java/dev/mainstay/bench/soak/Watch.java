package dev.mainstay.bench.soak;

import dev.mainstay.server.platform.Database;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Looks at the process and at its tables from time to time, and says what it sees. */
final class Watch implements AutoCloseable {
  private static final int LOOKS = 15;
  private static final int TABLES = 12;
  private static final long MEBIBYTE = 1024 * 1024;

  private record Look(long resident, long threads, long files, long database) {}

  private final SoakNode node;
  private final Tally tally;
  private final Database database;
  private final Map<String, Long> tablesBefore;
  private final List<Look> looks = new ArrayList<>();
  private final Thread thread;

  Watch(SoakNode node, Tally tally, Duration time) {
    this.node = node;
    this.tally = tally;
    this.database = Database.connect(node.database(), 1);
    this.tablesBefore = tables();
    this.thread = Thread.ofPlatform().name("watch").start(() -> watch(time.dividedBy(LOOKS)));
  }

  private void watch(Duration every) {
    try {
      while (true) {
        look();
        Thread.sleep(every);
      }
    } catch (IOException e) {
      tally.fault("watch: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  synchronized void look() throws IOException {
    Path process = Path.of("/proc/" + node.process().process().pid());
    long files;
    try (var open = Files.list(process.resolve("fd"))) {
      files = open.count();
    }
    long bytes =
        database.query(
            h -> h.select("SELECT pg_database_size(current_database())").mapTo(Long.class).one());
    var now =
        new Look(
            node.process().residentMebibytes(),
            status(process, "Threads:"),
            files,
            bytes / MEBIBYTE);
    looks.add(now);
    tally.say(
        "%,d results, %d submitted, %d statuses, %d events, %d hooks, %d pages, %d reloads | %d MiB resident, %d threads, %d files, database %,d MiB | %d faults"
            .formatted(
                tally.count("uploads") * (long) SoakUploads.RESULTS,
                tally.count("submissions"),
                tally.count("statuses"),
                tally.count("events"),
                tally.count("hooks"),
                tally.count("pages"),
                tally.count("reloads"),
                now.resident(),
                now.threads(),
                now.files(),
                now.database(),
                tally.faults().size()));
  }

  private static long status(Path process, String field) throws IOException {
    try (var lines = Files.lines(process.resolve("status"))) {
      return lines
          .filter(line -> line.startsWith(field))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
          .findFirst()
          .orElse(0);
    }
  }

  /** Bytes of each table with its indices; partitions count for the table that they are of. */
  private Map<String, Long> tables() {
    return database.query(
        handle -> {
          var found = new LinkedHashMap<String, Long>();
          handle
              .select(
                  """
                  SELECT regexp_replace(relname, '_(\\d.*|default)$', '') AS name,
                      sum(pg_total_relation_size(oid)) AS bytes
                  FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
                  GROUP BY 1 ORDER BY 2 DESC
                  """)
              .map((row, context) -> Map.entry(row.getString(1), row.getLong(2)))
              .forEach(table -> found.put(table.getKey(), table.getValue()));
          return found;
        });
  }

  /** The largest tables, before and now. */
  void printTables() {
    tables().entrySet().stream()
        .limit(TABLES)
        .forEach(
            table ->
                System.out.printf(
                    "%-24s %,9.1f MiB, at first %.1f%n",
                    table.getKey(),
                    table.getValue() / (double) MEBIBYTE,
                    tablesBefore.getOrDefault(table.getKey(), 0L) / (double) MEBIBYTE));
  }

  /** What there is too much of, or ever more. */
  synchronized List<String> faults(int mostMebibytes, double mostGrowth) throws IOException {
    var faults = new ArrayList<String>();
    long peak = node.process().peakMebibytes();
    System.out.printf("resident at most %d MiB (allowed: %d)%n", peak, mostMebibytes);
    if (peak > mostMebibytes) {
      faults.add("resident at most %d MiB".formatted(peak));
    }
    grown("resident MiB", Look::resident, mostGrowth, faults);
    grown("threads", Look::threads, mostGrowth, faults);
    grown("files", Look::files, mostGrowth, faults);
    return faults;
  }

  /** The last third against the one before: what is warm by then should not grow. */
  private void grown(String what, ToDoubleFunction<Look> of, double most, List<String> faults) {
    int third = looks.size() / 3;
    double before = most(of, third, 2 * third);
    double last = most(of, 2 * third, looks.size());
    System.out.printf(
        "%s at most %.0f in the second third, %.0f in the last: x %.2f (at most %.2f)%n",
        what, before, last, last / before, most);
    if (last > before * most) {
      faults.add("%s grow: %.0f, then %.0f".formatted(what, before, last));
    }
  }

  private double most(ToDoubleFunction<Look> of, int from, int to) {
    return looks.subList(from, to).stream().mapToDouble(of).max().orElse(0);
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    database.close();
  }
}
