package dev.mainstay.core.queue.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.GroupId;
import dev.mainstay.core.queue.Half;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueAction;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.QueueSettings.Mode;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.RunId;
import dev.mainstay.core.queue.RunKind;
import dev.mainstay.core.queue.Step;
import dev.mainstay.core.queue.Transition;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The invariants of a queue after every event, whatever happened. */
final class Invariants {
  private Invariants() {}

  static void hold(Step step) {
    QueueState state = step.after();
    slotsAreKept(step);
    everyMemberIsOpenAndInOneGroup(state);
    nobodyStandsOnWhatIsNotAheadOfIt(state);
    statesTellTheTruth(state);
    for (QueueAction action : step.actions()) {
      if (action instanceof QueueAction.Land land) {
        onlyWhatIsProvenMerges(state, land);
      }
    }
  }

  private static void slotsAreKept(Step step) {
    List<QueueAction.StartRun> started =
        step.actions().stream()
            .filter(QueueAction.StartRun.class::isInstance)
            .map(QueueAction.StartRun.class::cast)
            .toList();
    QueueState state = step.after();
    if (started.stream().anyMatch(r -> r.kind() == RunKind.MAIN)) {
      assertThat(state.line().stream().filter(Group::isTesting).count())
          .isLessThanOrEqualTo(state.settings().concurrency());
    }
    if (started.stream().anyMatch(r -> r.kind() != RunKind.MAIN)) {
      assertThat(state.side().stream().filter(Group::isTesting).count())
          .isLessThanOrEqualTo(state.settings().bisectionSlots());
    }
    if (started.stream().anyMatch(r -> r.kind() != RunKind.TARGET)) {
      assertThat(state.lifecycle()).isNotEqualTo(QueueLifecycle.PAUSED);
    }
  }

  private static void everyMemberIsOpenAndInOneGroup(QueueState state) {
    Set<PullRequestRef> seen = new HashSet<>();
    Stream.concat(state.line().stream(), state.side().stream())
        .forEach(
            group -> {
              assertThat(group.members().isEmpty())
                  .isEqualTo(state.doubt().suspicion().isPresent() && group.testsTarget());
              for (Change member : group.members()) {
                assertThat(seen.add(member.pr())).isTrue();
                Entry entry = state.member(member.pr());
                assertThat(entry.admittedHead()).contains(member.head());
                assertThat(entry.state()).isNotEqualTo(PullRequestState.NOT_READY);
              }
            });
    for (Entry entry : state.entries().values()) {
      assertThat(entry.state().isEnd()).isFalse();
      assertThat(entry.admission().isPresent()).isEqualTo(!entry.is(PullRequestState.NOT_READY));
      assertThat(seen.contains(entry.pr()) || entry.admission().isEmpty() || waits(entry))
          .as("%s is lost as %s", entry.pr(), entry.state())
          .isTrue();
    }
  }

  private static boolean waits(Entry entry) {
    return entry.is(PullRequestState.PENDING);
  }

  private static void nobodyStandsOnWhatIsNotAheadOfIt(QueueState state) {
    Set<GroupId> ahead = new HashSet<>();
    for (Group group : state.line()) {
      assertThat(ahead).containsAll(group.standsOn());
      ahead.add(group.id());
    }
    List<Group> linked = Lanes.link(state.line(), state.settings().mode(), state::member);
    assertThat(everythingBelow(state.line())).isEqualTo(everythingBelow(linked));
  }

  private static List<Set<GroupId>> everythingBelow(List<Group> line) {
    var below = new HashMap<GroupId, Set<GroupId>>();
    for (Group group : line) {
      var all = new HashSet<>(group.standsOn());
      group.standsOn().forEach(id -> all.addAll(below.getOrDefault(id, Set.of())));
      below.put(group.id(), all);
    }
    return line.stream().map(g -> below.getOrDefault(g.id(), Set.of())).toList();
  }

  private static void statesTellTheTruth(QueueState state) {
    Stream.concat(state.line().stream(), state.side().stream())
        .forEach(
            group -> {
              for (PullRequestRef pr : group.pullRequests()) {
                PullRequestState shown = state.member(pr).state();
                if (shown == PullRequestState.TESTING) {
                  assertThat(group.isTesting()).isTrue();
                }
                if (group.needsRun() && !group.half().filter(Half::knownToFail).isPresent()) {
                  assertThat(shown).isIn(PullRequestState.PENDING, PullRequestState.TESTS_PASSED);
                }
                if (group.passed()) {
                  assertThat(shown).isEqualTo(PullRequestState.TESTS_PASSED);
                }
              }
            });
  }

  private static void onlyWhatIsProvenMerges(QueueState state, QueueAction.Land land) {
    List<Group> groups = state.line().stream().filter(g -> state.isLanding(g.id())).toList();
    assertThat(groups.getLast().passed()).isTrue();
    assertThat(groups.stream().flatMap(g -> g.members().stream())).isEqualTo(land.changes());
    assertThat(land.onto()).isEqualTo(state.target().head().get());
    Set<GroupId> ids = new HashSet<>(groups.stream().map(Group::id).toList());
    groups.stream()
        .filter(g -> !ids.containsAll(g.standsOn()))
        .forEach(g -> assertThat(g.run().orElseThrow().lands()).isEmpty());
    assertThat(state.lifecycle()).isNotEqualTo(QueueLifecycle.PAUSED);
  }

  /** A run tests its group on top of what the group still stands on, and what merged. */
  static void runsAreUpToDate(QueueState state, Map<RunId, QueueAction.StartRun> started) {
    for (Group group : state.line().stream().filter(g -> !g.aside()).toList()) {
      group
          .run()
          .flatMap(run -> Optional.ofNullable(started.get(run.id())))
          .ifPresent(
              run -> {
                assertThat(provenBy(run, group)).endsWith(group.members().toArray(Change[]::new));
                List<Group> below = below(state, group, run.leavesOut());
                assertThat(
                        run.standsOn().stream()
                            .filter(c -> !group.members().contains(c))
                            .filter(c -> state.entry(c.pr()).isPresent()))
                    .isSubsetOf(below.stream().flatMap(g -> g.members().stream()).toList())
                    .containsAll(
                        below.stream()
                            .filter(g -> isHeld(g, group, state))
                            .flatMap(g -> g.members().stream())
                            .toList());
              });
    }
  }

  /** What the group stands on once these have left. */
  private static List<Group> below(QueueState state, Group group, List<PullRequestRef> without) {
    List<Group> rest =
        state.line().stream()
            .filter(g -> g.pullRequests().stream().noneMatch(without::contains))
            .toList();
    List<Group> linked = Lanes.link(rest, state.settings().mode(), state::member);
    return linked.stream()
        .filter(g -> g.id().equals(group.id()))
        .flatMap(g -> Lanes.below(linked, g).stream())
        .toList();
  }

  /** One that was overtaken is proven by a run on top of it. */
  private static List<Change> provenBy(QueueAction.StartRun run, Group group) {
    boolean onTop = run.standsOn().containsAll(group.members());
    return onTop && group.passed() ? run.standsOn() : run.tested();
  }

  /** Where what is disjoint cannot sway a test, a test branch holds what its group meets. */
  private static boolean isHeld(Group below, Group group, QueueState state) {
    var settings = state.settings();
    return !settings.hermeticTests()
        || settings.canOptimisticallyMerge()
        || settings.mode() == Mode.SINGLE
        || targets(below, state).anyMatch(t -> targets(group, state).anyMatch(t::meets));
  }

  private static Stream<ImpactedTargets> targets(Group group, QueueState state) {
    return group.pullRequests().stream()
        .map(pr -> state.member(pr).admission().orElseThrow().targets());
  }

  /** Each transition begins where the one before it ended, and nothing moves after its end. */
  static void follows(Optional<PullRequestState> before, Transition transition) {
    assertThat(transition.from()).isEqualTo(before);
    assertThat(before.filter(PullRequestState::isEnd)).isEmpty();
    assertThat(transition.reason().sentence()).isNotBlank();
  }

  /** Knowing the entries they have looked at before saves rules time, and changes nothing. */
  static void doesNotDependOnWhatWasSeen(
      QueueEvent event, QueueState before, Step step, Instant now) {
    assertThat(Engine.on(event, before.unseen(), now)).isEqualTo(step);
  }

  /** A queue to which nothing happens does nothing: every rule has had its say. */
  static void rests(QueueState state, Instant now) {
    Step idle = Engine.on(new QueueEvent.TimePassed(), state, now);
    assertThat(idle.actions()).isEmpty();
    assertThat(idle.transitions()).isEmpty();
    assertThat(idle.after()).isEqualTo(state);
  }
}
