package dev.mainstay.core.simulation.past;

import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.ReasonCode;
import dev.mainstay.core.simulation.world.World.Pair;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Why things failed, as far as the runs tell.
 *
 * <p>Whoever landed was sound. Whoever did not, and never was in a run that passed, fails by
 * itself; that is sure where it failed with nothing but the target branch below it. Whoever passed
 * in some run and failed in another does not go with somebody that the one held and the other did
 * not: where that is one, it is known, where there are several, the nearest is guessed, and where
 * there is none the failure was a flake. A run that failed although all in it are sound and go
 * together was a flake.
 */
final class Causes {
  private final Cast cast;
  private final List<Seen> runs;
  private final BitSet broken = new BitSet();
  private final BitSet guessed = new BitSet();
  private final List<Pair> pairs = new ArrayList<>();
  private final Map<Integer, List<Boolean>> attempts = new HashMap<>();
  private int soundRuns;
  private int flakes;

  Causes(Cast cast, List<Seen> runs) {
    this.cast = cast;
    this.runs = runs;
    for (int id = 0; id < cast.size(); id++) {
      if (!cast.landed(id)) {
        explain(id);
      }
    }
    runs.forEach(this::lookForFlake);
  }

  private void explain(int id) {
    List<Seen> failures =
        runs.stream().filter(r -> r.own().get(id) && r.failed() && r.run().isFinished()).toList();
    Optional<Seen> last = failures.isEmpty() ? Optional.empty() : Optional.of(failures.getLast());
    List<Seen> passes = runs.stream().filter(r -> r.content().get(id) && r.passed()).toList();
    boolean conflicted = cast.member(id).reason() == ReasonCode.MERGE_CONFLICT;
    if (last.isEmpty() || (passes.isEmpty() && !conflicted)) {
      isBroken(id, failures.stream().anyMatch(r -> r.isOnly(id)));
    } else {
      BitSet candidates = candidates(id, last.get(), passes, conflicted);
      if (!candidates.isEmpty()) {
        guessed.set(id, candidates.cardinality() > 1 || last.get().strangers());
        pairs.add(pair(id, nearest(candidates, last.get())));
      } else if (passes.isEmpty()) {
        isBroken(id, !last.get().strangers());
      }
    }
  }

  private void isBroken(int id, boolean known) {
    broken.set(id);
    guessed.set(id, !known);
  }

  /**
   * Those that landed and that it may not go with. A branch that could not be made is the fault of
   * somebody in it: what had landed before is the target branch, with which it did go.
   */
  private BitSet candidates(int id, Seen failure, List<Seen> passes, boolean conflicted) {
    BitSet candidates = conflicted ? new BitSet() : cast.landedBefore(failure.run().began());
    candidates.or(failure.content());
    for (Seen pass : passes) {
      candidates.andNot(pass.content());
      candidates.andNot(cast.landedBefore(pass.run().began()));
    }
    candidates.clear(id);
    for (int other = candidates.nextSetBit(0);
        other >= 0;
        other = candidates.nextSetBit(other + 1)) {
      candidates.set(other, cast.landed(other));
    }
    return candidates;
  }

  /** The last one that the run stood on, or else the last that landed before it. */
  private int nearest(BitSet candidates, Seen failure) {
    for (Change below : failure.run().standsOn().reversed()) {
      Optional<Integer> id = cast.id(below).filter(candidates::get);
      if (id.isPresent()) {
        return id.get();
      }
    }
    return candidates.stream().boxed().max(Comparator.comparing(cast::landedAt)).orElseThrow();
  }

  private static Pair pair(int one, int other) {
    return new Pair(Math.min(one, other), Math.max(one, other));
  }

  private void lookForFlake(Seen seen) {
    boolean tells = seen.run().isFinished() && seen.run().built() && !seen.strangers();
    if (!tells || seen.own().isEmpty() || !isSound(seen)) {
      return;
    }
    soundRuns++;
    flakes += seen.failed() ? 1 : 0;
    int first = cast.id(seen.run().tested().getFirst()).orElseThrow();
    attempts.computeIfAbsent(first, id -> new ArrayList<>()).add(seen.failed());
  }

  private boolean isSound(Seen seen) {
    if (pairs.isEmpty() || seen.content().intersects(broken)) {
      return !seen.content().intersects(broken);
    }
    BitSet all = cast.landedBefore(seen.run().began());
    all.or(seen.content());
    return pairs.stream()
        .noneMatch(
            p ->
                all.get(p.first())
                    && all.get(p.second())
                    && (seen.content().get(p.first()) || seen.content().get(p.second())));
  }

  boolean isBroken(int id) {
    return broken.get(id);
  }

  int brokenAlone() {
    return broken.cardinality();
  }

  List<Pair> pairs() {
    return pairs;
  }

  /** Something about why it failed is a guess. */
  boolean isGuessed(int id) {
    return guessed.get(id);
  }

  /** The runs of a sound change that were seen, in order: whether each flaked. */
  List<Boolean> attempts(int id) {
    return attempts.getOrDefault(id, List.of());
  }

  int flakes() {
    return flakes;
  }

  double flakeRate() {
    return soundRuns == 0 ? 0 : (double) flakes / soundRuns;
  }
}
