package dev.mainstay.core.simulation;

import dev.mainstay.core.simulation.world.SimulatedChange;
import dev.mainstay.core.simulation.world.World;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;

/** The stage on which a policy acts: the clock, the CI slots, main, and the end of a change. */
public final class Stage {
  private final World world;
  private final Farm farm;
  private final Mainline main;
  private final PriorityQueue<Due> due = new PriorityQueue<>(Due.ORDER);
  private final BitSet decided = new BitSet();
  private final List<Decision> decisions = new ArrayList<>();
  private final Set<Build> useful = Collections.newSetFromMap(new IdentityHashMap<>());
  private final int[] attempts;
  private long now;
  private long booked;

  Stage(World world, int slots, long repairMillis) {
    this.world = world;
    this.farm = new Farm(slots);
    this.main = new Mainline(world, repairMillis);
    this.attempts = new int[world.changes().size()];
  }

  /** Virtual milliseconds since the world began. */
  public long now() {
    return now;
  }

  public World world() {
    return world;
  }

  public int freeSlots() {
    return farm.free();
  }

  public boolean isDecided(int change) {
    return decided.get(change);
  }

  public boolean hasLanded(int change) {
    return main.landed().get(change);
  }

  /** Builds these changes on main and what is assumed; waits for a slot where none is free. */
  public Build build(List<Integer> own, List<Integer> assumed) {
    var together = new BitSet();
    own.forEach(together::set);
    assumed.forEach(together::set);
    return ask(own, assumed, world.passes(together, main.landed()));
  }

  /** Builds a change on the base its author had: it fails only when it is broken by itself. */
  public Build buildOnOldBase(int change) {
    return ask(List.of(change), List.of(), !world.change(change).broken());
  }

  private Build ask(List<Integer> own, List<Integer> assumed, boolean sound) {
    long duration = 0;
    for (int change : own) {
      duration = Math.max(duration, world.change(change).buildTime());
    }
    int first = own.getFirst();
    boolean flaked = sound && world.flakes(first, attempts[first]++);
    var build = new Build(own, assumed, duration, sound && !flaked, flaked);
    farm.ask(build);
    startWhatFits();
    return build;
  }

  public void abort(Build build) {
    farm.abort(build, now);
    startWhatFits();
  }

  /** Lands the change, which the given build proved. */
  public void land(int change, Build proof) {
    end(change, proof, true, false);
    main.land(change, now);
  }

  /** Rejects the change, which the given build failed. */
  public void reject(int change, Build proof) {
    end(change, proof, false, main.wouldStayGreen(change));
  }

  private void end(int change, Build proof, boolean landed, boolean falseEjection) {
    if (decided.get(change)) {
      throw new IllegalStateException("change " + change + " has already ended");
    }
    decided.set(change);
    useful.add(proof);
    long arrival = world.change(change).arrival();
    decisions.add(new Decision(change, arrival, now, landed, falseEjection));
  }

  public void wakeAt(long moment) {
    book(Math.max(moment, now), new Occasion.Alarm());
  }

  void bookArrival(SimulatedChange change) {
    book(change.arrival(), new Occasion.Arrived(change));
  }

  private void startWhatFits() {
    farm.startWhatFits(now, build -> book(now + build.duration(), new Occasion.Finished(build)));
  }

  private void book(long at, Occasion occasion) {
    due.add(new Due(at, booked++, occasion));
  }

  /** Nothing is left to decide, or nothing is left to happen. */
  boolean isOver() {
    return decisions.size() == world.changes().size() || due.isEmpty();
  }

  /** Takes the next thing to happen and sets the clock to it. */
  Occasion advance() {
    Due next = due.remove();
    now = next.at;
    return next.occasion;
  }

  /** Frees the slot, before the policy hears of it; false where the build was aborted. */
  boolean finish(Build build) {
    if (!build.isRunning()) {
      return false;
    }
    farm.finish(build, now);
    return true;
  }

  /** Builds that waited in the farm get the slots the policy left free. */
  void settle() {
    startWhatFits();
  }

  PolicyOutcome outcome(long events) {
    if (decisions.size() != world.changes().size()) {
      throw new IllegalStateException(
          "%d of %d changes never ended"
              .formatted(world.changes().size() - decisions.size(), world.changes().size()));
    }
    long begin = world.changes().isEmpty() ? 0 : world.changes().getFirst().arrival();
    long end = decisions.isEmpty() ? 0 : decisions.getLast().at();
    return new PolicyOutcome(
        decisions,
        farm.started(),
        useful.size(),
        farm.busyMillis(),
        end - begin,
        main.redMillis(end),
        events);
  }

  private record Due(long at, long sequence, Occasion occasion) {
    static final Comparator<Due> ORDER =
        Comparator.comparingLong(Due::at)
            .thenComparingInt(due -> due.occasion.rank())
            .thenComparingLong(Due::sequence);
  }
}
