package dev.mainstay.server.health.ingest;

import dev.mainstay.server.report.Owners;
import java.util.List;
import java.util.Optional;

/**
 * The owners of an upload's tests, as the rules that hold for it name them. Where the search takes
 * long, {@code onLongSearch} runs.
 */
record TestOwners(Optional<Owners> rules, Runnable onLongSearch) {

  /** False where nobody has sent rules: then the owners of tests are left as they are. */
  boolean areNamed() {
    return rules.isPresent();
  }

  List<String> of(String file) {
    List<String> found = rules.map(owners -> owners.of(file)).orElse(List.of());
    if (rules.filter(Owners::takesLong).isPresent()) {
      onLongSearch.run();
    }
    return found;
  }

  Optional<String> fault() {
    return rules.flatMap(Owners::fault);
  }
}
