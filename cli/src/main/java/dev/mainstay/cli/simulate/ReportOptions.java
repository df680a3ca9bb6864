package dev.mainstay.cli.simulate;

import dev.mainstay.core.simulation.Contender;
import dev.mainstay.core.simulation.policy.Policies;
import dev.mainstay.core.simulation.world.WorldSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Option;

/** The report: the policies in it, its format, its chart. */
public final class ReportOptions {
  private static final List<String> USUAL_RIVALS = List.of("serial", "bors", "zuul", "oracle");

  @Option(
      names = "--compare",
      paramLabel = "POLICY",
      split = ",",
      description =
          "Policies to show besides ours, described below. Default: serial,bors,zuul,oracle.")
  private List<String> compare = new ArrayList<>();

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "table, csv or json. Default: ${DEFAULT-VALUE}.")
  private String format = "table";

  @Option(names = "--svg", paramLabel = "FILE", description = "Draw a chart into this file too.")
  private Optional<Path> svg = Optional.empty();

  @Option(
      names = "--experiment",
      description =
          "Run the experiment published with SubmitQueue (EuroSys 2019) in place of one world: 100 to 500"
              + " changes per hour on 100 to 500 slots, as ratios to the oracle. Takes minutes.")
  private boolean experiment;

  @Option(names = "--quick", description = "A smaller grid and fewer changes for --experiment.")
  private boolean quick;

  /** The form of the text. */
  public enum Format {
    TABLE,
    CSV,
    JSON
  }

  public Format format(Faults faults) {
    for (Format known : Format.values()) {
      if (known.name().equalsIgnoreCase(format)) {
        return known;
      }
    }
    faults.add("--format", "must be table, csv or json, not '" + format + "'");
    return Format.TABLE;
  }

  /** The names of the policies to show besides ours. */
  public Set<String> policies() {
    return new LinkedHashSet<>(compare.isEmpty() ? USUAL_RIVALS : compare);
  }

  public List<Contender> rivals(WorldSettings settings, Faults faults) {
    return policies().stream()
        .map(
            name ->
                faults.read(
                    "--compare", name, text -> Policies.named(text, settings), Policies.ORACLE))
        .toList();
  }

  /** The names of policies that users gave; none where they gave none. */
  public List<String> compare() {
    return List.copyOf(compare);
  }

  public boolean wantsExperiment(Faults faults) {
    if (quick && !experiment) {
      faults.add("--quick", "goes only with --experiment");
    }
    return experiment;
  }

  public boolean quick() {
    return quick;
  }

  public Optional<Path> svg() {
    return svg;
  }
}
