package dev.mainstay.bench;

import dev.mainstay.bench.soak.SoakRun;
import dev.mainstay.server.platform.Logs;
import java.util.List;

/**
 * {@code bench/run [NAME…]}: runs the named benchmarks, or all. What follows {@code monitors} are
 * its own options, what follows {@code parser} the names of kinds of reports, what follows {@code
 * backup} a number of failures, what follows {@code soak} how many minutes it goes on.
 */
public final class Bench {
  /** A benchmark: it prints its figures. */
  interface Measurement {
    void run() throws Exception;
  }

  private record Named(String name, Measurement measurement) {}

  private static final List<Named> ALL =
      List.of(
          new Named("http", HttpBench::run),
          new Named("engine", EngineCost::run),
          new Named("chances", ChanceCalibration::run),
          new Named("parser", ParserBench::run),
          new Named("memory", HeldMemory::run),
          new Named("fuzz-reports", ReportFuzz::run),
          new Named("ingest", IngestBench::run),
          new Named("queue", QueueBench::run),
          new Named("landing", LandingBench::run),
          new Named("forge", ForgeBench::run),
          new Named("events", EventsBench::run),
          new Named("lists", ListsBench::run),
          new Named("growth", GrowthBench::run),
          new Named("pages", PagesBench::run),
          new Named("judging", JudgingBench::run),
          new Named("backup", BackupBench::run),
          new Named("monitors", () -> MonitorBench.run(List.of())));

  private Bench() {}

  public static void main(String[] args) throws Exception {
    Logs.configure(Logs.Format.TEXT, "WARN");
    if (args.length > 1 && args[0].equals("monitors")) {
      MonitorBench.run(List.of(args).subList(1, args.length));
      return;
    }
    if (args.length > 1 && args[0].equals("parser")) {
      ParserBench.run(List.of(args).subList(1, args.length));
      return;
    }
    if (args.length <= 2 && args.length > 0 && args[0].equals("soak")) {
      SoakRun.run(List.of(args).subList(1, args.length));
      return;
    }
    if (args.length == 2 && args[0].equals("backup")) {
      BackupBench.run(Integer.parseInt(args[1]));
      return;
    }
    List<String> known = ALL.stream().map(Named::name).toList();
    List<String> wanted = args.length == 0 ? known : List.of(args);
    if (args.length == 0) {
      System.err.printf(
          "Runs all of %s: it takes more than half an hour.%n", String.join(", ", known));
    }
    if (!known.containsAll(wanted)) {
      System.err.printf("There are only these benchmarks: %s.%n", String.join(", ", known));
      System.exit(2);
    }
    for (var named : ALL) {
      if (wanted.contains(named.name())) {
        System.out.printf("== %s%n", named.name());
        named.measurement().run();
      }
    }
  }
}
