package dev.mainstay.cli.simulate;

import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The hunt for broken promises, which takes the place of a comparison: whether and how long. */
public final class CheckOptions {
  private static final int USUAL_SEEDS = 200;
  private static final int MOST_SEEDS = 100_000_000;

  @Option(
      names = "--check",
      description =
          "Try to break the queue's rules in worlds where everything goes wrong, and tell the shortest"
              + " story of the first one that does. With --seed alone: tell the story of that seed.")
  private boolean check;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      description = "Worlds to check, with seeds counted up from --seed (200).")
  private @Nullable String seeds;

  @Option(
      names = "--keep-going",
      description = "Name every seed that breaks a promise instead of stopping at the first.")
  private boolean keepGoing;

  public boolean wanted(Faults faults) {
    if (keepGoing && !check) {
      faults.add("--keep-going", "goes only with --check");
    }
    if (seeds != null && !check) {
      faults.add("--seeds", "goes only with --check; --runs is for several worlds of a comparison");
    }
    return check;
  }

  public boolean keepsGoing() {
    return keepGoing;
  }

  /** The number of worlds to check; none when the story of one seed is to be told. */
  public OptionalInt count(boolean seedGiven, Faults faults) {
    if (keepGoing && seedGiven && seeds == null) {
      faults.add("--keep-going", "needs --seeds: one seed alone is told as a story");
    }
    return Optional.ofNullable(seeds)
        .map(text -> OptionalInt.of(faults.whole("--seeds", text, 1, MOST_SEEDS)))
        .orElse(seedGiven ? OptionalInt.empty() : OptionalInt.of(USUAL_SEEDS));
  }
}
