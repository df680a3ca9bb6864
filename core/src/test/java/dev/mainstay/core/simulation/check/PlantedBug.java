package dev.mainstay.core.simulation.check;

import static dev.mainstay.core.simulation.check.invariant.Invariant.*;

import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.HeadTargets;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.Looked;
import dev.mainstay.core.queue.Priority;
import dev.mainstay.core.queue.PullRequestSnapshot;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueAction;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.queue.QueueSettings.DirectMergeMode;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Reason;
import dev.mainstay.core.queue.Run;
import dev.mainstay.core.queue.RunId;
import dev.mainstay.core.queue.Step;
import dev.mainstay.core.queue.Transition;
import dev.mainstay.core.queue.rules.Engine;
import dev.mainstay.core.simulation.check.invariant.Invariant;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The engine with one rule gone wrong, each in its own way, and the invariants that may notice. It
 * is long because it is a list.
 */
enum PlantedBug implements Planted {
  ONE_SLOT_TOO_MANY(SLOTS) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      return inside(event, before, now, s -> s.edit().concurrency(s.concurrency() + 1).build());
    }
  },
  BISECTION_TAKES_ALL_SLOTS(SLOTS) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      return inside(
          event, before, now, s -> s.edit().bisectionConcurrency(Optional.of(100)).build());
    }
  },
  PAUSE_IS_IGNORED(NOT_WHILE_PAUSED, NOBODY_ENTERS) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      return ignoring(QueueLifecycle.PAUSED, event, before, now);
    }
  },
  DRAINING_IS_IGNORED(NOBODY_ENTERS, PLANNED_TO_THE_END) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      return ignoring(QueueLifecycle.DRAINING, event, before, now);
    }
  },
  PRIORITIES_ARE_UPSIDE_DOWN(Invariant.PRIORITIES) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      QueueEvent told =
          event instanceof QueueEvent.Submitted s
              ? new QueueEvent.Submitted(
                  s.pr(), upsideDown(s.priority()), s.noBatch(), s.snapshot(), s.targets())
              : event;
      UnaryOperator<Entry> turn = e -> Tampering.with(e, upsideDown(e.priority()));
      Step step = Engine.on(told, Tampering.entries(before, turn), now);
      return Tampering.after(step, Tampering.entries(step.after(), turn));
    }
  },
  NOBODY_STANDS_ON_ANYBODY(STANDS_ON_ALL_AHEAD) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      Step step = Engine.on(event, before, now);
      return new Step(
          step.after(),
          step.changed(),
          step.ended(),
          step.actions().stream().map(PlantedBug::onNothing).toList(),
          step.transitions());
    }
  },
  PARALLEL_IS_SINGLE(STANDS_ON_ALL_AHEAD, LANES_ARE_APART) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      return inside(event, before, now, s -> s.edit().mode(QueueSettings.Mode.SINGLE).build());
    }
  },
  ALL_MEETS_NOTHING(STANDS_ON_ALL_AHEAD, RETESTS, MERGES_ONLY_TESTED) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      QueueState blind =
          Tampering.entries(
              before,
              e -> e.targets().filter(t -> t.targets().all()).map(t -> narrow(e, t)).orElse(e));
      Step step = Engine.on(event, blind, now);
      return Tampering.after(
          step,
          Tampering.entries(
              step.after(),
              e -> e.targets().filter(PlantedBug::isNarrowed).map(t -> widen(e, t)).orElse(e)));
    }
  },
  ONE_STATUS_IS_NOT_AWAITED(MERGES_ONLY_TESTED) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      QueueState careless =
          Tampering.groups(before, g -> Tampering.with(g, g.run().map(PlantedBug::careless)));
      return Engine.on(event, careless, now);
    }
  },
  LANDS_OUT_OF_ORDER(IN_ORDER, OVERTAKING) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      boolean optimistic = before.settings().canOptimisticallyMerge();
      return optimistic
          ? Engine.on(event, before, now)
          : throughout(event, before, now, g -> g.passed() ? Tampering.standingOnNothing(g) : g);
    }
  },
  CONVICTS_BEFORE_OTHERS_ARE_DECIDED(PATIENCE, JUST_VERDICTS, RETESTS) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      return throughout(event, before, now, g -> g.failed() ? Tampering.standingOnNothing(g) : g);
    }
  },
  IS_IMPATIENT(PATIENCE) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      return inside(event, before, now, s -> s.edit().pendingFailureDepth(0).build());
    }
  },
  TESTS_NEVER_TIME_OUT(TIMEOUTS, EVERY_WAIT_ENDS) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      return inside(event, before, now, s -> s.edit().testingTimeoutMinutes(0).build());
    }
  },
  TESTS_TIME_OUT_TOO_EARLY(JUST_VERDICTS) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      return inside(event, before, now, s -> s.edit().testingTimeoutMinutes(20).build());
    }
  },
  BATCHES_WAIT_TOO_LONG(SLOTS_ARE_USED, Invariant.PRIORITIES) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      return inside(event, before, now, s -> s.edit().batchingMaxWaitTimeMinutes(1440).build());
    }
  },
  MERGES_OPTIMISTICALLY_UNASKED(MERGES_ONLY_TESTED) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      return inside(event, before, now, s -> s.edit().canOptimisticallyMerge(true).build());
    }
  },
  MERGES_DIRECTLY_WHAT_IS_OUT_OF_DATE(MERGES_ONLY_TESTED, PLANNED_TO_THE_END) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      if (before.settings().directMergeMode() == DirectMergeMode.OFF) {
        return Engine.on(event, before, now);
      }
      Step step = Engine.on(event, Tampering.entries(before, e -> upToDate(e, before)), now);
      return Tampering.after(
          step,
          Tampering.entries(
              step.after(),
              e ->
                  before
                      .entry(e.pr())
                      .flatMap(Entry::snapshot)
                      .filter(s -> e.head().equals(Optional.of(s.head())))
                      .map(s -> Tampering.with(e, s))
                      .orElse(e)));
    }
  },
  THOSE_BEHIND_A_CONFLICT_WEAR_IT(OWN_REASONS, JUST_VERDICTS) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      if (event instanceof QueueEvent.TestBranchConflicted c && !c.withTarget()) {
        Optional<Group> group = before.groupOf(c.run()).filter(g -> !g.standsOn().isEmpty());
        return Engine.on(
            group
                .<QueueEvent>map(
                    g ->
                        new QueueEvent.TestBranchConflicted(
                            c.run(), g.members().getLast().pr(), false))
                .orElse(event),
            before,
            now);
      }
      return Engine.on(event, before, now);
    }
  },
  THOSE_BEHIND_A_CONFLICT_WAIT(CONFLICTS_HOLD_NOBODY_UP, RETESTS) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      return Engine.on(event, Tampering.groups(before, g -> g.standing(false)), now);
    }
  },
  MERGED_BY_HAND_IS_NOT_NOTICED(ALREADY_THERE, EVERY_WAIT_ENDS) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      return Engine.on(
          event instanceof QueueEvent.TestBranchBuilt b
              ? new QueueEvent.TestBranchBuilt(b.run(), b.commit())
              : event,
          before,
          now);
    }
  },
  WHAT_STANDS_ON_OTHERS_IS_THERE_ALREADY(ALREADY_THERE, MAIN_IS_GREEN) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      return Engine.on(
          event instanceof QueueEvent.TestBranchBuilt b
              ? new QueueEvent.TestBranchBuilt(
                  b.run(),
                  b.commit(),
                  before.groupOf(b.run()).map(Group::pullRequests).orElse(List.of()))
              : event,
          before,
          now);
    }
  },
  OLD_RUNS_COUNT_FOR_NEW_ONES(MERGES_ONLY_TESTED, JUST_VERDICTS, HARMLESS_TWICE) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      if (event instanceof QueueEvent.StatusReported r && before.groupOf(r.run()).isEmpty()) {
        Optional<RunId> other = running(before.line()).findFirst();
        return Engine.on(
            other
                .<QueueEvent>map(run -> new QueueEvent.StatusReported(run, r.name(), r.state()))
                .orElse(event),
            before,
            now);
      }
      return Engine.on(event, before, now);
    }
  },
  OPTIONAL_STATUSES_COUNT(JUST_VERDICTS) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      if (event instanceof QueueEvent.StatusReported r && r.state() == CheckState.FAILURE) {
        String name =
            before
                .groupOf(r.run())
                .flatMap(Group::run)
                .map(Run::requiredStatuses)
                .filter(all -> !all.isEmpty())
                .map(List::getFirst)
                .orElse(r.name());
        return Engine.on(new QueueEvent.StatusReported(r.run(), name, r.state()), before, now);
      }
      return Engine.on(event, before, now);
    }
  },
  THE_WRONG_HALF_IS_CONVICTED(JUST_VERDICTS, MERGES_ONLY_TESTED) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      if (event instanceof QueueEvent.StatusReported r && r.state() == CheckState.FAILURE) {
        List<RunId> halves = running(before.side()).toList();
        if (halves.size() == 2 && halves.contains(r.run())) {
          RunId other = halves.get(1 - halves.indexOf(r.run()));
          var blamed = new QueueEvent.StatusReported(other, r.name(), CheckState.FAILURE);
          var cleared = new QueueEvent.StatusReported(r.run(), r.name(), CheckState.SUCCESS);
          Step first = Engine.on(blamed, before, now);
          return first.then(Engine.on(cleared, first.after(), now));
        }
      }
      return Engine.on(event, before, now);
    }
  },
  LANDS_TWICE(MERGES_ONCE) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      boolean forgets = event instanceof QueueEvent.TargetMoved;
      return Engine.on(event, forgets ? Tampering.landing(before, Optional.empty()) : before, now);
    }
  },
  A_PUSH_GOES_UNNOTICED(LEAVES_WHEN_TOLD) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      if (event instanceof QueueEvent.SnapshotTaken s) {
        Optional<Entry> entry = before.entry(s.pr()).filter(e -> e.admission().isPresent());
        PullRequestSnapshot told = s.snapshot();
        PullRequestSnapshot seen =
            new PullRequestSnapshot(
                entry.flatMap(Entry::head).orElse(told.head()),
                told.baseBranch(),
                told.status(),
                told.mergeability(),
                told.mergeBase(),
                told.passedStatuses(),
                told.asOf());
        return Engine.on(new QueueEvent.SnapshotTaken(s.pr(), seen), before, now);
      }
      return Engine.on(event, before, now);
    }
  },
  CANCELLING_DOES_NOTHING(LEAVES_WHEN_TOLD) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      return Engine.on(
          event instanceof QueueEvent.Cancelled ? new QueueEvent.TimePassed() : event, before, now);
    }
  },
  NOBODY_IS_RETESTED_WHEN_ONE_LEAVES(RETESTS, RUNS_AS_ASKED, TRANSITIONS) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      Step step = Engine.on(event, before, now);
      return event instanceof QueueEvent.Cancelled ? keepingRuns(step, before) : step;
    }
  },
  A_MOVED_TARGET_RETESTS_NOBODY(RETESTS, MERGES_ONLY_TESTED) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      return Engine.on(
          event instanceof QueueEvent.TargetMoved m
              ? new QueueEvent.TargetMoved(m.from(), m.to(), Optional.of(ImpactedTargets.NONE))
              : event,
          before,
          now);
    }
  },
  NEVER_WAKES_UP(EVERY_WAIT_ENDS) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      return Tampering.actions(
          Engine.on(event, before, now), a -> !(a instanceof QueueAction.WakeAt));
    }
  },
  NEVER_CLEANS_UP(NOTHING_LEFT_BEHIND) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      return Tampering.actions(
          Engine.on(event, before, now), a -> !(a instanceof QueueAction.CancelRun));
    }
  },
  A_RUN_IS_FORGOTTEN(RUNS_AS_ASKED, EVERY_WAIT_ENDS) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      return Tampering.actions(
          Engine.on(event, before, now),
          a -> !(a instanceof QueueAction.StartRun && event instanceof QueueEvent.Cancelled));
    }
  },
  A_RESTART_GOES_TO_THE_BACK(RESTARTS_IN_PLACE) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      Step step = Engine.on(event, before, now);
      if (!(event instanceof QueueEvent.RestartRequested r)) {
        return step;
      }
      var line = new ArrayList<>(step.after().line());
      List<Group> moved = line.stream().filter(g -> g.holds(r.pr())).toList();
      line.removeAll(moved);
      line.addAll(moved);
      return Tampering.after(step, Tampering.line(step.after(), line));
    }
  },
  A_MODE_SWITCH_LOSES_WHO_IS_NOT_READY(ENDS_ONCE) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      Step step = Engine.on(event, before, now);
      boolean switches = step.after().settings().mode() != before.settings().mode();
      return switches
          ? Tampering.after(
              step,
              Tampering.entries(
                  step.after(), e -> !e.is(PullRequestState.NOT_READY), UnaryOperator.identity()))
          : step;
    }
  },
  ENDS_ARE_TOLD_TWICE(NOTHING_AFTER_THE_END) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      Step step = Engine.on(event, before, now);
      var told = new ArrayList<>(step.transitions());
      told.addAll(step.transitions().stream().filter(t -> t.to().isEnd()).toList());
      return Tampering.transitions(step, told);
    }
  },
  GIVES_NO_REASON_FOR_A_FAILURE(REASONS) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      Step step = Engine.on(event, before, now);
      return Tampering.transitions(
          step, step.transitions().stream().map(PlantedBug::silent).toList());
    }
  },
  BATCHES_START_TOO_EARLY(BATCHES) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      return inside(event, before, now, s -> s.edit().batchingMaxWaitTimeMinutes(0).build());
    }
  },
  BATCHES_GROW_TOO_LARGE(BATCHES, SLOTS_ARE_USED) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      return inside(
          event, before, now, s -> s.edit().batchingMinSize(s.batchingMinSize() + 1).build());
    }
  },
  NO_BATCH_IS_IGNORED(BATCHES, SLOTS_ARE_USED, Invariant.PRIORITIES) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      QueueEvent told =
          event instanceof QueueEvent.Submitted s
              ? new QueueEvent.Submitted(s.pr(), s.priority(), false, s.snapshot(), s.targets())
              : event;
      Step step = Engine.on(told, Tampering.entries(before, e -> Tampering.with(e, false)), now);
      return Tampering.after(
          step,
          Tampering.entries(
              step.after(),
              e ->
                  Tampering.with(
                      e,
                      (event instanceof QueueEvent.Submitted s && s.pr().equals(e.pr()))
                          ? s.noBatch()
                          : before.entry(e.pr()).filter(Entry::noBatch).isPresent())));
    }
  },
  OPTIMISM_IS_FORGOTTEN(PATIENCE, TRANSITIONS, BUDGET, STANDS_ON_ALL_AHEAD) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      return inside(event, before, now, s -> s.edit().canOptimisticallyMerge(false).build());
    }
  },
  A_NEW_PRIORITY_IS_IGNORED(Invariant.PRIORITIES) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      return Engine.on(
          event instanceof QueueEvent.Submitted s && before.entry(s.pr()).isPresent()
              ? new QueueEvent.TimePassed()
              : event,
          before,
          now);
    }
  },
  URGENT_WAITS_LIKE_OTHERS(URGENT_AT_ONCE, BATCHES, SLOTS_ARE_USED) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      UnaryOperator<Entry> slow =
          e -> e.priority().isUrgent() ? Tampering.with(e, new Priority(1)) : e;
      UnaryOperator<Entry> fast =
          e -> e.priority().value() == 1 ? Tampering.with(e, Priority.URGENT) : e;
      QueueEvent told =
          event instanceof QueueEvent.Submitted s && s.priority().isUrgent()
              ? new QueueEvent.Submitted(
                  s.pr(), new Priority(1), s.noBatch(), s.snapshot(), s.targets())
              : event;
      Step step = Engine.on(told, Tampering.entries(before, slow), now);
      return Tampering.after(step, Tampering.entries(step.after(), fast));
    }
  },
  WHAT_DOES_NOT_MERGE_COMES_IN(NOBODY_ENTERS) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      QueueEvent told =
          event instanceof QueueEvent.SnapshotTaken s
              ? new QueueEvent.SnapshotTaken(
                  s.pr(), s.snapshot().with(PullRequestSnapshot.Mergeability.MERGEABLE))
              : event;
      Step step = Engine.on(told, before, now);
      return event instanceof QueueEvent.SnapshotTaken s
          ? Tampering.after(
              step,
              Tampering.entries(
                  step.after(), e -> e.pr().equals(s.pr()) ? Tampering.with(e, s.snapshot()) : e))
          : step;
    }
  },
  A_DRAFT_STAYS(LEAVES_WHEN_TOLD) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      if (event instanceof QueueEvent.SnapshotTaken s
          && s.snapshot().status() == PullRequestSnapshot.Status.DRAFT) {
        return new Step(
            Tampering.entries(
                before, e -> e.pr().equals(s.pr()) ? Tampering.with(e, s.snapshot()) : e),
            Map.of(),
            List.of(),
            List.of(),
            List.of());
      }
      return Engine.on(event, before, now);
    }
  },
  A_LANE_WAITS_FOR_THE_FIRST(LANES_ARE_APART) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      Step step = Engine.on(event, before, now);
      boolean other =
          before.landing().isEmpty()
              && step.after().landing().isPresent()
              && !step.after()
                  .landing()
                  .get()
                  .groups()
                  .contains(step.after().line().getFirst().id());
      return other
          ? Tampering.actions(
              Tampering.after(step, Tampering.landing(step.after(), Optional.empty())),
              a -> !(a instanceof QueueAction.Land))
          : step;
    }
  },
  WHO_WAS_SEEN_BEFORE_MATTERS(SAME_AGAIN) {
    @Override
    public Step on(QueueEvent event, QueueState before, Instant now) {
      Step step = Engine.on(event, before, now);
      List<Entry> unseen =
          before
              .looked()
              .unseenBy(Looked.Rule.LETTING_IN, Tampering.conditions(before), before.entries());
      return unseen.size() == before.entries().size()
          ? step
          : new Step(step.after(), Map.of(), List.of(), step.actions(), step.transitions());
    }
  };

  @SuppressWarnings("ImmutableEnumChecker")
  private final Set<Invariant> catchers;

  PlantedBug(Invariant... catchers) {
    this.catchers = Set.of(catchers);
  }

  @Override
  public Set<Invariant> catchers() {
    return catchers;
  }

  /** The engine under other settings than the users gave it. */
  private static Step inside(
      QueueEvent event, QueueState before, Instant now, UnaryOperator<QueueSettings> change) {
    QueueEvent told =
        event instanceof QueueEvent.SettingsChanged s
            ? new QueueEvent.SettingsChanged(change.apply(s.settings()))
            : event;
    Step step = Engine.on(told, Tampering.settings(before, change.apply(before.settings())), now);
    QueueSettings real =
        event instanceof QueueEvent.SettingsChanged s ? s.settings() : before.settings();
    boolean sameMode = step.after().settings().mode() == change.apply(before.settings()).mode();
    QueueSettings shown =
        real.edit()
            .mode(sameMode ? before.settings().mode() : step.after().settings().mode())
            .build();
    return Tampering.after(step, Tampering.settings(step.after(), shown));
  }

  /** The engine with a line that is tampered with before and after each of its steps. */
  private static Step throughout(
      QueueEvent event, QueueState before, Instant now, UnaryOperator<Group> change) {
    Step first = Engine.on(event, Tampering.groups(before, change), now);
    QueueState between = Tampering.groups(first.after(), change);
    return first.then(Engine.on(new QueueEvent.TimePassed(), between, now));
  }

  private static Step ignoring(
      QueueLifecycle ignored, QueueEvent event, QueueState before, Instant now) {
    if (before.lifecycle() != ignored || event instanceof QueueEvent.LifecycleRequested) {
      return Engine.on(event, before, now);
    }
    Step step = Engine.on(event, Tampering.lifecycle(before, QueueLifecycle.RUNNING), now);
    return step.after().lifecycle() == QueueLifecycle.RUNNING
        ? Tampering.after(step, Tampering.lifecycle(step.after(), ignored))
        : step;
  }

  private static Priority upsideDown(Priority priority) {
    return priority.isUrgent() ? priority : new Priority(256 - priority.value());
  }

  private static QueueAction onNothing(QueueAction action) {
    return action instanceof QueueAction.StartRun a
        ? new QueueAction.StartRun(
            a.run(), a.kind(), a.base(), List.of(), a.tested(), a.requiredStatuses(), List.of())
        : action;
  }

  private static Entry narrow(Entry entry, HeadTargets all) {
    return Tampering.with(
        entry, new HeadTargets(all.head(), ImpactedTargets.of("only " + entry.pr())));
  }

  private static boolean isNarrowed(HeadTargets targets) {
    return targets.targets().names().stream().anyMatch(n -> n.startsWith("only "));
  }

  private static Entry widen(Entry entry, HeadTargets narrowed) {
    return Tampering.with(entry, new HeadTargets(narrowed.head(), ImpactedTargets.ALL));
  }

  private static Run careless(Run run) {
    List<String> all = run.requiredStatuses();
    return all.size() < 2 ? run : Tampering.requiring(run, all.subList(0, 1));
  }

  private static Entry upToDate(Entry entry, QueueState state) {
    return entry
        .snapshot()
        .map(
            s ->
                Tampering.with(
                    entry,
                    new PullRequestSnapshot(
                        s.head(),
                        s.baseBranch(),
                        s.status(),
                        s.mergeability(),
                        state.target().head(),
                        s.passedStatuses(),
                        s.asOf())))
        .orElse(entry);
  }

  private static Stream<RunId> running(List<Group> groups) {
    return groups.stream().filter(Group::isTesting).flatMap(g -> g.run().stream()).map(Run::id);
  }

  private static Step keepingRuns(Step step, QueueState before) {
    Set<RunId> kept = new HashSet<>();
    Set<RunId> undone = new HashSet<>();
    QueueState after =
        Tampering.groups(
            step.after(),
            g -> {
              Optional<Run> old =
                  before.line().stream()
                      .filter(b -> b.id().equals(g.id()))
                      .findFirst()
                      .flatMap(Group::run);
              if (old.isEmpty() || old.get().failed() || old.equals(g.run())) {
                return g;
              }
              kept.add(old.get().id());
              g.run().ifPresent(r -> undone.add(r.id()));
              return Tampering.with(g, old);
            });
    return Tampering.actions(
        Tampering.after(step, after),
        a ->
            !(a instanceof QueueAction.CancelRun c && kept.contains(c.run()))
                && !(a instanceof QueueAction.StartRun s && undone.contains(s.run())));
  }

  private static Transition silent(Transition t) {
    return t.to() == PullRequestState.FAILED
        ? new Transition(
            t.entry(), t.pr(), t.from(), t.to(), new Reason(t.reason().code(), ""), t.at())
        : t;
  }
}
