package dev.mainstay.cli.simulate;

import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.simulation.Contender;
import dev.mainstay.core.simulation.policy.MainstayPolicy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Option;

/** The settings of our own queue, and variants of them to try side by side. */
public final class QueueOptions {
  private static final String OURS = "mainstay";

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      description =
          "single: a change stands on all ahead; parallel: on those ahead whose targets meet its own. Default: ${DEFAULT-VALUE}.")
  private String mode = "single";

  @Option(
      names = "--concurrency",
      paramLabel = "N",
      description =
          "Test runs that the queue starts at the same time. Default: as many as --slots.")
  private String concurrency = "slots";

  @Option(
      names = "--bisection-concurrency",
      paramLabel = "N",
      description = "The same for bisection, which has its own. Default: as --concurrency.")
  private String bisectionConcurrency = "";

  @Option(
      names = "--batch-size",
      paramLabel = "N",
      description =
          "Changes that are tested together; 1 is no batching, auto as many as serve best. Default: ${DEFAULT-VALUE}.")
  private String batchSize = "1";

  @Option(
      names = "--batch-wait",
      paramLabel = "MINUTES",
      description = "How long a batch waits to become full. Default: ${DEFAULT-VALUE}.")
  private String batchWait = "5";

  @Option(
      names = "--pending-failure-depth",
      paramLabel = "N",
      description =
          "How many behind a failure may still prove it wrong. Default: ${DEFAULT-VALUE}.")
  private String pendingFailureDepth = "0";

  @Option(
      names = "--speculation-budget",
      paramLabel = "N",
      description =
          "Runs beside its own that a change may have at once. Default: ${DEFAULT-VALUE}.")
  private String speculationBudget = "0";

  @Option(
      names = "--flake-retries",
      paramLabel = "N",
      description =
          "How often what is known to have flaked is tested again. Default: ${DEFAULT-VALUE}.")
  private String flakeRetries = "1";

  @Option(
      names = "--known-flakes",
      description = "Test health knows the tests that flake, and tells the queue.")
  private boolean knownFlakes;

  @Option(
      names = "--hermetic-tests",
      paramLabel = "true|false",
      description =
          "Whether what touches other targets cannot sway a test. Default: ${DEFAULT-VALUE}.")
  private String hermeticTests = "true";

  @Option(names = "--optimistic-merging", description = "What passes proves all that it stands on.")
  private boolean optimisticMerging;

  @Option(
      names = "--skip-redundant-tests",
      description = "In bisection, do not run what follows from other runs.")
  private boolean skipRedundantTests;

  @Option(
      names = "--testing-timeout",
      paramLabel = "MINUTES",
      description =
          "A test run that takes longer has failed; 0 is no limit, auto follows what tests took. Default: ${DEFAULT-VALUE}.")
  private String testingTimeout = "300";

  @Option(
      names = "--variant",
      paramLabel = "[LABEL:]KEY=VALUE,...",
      description = {
        "One more queue beside the first, with other settings; may be repeated.",
        "Keys are the options above without the dashes: --variant 'batches: batch-size=4, batch-wait=10'."
      })
  private List<String> variants = new ArrayList<>();

  /** Our queue as the options describe it, and its variants. */
  public List<Contender> contenders(int slots, Faults faults) {
    var contenders = new ArrayList<Contender>();
    int before = faults.found().size();
    contenders.add(contender(OURS, "", base(), slots, faults));
    if (faults.found().size() > before) {
      return contenders;
    }
    Set<String> labels = new LinkedHashSet<>(List.of(OURS));
    for (String variant : variants) {
      int colon = variant.indexOf(':');
      String changed = variant.substring(colon + 1).strip();
      String label = colon > 0 ? variant.substring(0, colon).strip() : changed;
      if (!labels.add(label)) {
        faults.add("--variant", "the label '" + label + "' is there twice");
      }
      contenders.add(contender(label, changed, base(), slots, faults));
    }
    return contenders;
  }

  private Map<String, String> base() {
    var base = new LinkedHashMap<String, String>();
    base.put("mode", mode);
    base.put("concurrency", concurrency);
    base.put("bisection-concurrency", bisectionConcurrency);
    base.put("batch-size", batchSize);
    base.put("batch-wait", batchWait);
    base.put("pending-failure-depth", pendingFailureDepth);
    base.put("speculation-budget", speculationBudget);
    base.put("flake-retries", flakeRetries);
    base.put("known-flakes", Boolean.toString(knownFlakes));
    base.put("hermetic-tests", hermeticTests);
    base.put("optimistic-merging", Boolean.toString(optimisticMerging));
    base.put("skip-redundant-tests", Boolean.toString(skipRedundantTests));
    base.put("testing-timeout", testingTimeout);
    return base;
  }

  private static Contender contender(
      String label, String changed, Map<String, String> settings, int slots, Faults faults) {
    String where = changed.isEmpty() ? "" : "--variant '" + changed + "' ";
    if (!changed.isEmpty()) {
      for (String pair : changed.split(",", -1)) {
        int equals = pair.indexOf('=');
        String key = pair.substring(0, Math.max(equals, 0)).strip();
        if (settings.replace(key, pair.substring(equals + 1).strip()) == null) {
          faults.add(
              where.strip(),
              "'%s' is not KEY=VALUE with one of %s"
                  .formatted(pair.strip(), String.join(", ", settings.keySet())));
        }
      }
    }
    var reader = new SettingsReader(where, settings, faults);
    QueueSettings queue = reader.read(slots);
    boolean knownFlakes = reader.flag("known-flakes");
    return new Contender(label, world -> new MainstayPolicy(queue, knownFlakes));
  }
}
