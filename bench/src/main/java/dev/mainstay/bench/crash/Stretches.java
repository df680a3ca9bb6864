package dev.mainstay.bench.crash;

import dev.mainstay.bench.crash.CrashRun.Plan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * A long run in stretches, each with a repository and a database of its own. Those that ended well
 * are noted in a file, so that a run that was broken off is resumed by the same command.
 */
record Stretches(Path ledger) {
  private static final int KILLS = 50;

  /** Nodes of a stretch have the seeds that follow its own. */
  private static final int SEEDS_APART = 100;

  /** What of the whole run is still to be done. */
  List<Plan> left(Plan whole) throws IOException {
    List<String> done = Files.exists(ledger) ? Files.readAllLines(ledger) : List.of();
    var left = new ArrayList<Plan>();
    long seed = whole.seed();
    for (int kills = whole.kills(); kills > 0; kills -= KILLS) {
      Plan stretch = whole.of(Math.min(KILLS, kills), seed);
      if (!done.contains(line(stretch))) {
        left.add(stretch);
      }
      seed += SEEDS_APART;
    }
    return left;
  }

  void endedWell(Plan stretch) throws IOException {
    Files.writeString(
        ledger, line(stretch) + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private static String line(Plan stretch) {
    return "%d kills, %d nodes, seed %d, %s: well"
        .formatted(stretch.kills(), stretch.nodes(), stretch.seed(), stretch.where());
  }
}
