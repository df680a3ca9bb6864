package dev.mainstay.core.simulation.past;

import dev.mainstay.core.queue.Change;
import java.util.BitSet;
import java.util.List;

/**
 * A run as it is about those who take part.
 *
 * @param own what it tested, and {@code content} that with what it stood on
 * @param strangers it held somebody who takes no part, and may have failed because of that one
 */
record Seen(PastRun run, BitSet own, BitSet content, boolean strangers) {

  static Seen of(PastRun run, Cast cast) {
    var own = ids(run.tested(), cast);
    var content = ids(run.standsOn(), cast);
    content.or(own);
    int held = run.tested().size() + run.standsOn().size();
    return new Seen(run, own, content, content.cardinality() < held);
  }

  private static BitSet ids(List<Change> changes, Cast cast) {
    var ids = new BitSet();
    changes.forEach(change -> cast.id(change).ifPresent(ids::set));
    return ids;
  }

  boolean passed() {
    return run.outcome() == PastRun.Outcome.PASSED;
  }

  boolean failed() {
    return run.outcome() == PastRun.Outcome.FAILED;
  }

  /** It held nothing but this one. */
  boolean isOnly(int id) {
    return !strangers && content.get(id) && content.cardinality() == 1;
  }
}
