package dev.mainstay.core.simulation.check;

import static dev.mainstay.core.simulation.check.invariant.Invariant.*;

import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.QueueAction;
import dev.mainstay.core.queue.QueueAction.CancelRun;
import dev.mainstay.core.queue.QueueAction.StartRun;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Run;
import dev.mainstay.core.queue.Step;
import dev.mainstay.core.queue.rules.Engine;
import dev.mainstay.core.simulation.check.invariant.Invariant;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Bugs of runs on assumptions, and of results that are kept. */
enum GuessBug implements Planted {
  A_GUESS_OUTLIVES_WHOM_IT_HOLDS(RETESTS) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      Step step = Engine.on(event, before, now);
      return keepingGuesses(step, before, r -> holdsOneThatIsGone(r, step.after()));
    }
  },
  ONE_LEFT_OUT_MERGES_AND_THE_RUN_STAYS(RETESTS, MERGES_ONLY_TESTED, HARMLESS_TWICE) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      QueueState blind =
          event instanceof QueueEvent.LandingEnded
              ? Tampering.groups(before, GuessBug::leavingOutNobody)
              : before;
      return Engine.on(event, blind, now);
    }
  },
  THOSE_BEHIND_A_FAILURE_WAIT(GIVES_UP, LINE_FIRST) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      int depth = Math.max(1, before.settings().pendingFailureDepth());
      return with(event, before, now, s -> s.pendingFailureDepth(depth));
    }
  },
  THE_BUDGET_IS_DOUBLED(BUDGET) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      return with(event, before, now, s -> s.speculationBudget(twice(before.settings())));
    }
  },
  GUESSES_TAKE_NO_SLOT(SLOTS) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      boolean guesses = before.settings().speculates();
      int more = before.settings().concurrency() + (guesses ? 1 : 0);
      return with(event, before, now, s -> s.concurrency(more));
    }
  },
  WHAT_IT_LEAVES_OUT_IS_NOT_SAID(STANDS_ON_ALL_AHEAD) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      Step step = Engine.on(event, before, now);
      List<QueueAction> silent = step.actions().stream().map(GuessBug::silent).toList();
      return new Step(step.after(), step.changed(), step.ended(), silent, step.transitions());
    }
  },
  GUESSES_ARE_NOT_CANCELLED(NOTHING_LEFT_BEHIND, RUNS_AS_ASKED) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      Set<Object> guesses =
          before.line().stream()
              .flatMap(g -> g.guesses().stream())
              .map(Run::id)
              .collect(Collectors.toSet());
      return Tampering.actions(
          Engine.on(event, before, now),
          a -> !(a instanceof CancelRun cancel && guesses.contains(cancel.run())));
    }
  },
  TESTS_ARE_TAKEN_TO_BE_HERMETIC(STANDS_ON_ALL_AHEAD, RETESTS) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      return with(event, before, now, s -> s.hermeticTests(true));
    }
  },
  A_PASS_PROVES_WHAT_ITS_BRANCH_DOES_NOT_HOLD(MERGES_ONLY_TESTED, IN_ORDER, STANDS_ON_ALL_AHEAD) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      boolean partly = before.settings().takesOnlyWhatItMeets();
      return with(event, before, now, s -> partly ? s.canOptimisticallyMerge(true) : s);
    }
  },
  A_GUESS_NEVER_TAKES_TOO_LONG(TIMEOUTS, SLOTS, BUDGET, JUST_VERDICTS) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      Step step = Engine.on(event, before, now);
      return Tampering.after(step, Tampering.groups(step.after(), g -> stillGuessing(g, before)));
    }
  };

  @SuppressWarnings("ImmutableEnumChecker")
  private final Set<Invariant> catchers;

  GuessBug(Invariant... catchers) {
    this.catchers = Set.of(catchers);
  }

  @Override
  public Set<Invariant> catchers() {
    return catchers;
  }

  private interface Kept {
    boolean is(Run guess);
  }

  /** Other settings, which nobody sees. */
  private static Step with(
      QueueEvent event, QueueState before, Instant now, UnaryOperator<QueueSettings.Builder> edit) {
    if (event instanceof QueueEvent.SettingsChanged) {
      return Engine.on(event, before, now);
    }
    QueueSettings other = edit.apply(before.settings().edit()).build();
    Step step = Engine.on(event, Tampering.settings(before, other), now);
    QueueSettings shown = before.settings().edit().mode(step.after().settings().mode()).build();
    return Tampering.after(step, Tampering.settings(step.after(), shown));
  }

  private static int twice(QueueSettings settings) {
    return Math.min(10, 2 * settings.speculationBudget());
  }

  private static Step keepingGuesses(Step step, QueueState before, Kept kept) {
    var back = new HashSet<Object>();
    QueueState after =
        Tampering.groups(
            step.after(),
            g -> {
              Optional<Group> was =
                  before.line().stream().filter(b -> b.id().equals(g.id())).findFirst();
              List<Run> lost =
                  was.stream()
                      .filter(b -> b.members().equals(g.members()) && g.run().isPresent())
                      .flatMap(b -> b.guesses().stream())
                      .filter(r -> g.run(r.id()).isEmpty() && kept.is(r))
                      .toList();
              lost.forEach(r -> back.add(r.id()));
              return lost.isEmpty()
                  ? g
                  : g.with(Stream.concat(g.guesses().stream(), lost.stream()));
            });
    return Tampering.actions(
        Tampering.after(step, after),
        a -> !(a instanceof CancelRun cancel && back.contains(cancel.run())));
  }

  private static boolean holdsOneThatIsGone(Run run, QueueState after) {
    return run.lands().stream().anyMatch(c -> after.entry(c.pr()).isEmpty());
  }

  private static Group leavingOutNobody(Group group) {
    Group blind = group;
    for (Run run : group.runs()) {
      blind = blind.with(run.without(run.leaves()));
    }
    return blind;
  }

  private static QueueAction silent(QueueAction action) {
    return action instanceof StartRun a
        ? new StartRun(
            a.run(), a.kind(), a.base(), a.standsOn(), a.tested(), a.requiredStatuses(), List.of())
        : action;
  }

  private static Group stillGuessing(Group group, QueueState before) {
    Group still = group;
    for (Run guess : group.guesses()) {
      Optional<Run> was = before.groupOf(guess.id()).flatMap(g -> g.run(guess.id()));
      if (guess.failed() && was.filter(Run::isInProgress).isPresent()) {
        still = still.with(was.get());
      }
    }
    return still;
  }
}
