package dev.mainstay.core.simulation.check;

import static dev.mainstay.core.simulation.check.invariant.Invariant.*;

import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueEvent.LandingEnded;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Run;
import dev.mainstay.core.queue.Run.Outcome;
import dev.mainstay.core.queue.Step;
import dev.mainstay.core.queue.rules.Engine;
import dev.mainstay.core.simulation.check.invariant.Invariant;
import java.time.Instant;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Bugs of merging before one that is still under test. */
enum OvertakingBug implements Planted {
  NEED_NOT_PASS_TOGETHER(OVERTAKING, PLANNED_TO_THE_END) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      return rashly(event, before, now, r -> r.leaves().isEmpty());
    }
  },
  NEED_NOT_PASS_ALONE(MERGES_ONLY_TESTED, PLANNED_TO_THE_END) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      return rashly(event, before, now, r -> !r.leaves().isEmpty());
    }
  },
  THE_OVERTAKEN_GO_ON_AS_BEFORE(OVERTAKING, RETESTS, MERGES_ONLY_TESTED) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      return ending(event, before, now, Tampering::standingOnNothing);
    }
  },
  THE_OVERTAKEN_BEGIN_ANEW(OVERTAKING) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      return ending(event, before, now, g -> g.with(Stream.<Run>empty()));
    }
  };

  @SuppressWarnings("ImmutableEnumChecker")
  private final Set<Invariant> catchers;

  OvertakingBug(Invariant... catchers) {
    this.catchers = Set.of(catchers);
  }

  @Override
  public Set<Invariant> catchers() {
    return catchers;
  }

  /** Such runs need only be built to let somebody overtake; for all else they must pass. */
  private static Step rashly(
      QueueEvent event, QueueState before, Instant now, Predicate<Run> needOnlyBeBuilt) {
    Step step = Engine.on(event, Tampering.groups(before, g -> ended(g, needOnlyBeBuilt)), now);
    boolean overtakes =
        before.landing().isEmpty()
            && !before.settings().canOptimisticallyMerge()
            && step.after().line().stream()
                .anyMatch(g -> step.after().isLanding(g.id()) && !g.standsOn().isEmpty());
    return overtakes ? step : Engine.on(event, before, now);
  }

  /** As if these of its runs had passed. */
  private static Group ended(Group group, Predicate<Run> which) {
    Group ended = group;
    for (Run run :
        group.runs().stream().filter(r -> r.isInProgress() && r.commit().isPresent()).toList()) {
      boolean stands = !group.standsOn().isEmpty() && which.test(run);
      ended = stands ? ended.with(passed(run)) : ended;
    }
    return ended;
  }

  private static Run passed(Run r) {
    return new Run(
        r.id(),
        r.kind(),
        r.base(),
        r.requiredStatuses(),
        r.checks(),
        r.heard(),
        r.exact(),
        new Outcome.Succeeded(),
        r.requestedAt(),
        r.builtAt(),
        r.commit(),
        r.bringNothing(),
        r.lands(),
        r.leaves(),
        r.results(),
        r.heldAtStart());
  }

  /** When a merge is answered, whoever is being merged is another one. */
  private static Step ending(
      QueueEvent event, QueueState before, Instant now, UnaryOperator<Group> change) {
    QueueState other =
        event instanceof LandingEnded
            ? Tampering.groups(before, g -> before.isLanding(g.id()) ? change.apply(g) : g)
            : before;
    return Engine.on(event, other, now);
  }
}
