package dev.mainstay.bench;

import dev.mainstay.core.health.replay.RecordedRuns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Reads what others measured of flaky tests. */
final class OutcomeFiles {
  private static final Set<String> TEST = Set.of("test", "name", "test_name", "testname");
  private static final Set<String> RUN =
      Set.of("run", "build", "buildid", "build_id", "run_id", "runid", "cycle");
  private static final Set<String> OUTCOME =
      Set.of("outcome", "verdict", "result", "status", "failed");
  private static final Set<String> FAILED =
      Set.of("1", "f", "fail", "failed", "failure", "error", "errored", "true");

  /** Runs are named by numbers or by times: shorter ones first, then as texts. */
  private static final Comparator<String> IN_ORDER =
      Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder());

  private OutcomeFiles() {}

  /** The rates of the tests that are flaky; names may hold commas, the columns after them not. */
  static List<Double> rates(Path file) throws IOException {
    var rates = new ArrayList<Double>();
    for (String line : Files.readAllLines(file)) {
      List<String> cells = Arrays.asList(line.split(",", -1));
      int flaky = cells.size() - 6;
      if (flaky > 0 && cells.get(flaky).equals("1")) {
        double failed = Double.parseDouble(cells.get(flaky + 1));
        rates.add(failed / (failed + Double.parseDouble(cells.get(flaky + 2))));
      }
    }
    return rates;
  }

  /**
   * The runs of those tests that both failed and passed. Either each line is one outcome, below a
   * header that names the columns of the test, the run and the outcome; or each line is a test: its
   * name, then one cell for each run, or one cell with a letter for each. 1, F, fail, failed, error
   * and true are failures. Cells are parted by commas, semicolons or tabs.
   */
  static RecordedRuns runs(Path file) throws IOException {
    List<List<String>> lines = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      if (!line.isBlank()) {
        lines.add(Arrays.asList(line.strip().split("[,;\t]", -1)));
      }
    }
    if (lines.isEmpty()) {
      throw new IllegalArgumentException(file + " is empty.");
    }
    List<String> header =
        lines.getFirst().stream().map(cell -> cell.strip().toLowerCase(Locale.ROOT)).toList();
    int test = column(header, TEST);
    int run = column(header, RUN);
    int outcome = column(header, OUTCOME);
    Map<String, List<Boolean>> failed =
        test >= 0 && run >= 0 && outcome >= 0
            ? byLine(lines.subList(1, lines.size()), test, run, outcome)
            : byTest(lines);
    return flakyOf(failed);
  }

  private static int column(List<String> header, Set<String> names) {
    for (int i = 0; i < header.size(); i++) {
      if (names.contains(header.get(i))) {
        return i;
      }
    }
    return -1;
  }

  private static boolean isFailure(String cell) {
    return FAILED.contains(cell.strip().toLowerCase(Locale.ROOT));
  }

  private static Map<String, List<Boolean>> byLine(
      List<List<String>> lines, int test, int run, int outcome) {
    var failures = new TreeMap<String, Set<String>>();
    var runs = new TreeSet<>(IN_ORDER);
    for (List<String> line : lines) {
      var mine = failures.computeIfAbsent(line.get(test), t -> new TreeSet<>());
      runs.add(line.get(run));
      if (isFailure(line.get(outcome))) {
        mine.add(line.get(run));
      }
    }
    var failed = new TreeMap<String, List<Boolean>>();
    failures.forEach((name, of) -> failed.put(name, runs.stream().map(of::contains).toList()));
    return failed;
  }

  private static Map<String, List<Boolean>> byTest(List<List<String>> lines) {
    var failed = new TreeMap<String, List<Boolean>>();
    for (List<String> line : lines) {
      List<String> cells =
          line.size() == 2
              ? Arrays.asList(line.get(1).strip().split("", -1))
              : line.subList(1, line.size());
      failed.put(line.getFirst(), cells.stream().map(OutcomeFiles::isFailure).toList());
    }
    return failed;
  }

  private static RecordedRuns flakyOf(Map<String, List<Boolean>> failed) {
    List<List<Boolean>> flaky =
        failed.values().stream().filter(f -> f.contains(true) && f.contains(false)).toList();
    int runs = flaky.stream().mapToInt(List::size).min().orElse(0);
    var sets = new ArrayList<BitSet>();
    for (int run = 0; run < runs; run++) {
      var set = new BitSet();
      for (int test = 0; test < flaky.size(); test++) {
        set.set(test, flaky.get(test).get(run));
      }
      sets.add(set);
    }
    return new RecordedRuns(flaky.size(), sets);
  }
}
