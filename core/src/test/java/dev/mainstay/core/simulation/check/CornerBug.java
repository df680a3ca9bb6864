package dev.mainstay.core.simulation.check;

import static dev.mainstay.core.simulation.check.invariant.Invariant.*;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.LandingInFlight;
import dev.mainstay.core.queue.Priority;
import dev.mainstay.core.queue.PullRequestSnapshot;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueAction.StartRun;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.ReasonCode;
import dev.mainstay.core.queue.Run;
import dev.mainstay.core.queue.Step;
import dev.mainstay.core.queue.Transition;
import dev.mainstay.core.queue.rules.Engine;
import dev.mainstay.core.simulation.check.invariant.Invariant;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Bugs that show only where two rare things meet: the world has to go there. */
enum CornerBug implements Planted {
  PRIORITIES_COUNT_IN_TENS(Invariant.PRIORITIES) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      QueueEvent told =
          event instanceof QueueEvent.Submitted s
              ? new QueueEvent.Submitted(
                  s.pr(), inTens(s.priority()), s.noBatch(), s.snapshot(), s.targets())
              : event;
      QueueState coarse = Tampering.entries(before, e -> Tampering.with(e, inTens(e.priority())));
      Step step = Engine.on(told, coarse, now);
      UnaryOperator<Entry> shown = e -> Tampering.with(e, asked(e, event, before));
      return Tampering.after(step, Tampering.entries(step.after(), shown));
    }
  },
  DRAINED_ALTHOUGH_IT_BISECTS(MODES) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      Step step = Engine.on(event, before, now);
      QueueState after = step.after();
      boolean onlyBisects =
          after.entries().values().stream()
              .filter(e -> !e.is(PullRequestState.NOT_READY))
              .allMatch(e -> isInBisection(e.pr(), after));
      return after.switchingTo().isPresent() && onlyBisects
          ? step.then(Engine.on(new QueueEvent.TimePassed(), Tampering.switched(after), now))
          : step;
    }
  },
  HALF_A_LANDING_RETESTS_NOBODY(RETESTS, IN_ORDER) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      return Engine.on(
          event,
          event instanceof QueueEvent.LandingEnded e && isHalf(e, before)
              ? Tampering.landing(before, before.landing().map(l -> onlyWhole(l, e, before)))
              : before,
          now);
    }
  },
  A_CANCEL_IS_NOT_TAKEN_BACK(STAYS_WHEN_TOLD) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      Step step = Engine.on(event, before, now);
      return event instanceof QueueEvent.Submitted s
          ? Tampering.after(
              step,
              Tampering.entries(
                  step.after(), e -> e.pr().equals(s.pr()) ? leavingAsBefore(e, before) : e))
          : step;
    }
  },
  NOTHING_IS_EXACT_AFTER_A_LANDING(AS_TESTED) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      Step step = Engine.on(event, before, now);
      return event instanceof QueueEvent.LandingEnded e && !e.landed().isEmpty()
          ? Tampering.after(step, Tampering.groups(step.after(), g -> inexact(g, before)))
          : step;
    }
  },
  A_GAP_IS_NOT_NOTICED(RETESTS, MERGES_ONLY_TESTED) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      return Engine.on(
          event instanceof QueueEvent.TargetMoved m
                  && before.landing().isEmpty()
                  && before.target().isNews(m)
              ? new QueueEvent.TargetMoved(before.target().head(), m.to(), m.touched())
              : event,
          before,
          now);
    }
  },
  A_PAUSED_QUEUE_BISECTS(NOT_WHILE_PAUSED) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      Step step = Engine.on(event, before, now);
      QueueState after = step.after();
      if (after.lifecycle() != QueueLifecycle.PAUSED
          || after.side().stream().noneMatch(Group::needsRun)) {
        return step;
      }
      Step bisecting = Engine.on(new QueueEvent.TimePassed(), sideOnly(after), now);
      boolean onlyStarts =
          bisecting.transitions().stream().allMatch(t -> t.to() == PullRequestState.TESTING);
      return onlyStarts && bisecting.actions().stream().anyMatch(StartRun.class::isInstance)
          ? step.then(
              Tampering.after(
                  bisecting, Tampering.side(after, bisecting.after().side(), bisecting.changed())))
          : step;
    }
  },
  A_RESTART_OF_WHO_FAILED_IS_LOST(RESTARTS_IN_PLACE) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      boolean lost =
          event instanceof QueueEvent.RestartRequested r
              && before
                  .entry(r.pr())
                  .filter(e -> e.is(PullRequestState.PENDING_FAILURE))
                  .isPresent();
      return Engine.on(lost ? new QueueEvent.TimePassed() : event, before, now);
    }
  },
  NEWCOMERS_ARE_WAITED_FOR_LESS_DEEP(PATIENCE) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      Step step = Engine.on(event, before, now);
      int depth = before.settings().pendingFailureDepth();
      if (depth == 0 || event instanceof QueueEvent.SettingsChanged) {
        return step;
      }
      Step lessDeep = Engine.on(event, waitingFor(before, depth - 1), now);
      Set<PullRequestRef> guilty = guilty(lessDeep);
      boolean sooner = !guilty(step).containsAll(guilty);
      return sooner && guilty(Engine.on(event, withoutNewcomers(before), now)).containsAll(guilty)
          ? Tampering.after(lessDeep, waitingFor(lessDeep.after(), depth))
          : step;
    }
  },
  AN_OLDER_SNAPSHOT_WINS(LATEST_WORD) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      if (!(event instanceof QueueEvent.SnapshotTaken s)) {
        return Engine.on(event, before, now);
      }
      UnaryOperator<Entry> asIfOld =
          e -> e.pr().equals(s.pr()) ? asIfSeenBefore(e, s.snapshot()) : e;
      return Engine.on(event, Tampering.entries(before, asIfOld), now);
    }
  };

  @SuppressWarnings("ImmutableEnumChecker")
  private final Set<Invariant> catchers;

  CornerBug(Invariant... catchers) {
    this.catchers = Set.of(catchers);
  }

  @Override
  public Set<Invariant> catchers() {
    return catchers;
  }

  private static Priority inTens(Priority priority) {
    return priority.value() < 10 ? priority : new Priority(priority.value() / 10 * 10);
  }

  private static Priority asked(Entry entry, QueueEvent event, QueueState before) {
    return event instanceof QueueEvent.Submitted s && s.pr().equals(entry.pr())
        ? s.priority()
        : before.member(entry.pr()).priority();
  }

  private static boolean isInBisection(PullRequestRef pr, QueueState state) {
    return state.side().stream().anyMatch(g -> g.holds(pr));
  }

  private static boolean isHalf(QueueEvent.LandingEnded e, QueueState before) {
    return !e.landed().isEmpty()
        && e.problem().isPresent()
        && before.landing().filter(l -> l.id().equals(e.landing())).isPresent();
  }

  /** A landing of those groups only that have landed as a whole. */
  private static LandingInFlight onlyWhole(
      LandingInFlight landing, QueueEvent.LandingEnded ended, QueueState before) {
    Set<PullRequestRef> landed =
        ended.landed().stream().map(QueueEvent.Landed::pr).collect(Collectors.toSet());
    var whole =
        before.line().stream()
            .filter(g -> landing.groups().contains(g.id()))
            .filter(g -> landed.containsAll(g.pullRequests()))
            .map(Group::id)
            .toList();
    return new LandingInFlight(
        landing.id(), whole, landing.onto(), landing.requestedAt(), landing.heldMoves());
  }

  private static Entry leavingAsBefore(Entry entry, QueueState before) {
    return before.entry(entry.pr()).filter(e -> e.leaving().isPresent()).isPresent()
        ? entry.leaving(before.member(entry.pr()).leaving())
        : entry;
  }

  private static Group inexact(Group group, QueueState before) {
    Optional<Run> run = group.run().filter(r -> before.groupOf(r.id()).isPresent());
    return run.map(r -> Tampering.with(group, Optional.of(r.inexact()))).orElse(group);
  }

  /** The side queue as if it were all there is, in a queue that is not paused. */
  private static QueueState sideOnly(QueueState state) {
    QueueState few =
        Tampering.entries(state, e -> isInBisection(e.pr(), state), UnaryOperator.identity());
    QueueState alone = Tampering.landing(Tampering.line(few, List.of()), Optional.empty());
    return Tampering.lifecycle(alone, QueueLifecycle.DRAINING);
  }

  private static QueueState waitingFor(QueueState state, int depth) {
    return Tampering.settings(state, state.settings().edit().pendingFailureDepth(depth).build());
  }

  private static QueueState withoutNewcomers(QueueState state) {
    var newcomers = new HashSet<>(state.waiting());
    return Tampering.entries(state, e -> !newcomers.contains(e), UnaryOperator.identity());
  }

  private static Set<PullRequestRef> guilty(Step step) {
    return step.transitions().stream()
        .filter(t -> t.to() == PullRequestState.FAILED || t.reason().code() == ReasonCode.BISECTING)
        .map(Transition::pr)
        .collect(Collectors.toSet());
  }

  private static Entry asIfSeenBefore(Entry entry, PullRequestSnapshot shown) {
    return entry
        .snapshot()
        .filter(s -> s.asOf().isAfter(shown.asOf()))
        .map(s -> Tampering.with(entry, Tampering.asOf(s, shown.asOf())))
        .orElse(entry);
  }
}
