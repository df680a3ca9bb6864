package dev.mainstay.core.queue.rules;

import dev.mainstay.core.chance.Learned;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.Conditions;
import dev.mainstay.core.queue.Connection;
import dev.mainstay.core.queue.Doubt;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.GroupId;
import dev.mainstay.core.queue.LandingInFlight;
import dev.mainstay.core.queue.Looked;
import dev.mainstay.core.queue.Progress;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueAction;
import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.queue.QueueSettings.Mode;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Reason;
import dev.mainstay.core.queue.Run;
import dev.mainstay.core.queue.RunId;
import dev.mainstay.core.queue.Step;
import dev.mainstay.core.queue.Target;
import dev.mainstay.core.queue.Transition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;

/**
 * The state that one rule leads to: all that the rule changes is collected here and applied at
 * once, so that a rule costs one pass however much it changes.
 */
final class NextState {
  private static final Set<PullRequestState> PROGRESS =
      Set.of(
          PullRequestState.TESTS_PASSED,
          PullRequestState.PENDING_FAILURE,
          PullRequestState.MERGED,
          PullRequestState.FAILED);

  final Instant now;
  QueueSettings settings;
  QueueLifecycle lifecycle;
  Optional<Mode> switchingTo;
  Connection connection;
  Target target;
  Optional<LandingInFlight> landing;
  Optional<Instant> wakeAt;
  Progress progress;
  Learned learned;
  Doubt doubt;

  private final QueueState before;
  private final List<QueueAction> actions = new ArrayList<>();
  private final List<Transition> transitions = new ArrayList<>();
  private final Map<PullRequestRef, Optional<Entry>> changed = new LinkedHashMap<>();
  private Optional<SequencedMap<GroupId, Group>> line = Optional.empty();
  private Optional<SequencedMap<GroupId, Group>> side = Optional.empty();
  private long lastId;
  private final List<Entry> ended = new ArrayList<>();
  private Looked looked;

  NextState(QueueState before, Instant now) {
    this.before = before;
    this.now = now;
    settings = before.settings();
    lifecycle = before.lifecycle();
    switchingTo = before.switchingTo();
    connection = before.connection();
    target = before.target();
    landing = before.landing();
    wakeAt = before.wakeAt();
    lastId = before.lastId();
    progress = before.progress();
    learned = before.learned();
    doubt = before.doubt();
    looked = before.looked();
  }

  /** This rule has looked at everybody as they were before, but not at these. */
  void seenBy(Looked.Rule rule, Conditions conditions, Set<PullRequestRef> but) {
    looked = looked.seenBy(rule, conditions, but);
  }

  Optional<Entry> entry(PullRequestRef pr) {
    Optional<Entry> known = changed.get(pr);
    return known == null ? before.entry(pr) : known;
  }

  /** The entry of a pull request that is in a group: it is open, or the state is broken. */
  Entry member(PullRequestRef pr) {
    return entry(pr).orElseThrow(() -> new IllegalStateException(pr + " is tested but not open"));
  }

  List<Group> line() {
    return line.map(groups -> List.copyOf(groups.values())).orElse(before.line());
  }

  Group inLine(GroupId id) {
    return line().stream().filter(g -> g.id().equals(id)).findFirst().orElseThrow();
  }

  /** The changes that a test branch of this group would hold below it. */
  List<Group> held(Group group) {
    return Lanes.held(line(), group, settings, this::member);
  }

  boolean isLanding(Group group) {
    return landing.filter(l -> l.groups().contains(group.id())).isPresent();
  }

  List<Group> side() {
    return side.map(groups -> List.copyOf(groups.values())).orElse(before.side());
  }

  /** An entry that is as it was costs nothing. */
  void put(Entry entry) {
    if (!entry(entry.pr()).equals(Optional.of(entry))) {
      changed.put(entry.pr(), Optional.of(entry));
    }
  }

  void enter(Entry entry) {
    put(entry);
    log(entry, Optional.empty(), entry.state(), entry.reason());
  }

  /** Moves an entry to another state; beginning a test anew counts as a move, too. */
  void move(Entry entry, PullRequestState to, Reason reason) {
    if (!entry.is(to) || to == PullRequestState.TESTING) {
      log(entry, Optional.of(entry.state()), to, reason);
    }
    put(entry.in(to, reason, now));
  }

  void move(Group group, PullRequestState to, Reason reason) {
    group.members().forEach(m -> move(member(m.pr()), to, reason));
  }

  void end(Entry entry, PullRequestState end, Reason reason) {
    log(entry, Optional.of(entry.state()), end, reason);
    ended.add(entry.in(end, reason, now));
    changed.put(entry.pr(), Optional.empty());
  }

  /** Puts a group where it was, or at the end of the line. */
  void put(Group group) {
    (isAside(group) ? changedSide() : changedLine()).put(group.id(), group);
  }

  void putAside(Group group) {
    changedSide().put(group.id(), group);
  }

  /** Takes a group out. */
  void remove(Group group) {
    (isAside(group) ? changedSide() : changedLine()).remove(group.id());
  }

  /** Groups in the side queue, and only they, know which half they are. */
  private static boolean isAside(Group group) {
    return group.half().isPresent();
  }

  /** These groups in this order are the line now: finds out anew who stands on whom. */
  void relink(Collection<Group> groups) {
    line = Optional.of(byId(Lanes.link(groups, settings.mode(), this::member)));
  }

  private SequencedMap<GroupId, Group> changedLine() {
    line = Optional.of(line.orElseGet(() -> byId(before.line())));
    return line.get();
  }

  private SequencedMap<GroupId, Group> changedSide() {
    side = Optional.of(side.orElseGet(() -> byId(before.side())));
    return side.get();
  }

  private static SequencedMap<GroupId, Group> byId(Collection<Group> groups) {
    var byId = new LinkedHashMap<GroupId, Group>();
    groups.forEach(g -> byId.put(g.id(), g));
    return byId;
  }

  /** A group's run is no longer of use: the group needs another one. */
  void retest(Group group, Reason why, boolean inPlace) {
    put(group.withoutRun(why, inPlace));
  }

  /** The same, where the forge is not to be asked before this time. */
  void retestInPlace(Group group, Reason why, Instant notBefore) {
    put(group.withoutRun(why, true).resting(notBefore));
  }

  /** These members left the group: the others need another run, and a group of nobody is gone. */
  void retestWithout(Group group, Collection<PullRequestRef> gone, Reason why) {
    List<Change> left = group.members().stream().filter(m -> !gone.contains(m.pr())).toList();
    if (left.isEmpty()) {
      remove(group);
    } else {
      retest(group.with(left), why, false);
    }
  }

  /** The group's run cannot come true, but this guess can. */
  void trust(Group group, Run guess, Reason why) {
    put(group.trusting(guess, false).because(why));
    group.pullRequests().forEach(pr -> put(member(pr).because(why)));
  }

  void act(QueueAction action) {
    actions.add(action);
  }

  long nextId() {
    return ++lastId;
  }

  private void log(
      Entry entry, Optional<PullRequestState> from, PullRequestState to, Reason reason) {
    transitions.add(new Transition(entry.id(), entry.pr(), from, to, reason, now));
    if (PROGRESS.contains(to) || (to == PullRequestState.PENDING && before.isDrained())) {
      moved();
    }
  }

  /** Something got further: whatever the queue stalled for is over. */
  void moved() {
    progress = progress.moved(now);
  }

  /** Runs that are in no group any more are no longer wanted. */
  private void cancelUnwantedRuns() {
    if (line.isEmpty() && side.isEmpty()) {
      return;
    }
    Set<RunId> wanted = wantedRuns();
    before.line().forEach(g -> g.runs().forEach(r -> cancelUnless(wanted, r)));
    before.side().forEach(g -> g.runs().forEach(r -> cancelUnless(wanted, r)));
  }

  Set<RunId> wantedRuns() {
    var wanted = new HashSet<RunId>();
    line().forEach(g -> g.runs().forEach(r -> wanted.add(r.id())));
    side().forEach(g -> g.runs().forEach(r -> wanted.add(r.id())));
    return wanted;
  }

  private void cancelUnless(Set<RunId> wanted, Run run) {
    if (!wanted.contains(run.id())) {
      act(new QueueAction.CancelRun(run.id(), run.outcome()));
    }
  }

  /** Most rules find nothing to do: the very same state says so to those who look. */
  @SuppressWarnings("ReferenceEquality")
  private boolean isAsBefore() {
    boolean quiet = actions.isEmpty() && transitions.isEmpty() && ended.isEmpty();
    return quiet
        && (changed.isEmpty() && line.isEmpty() && side.isEmpty())
        && lastId == before.lastId()
        && settings.equals(before.settings())
        && lifecycle == before.lifecycle()
        && switchingTo.equals(before.switchingTo())
        && connection.equals(before.connection())
        && target.equals(before.target())
        && landing.equals(before.landing())
        && wakeAt.equals(before.wakeAt())
        && progress.equals(before.progress())
        && doubt.equals(before.doubt())
        && looked == before.looked()
        && learned.equals(before.learned());
  }

  Step done() {
    cancelUnwantedRuns();
    if (isAsBefore()) {
      return Step.nothing(before);
    }
    var after =
        new QueueState(
            settings,
            lifecycle,
            switchingTo,
            connection,
            target,
            before.entries().with(changed),
            line(),
            side(),
            landing,
            wakeAt,
            lastId,
            progress,
            doubt,
            looked.without(changed.keySet()),
            learned);
    return new Step(after, open(), ended, actions, transitions);
  }

  private Map<PullRequestRef, Entry> open() {
    var open = new LinkedHashMap<PullRequestRef, Entry>();
    changed.forEach((pr, entry) -> entry.ifPresent(e -> open.put(pr, e)));
    return open;
  }
}
