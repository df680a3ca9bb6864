package dev.mainstay.core.simulation.check.invariant;

import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.GroupId;
import dev.mainstay.core.queue.LandingId;
import dev.mainstay.core.queue.LandingInFlight;
import dev.mainstay.core.queue.QueueAction.Land;
import dev.mainstay.core.queue.QueueEvent.Landed;
import dev.mainstay.core.queue.QueueEvent.LandingEnded;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Run;
import dev.mainstay.core.simulation.check.play.BenchRun;
import dev.mainstay.core.simulation.check.play.FakeForge;
import dev.mainstay.core.simulation.check.play.Patch;
import dev.mainstay.core.simulation.check.play.TestBench;
import dev.mainstay.core.simulation.check.play.TraceWords;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Whoever merges before one it stands on has passed with it and without it. That one was still
 * under test, is proven then, and is not overtaken again unless it was tested anew.
 */
final class OvertakingChecks {
  private final FakeForge forge;
  private final TestBench bench;
  private final Map<LandingId, Overtaken> underWay = new HashMap<>();
  private final Map<List<Change>, LandingId> last = new HashMap<>();

  /** This one was overtaken by those. */
  private record Overtaken(Group slow, List<Change> quick) {
    /** One that left and came back meanwhile is another group. */
    boolean isSlow(Group group) {
      return group.id().equals(slow.id()) && group.members().equals(slow.members());
    }
  }

  OvertakingChecks(FakeForge forge, TestBench bench) {
    this.forge = forge;
    this.bench = bench;
  }

  void after(Observation o) {
    if (o.event() instanceof LandingEnded ended) {
      o.before()
          .landing()
          .filter(l -> l.id().equals(ended.landing()))
          .ifPresent(l -> ended(l, ended, o));
    }
    o.actions(Land.class).filter(l -> !underWay.containsKey(l.landing())).forEach(l -> asked(l, o));
  }

  private void asked(Land land, Observation o) {
    QueueState after = o.after();
    List<GroupId> landing = after.landing().map(LandingInFlight::groups).orElse(List.of());
    List<Group> overtaken =
        landing.stream()
            .flatMap(id -> Lineup.below(after, id).stream())
            .filter(g -> !landing.contains(g.id()))
            .toList();
    if (overtaken.isEmpty()) {
      return;
    }
    Group slow = overtaken.getFirst();
    String who = TraceWords.of(land) + " before " + TraceWords.prs(Lineup.changes(overtaken));
    if (overtaken.size() > 1 || slow.passed() || slow.failed()) {
      throw broken(who + ", which is not one that is under test");
    }
    if (bench.runs().stream().noneMatch(r -> provesBoth(r, land, slow, after))) {
      throw broken(who + ", but never passed with it");
    }
    Optional<LandingId> before = Optional.ofNullable(last.get(slow.members()));
    Optional<Long> run = slow.run().map(Run::id).map(id -> id.number());
    if (before.isPresent() && run.filter(n -> n < before.get().number()).isPresent()) {
      throw broken(who + ", which was overtaken before and not tested since");
    }
    underWay.put(land.landing(), new Overtaken(slow, land.changes()));
  }

  /** It passed with both, and what it did not hold of what is there now meets neither. */
  private boolean provesBoth(BenchRun run, Land land, Group slow, QueueState after) {
    var both = Stream.concat(land.changes().stream(), slow.members().stream()).toList();
    Set<Patch> wanted = new HashSet<>(forge.tree(land.onto()).patches());
    both.forEach(c -> wanted.add(Patch.of(c)));
    Set<Patch> tested = new HashSet<>(forge.tree(run.asked.base()).patches());
    run.patches().forEach(tested::add);
    return run.proved()
        && wanted.containsAll(tested)
        && wanted.stream()
            .filter(p -> !tested.contains(p))
            .noneMatch(p -> both.stream().anyMatch(c -> meets(p, c, after)));
  }

  private boolean meets(Patch patch, Change change, QueueState state) {
    return Patch.of(change).equals(patch)
        || forge.targets(patch).meets(Lineup.targets(change, state));
  }

  /** Where nothing else happened to it meanwhile, the one that was overtaken is proven. */
  private void ended(LandingInFlight landing, LandingEnded ended, Observation o) {
    Overtaken overtaken = underWay.remove(landing.id());
    if (overtaken == null || !isWhole(ended, overtaken.quick())) {
      return;
    }
    last.put(overtaken.slow().members(), landing.id());
    Optional<Group> still = o.after().line().stream().filter(overtaken::isSlow).findFirst();
    boolean alone =
        landing.heldMoves().isEmpty()
            && overtaken.quick().stream().allMatch(c -> keptItsTargets(c, o.before()));
    if (alone && still.filter(g -> !g.passed()).isPresent()) {
      throw broken(
          TraceWords.prs(overtaken.slow().members())
              + " was overtaken, and is tested though it is proven");
    }
  }

  private static boolean isWhole(LandingEnded ended, List<Change> quick) {
    return ended.problem().isEmpty()
        && ended.landed().stream()
            .map(Landed::pr)
            .toList()
            .containsAll(quick.stream().map(Change::pr).toList());
  }

  private static boolean keptItsTargets(Change change, QueueState before) {
    Optional<Entry> entry = before.entry(change.pr());
    return entry
        .filter(e -> e.knownTargets().equals(e.admission().map(a -> a.targets())))
        .isPresent();
  }

  private static InvariantBroken broken(String sentence) {
    return new InvariantBroken(Invariant.OVERTAKING, sentence);
  }
}
