package dev.mainstay.core.simulation.past;

import dev.mainstay.core.queue.Change;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Those who take part, in order of arrival: each pull request at each of its heads once, however
 * often it was submitted, with its first submission that was let in and judged. Whoever was
 * cancelled, closed, pushed to or merged by hand is left out: what tests would have said of it is
 * not known.
 */
final class Cast {
  private final List<PastChange> members = new ArrayList<>();
  private final Map<Change, Integer> ids = new HashMap<>();
  private final List<Instant> landings;
  private final Map<String, Integer> leftOut = new TreeMap<>();

  Cast(Collection<PastChange> changes) {
    var landed = new HashMap<Change, Instant>();
    changes.stream()
        .filter(this::takesPart)
        .sorted(
            Comparator.comparing((PastChange c) -> c.arrived().orElseThrow())
                .thenComparing(PastChange::ended)
                .thenComparingInt(c -> c.change().pr().number()))
        .forEach(change -> enter(change, landed));
    landings = members.stream().map(m -> landed.getOrDefault(m.change(), Instant.MAX)).toList();
  }

  private boolean takesPart(PastChange change) {
    if (!change.wasJudged()) {
      leaveOut(change.reason().code());
    } else if (change.arrived().isEmpty()) {
      leaveOut("never_let_in");
    } else {
      return true;
    }
    return false;
  }

  private void enter(PastChange change, Map<Change, Instant> landed) {
    if (change.landed()) {
      landed.putIfAbsent(change.change(), change.ended());
    }
    if (ids.putIfAbsent(change.change(), members.size()) == null) {
      members.add(change);
    } else {
      leaveOut("submitted_again");
    }
  }

  private void leaveOut(String why) {
    leftOut.merge(why, 1, Integer::sum);
  }

  int size() {
    return members.size();
  }

  PastChange member(int id) {
    return members.get(id);
  }

  List<PastChange> members() {
    return members;
  }

  Optional<Integer> id(Change change) {
    return Optional.ofNullable(ids.get(change));
  }

  /** It is on the target branch, by this submission or by a later one of the same commit. */
  boolean landed(int id) {
    return landedAt(id).isBefore(Instant.MAX);
  }

  /** Those that had landed at that time. */
  BitSet landedBefore(Instant time) {
    var landed = new BitSet();
    for (int id = 0; id < members.size(); id++) {
      landed.set(id, landedAt(id).compareTo(time) <= 0);
    }
    return landed;
  }

  /** When it landed; the end of all time where it did not. */
  Instant landedAt(int id) {
    return landings.get(id);
  }

  /** How many were left out, by the reason. */
  Map<String, Integer> leftOut() {
    return leftOut;
  }
}
