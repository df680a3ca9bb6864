package dev.mainstay.core.queue.rules;

import dev.mainstay.core.chance.Durations;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.GroupId;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Run;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * When the pull requests of a queue will merge, if they do: what is open is played to its end many
 * times, with tests that take as long as they took before and fail as often as is likely. Those who
 * come later do not delay who is there, but for urgent ones.
 *
 * <p>In one play, groups are decided in the order of the line: a group when its tests are over and
 * all it stands on are decided. A failure that is known is its own where all below merge. One that
 * fails leaves, and whoever was tested on top of it is tested again, or has been all along where
 * the queue thinks ahead and slots are free. Those who wait start when a slot is free.
 */
public final class Forecast {
  /** Enough to tell nine of ten from others; a long queue is played less often. */
  private static final int MOST_PLAYS = 100;

  private static final int FEWEST_PLAYS = 20;
  private static final int GROUPS_PLAYED = 20_000;

  /** With fewer tests known than five, of which older ones fade, nothing is foretold. */
  private static final double ENOUGH_KNOWN = 4.8;

  /** So long a test is told from another. */
  private static final int QUANTILES = 200;

  /** The time by which it will have merged: as likely as not, and in nine cases of ten. */
  public record Expected(Instant likely, Instant late) {}

  private final QueueState state;
  private final Instant now;
  private final long[] lengths;
  private final List<Group> groups;
  private final int[][] below;
  private final double[] passes;
  private final SplittableRandom random = new SplittableRandom(1);

  private Forecast(QueueState state, Instant now) {
    this.state = state;
    this.now = now;
    lengths = lengths(state.learned().durations());
    groups = everybody(state);
    below = below(groups);
    passes = passes(state, groups, below);
  }

  /** The time at which something last happened, from which the future is told. */
  public static Instant asOf(QueueState state) {
    Stream<Instant> entries = state.entries().values().stream().map(Entry::stateChangedAt);
    Stream<Instant> runs =
        state.line().stream()
            .flatMap(g -> g.runs().stream())
            .flatMap(r -> Stream.concat(Stream.of(r.requestedAt()), r.builtAt().stream()));
    return Stream.of(state.progress().movedAt().stream(), entries, runs)
        .flatMap(s -> s)
        .max(Instant::compareTo)
        .orElse(Instant.EPOCH);
  }

  /** Nobody is foretold anything while the queue rests or knows too little of its tests. */
  public static Map<PullRequestRef, Expected> of(QueueState state, Instant now) {
    boolean knows = state.learned().durations().known() >= ENOUGH_KNOWN;
    if (!knows || !RunStart.isPossible(state)) {
      return Map.of();
    }
    return new Forecast(state, now).expected();
  }

  private static long[] lengths(Durations durations) {
    var lengths = new long[QUANTILES];
    for (int i = 0; i < QUANTILES; i++) {
      lengths[i] = durations.within((i + 0.5) / QUANTILES).toMillis();
    }
    return lengths;
  }

  /** The line, and behind it those who wait, in the groups they will go in. */
  private static List<Group> everybody(QueueState state) {
    var all = new ArrayList<>(state.line());
    long id = -1;
    for (Batching.Forming forming : Batching.form(state)) {
      all.add(
          Group.of(new GroupId(id--), forming.members(), state.member(forming.first()).reason()));
    }
    return Lanes.link(all, state.settings().mode(), state::member);
  }

  private static int[][] below(List<Group> groups) {
    var places = new HashMap<GroupId, Integer>();
    var below = new int[groups.size()][];
    for (int i = 0; i < groups.size(); i++) {
      below[i] = groups.get(i).standsOn().stream().mapToInt(places::get).toArray();
      places.put(groups.get(i).id(), i);
    }
    return below;
  }

  /** The chance of each to pass: by itself, and with those it is tested on top of. */
  private static double[] passes(QueueState state, List<Group> groups, int[][] below) {
    var outlook = new Outlook.Of(state);
    double fits = 1 - state.learned().conflicts();
    var under = new int[groups.size()];
    var passes = new double[groups.size()];
    for (int i = 0; i < passes.length; i++) {
      for (int one : below[i]) {
        under[i] = Math.max(under[i], under[one] + 1);
      }
      Group group = groups.get(i);
      if (group.passed()) {
        passes[i] = 1;
      } else {
        int held = Math.min(under[i], state.settings().concurrency());
        passes[i] = StrictMath.pow(fits, group.run().map(Run::heldAtStart).orElse(held));
        for (PullRequestRef pr : group.pullRequests()) {
          passes[i] *= outlook.passes(state.member(pr));
        }
      }
    }
    return passes;
  }

  private Map<PullRequestRef, Expected> expected() {
    int plays = Math.clamp(GROUPS_PLAYED / Math.max(1, groups.size()), FEWEST_PLAYS, MOST_PLAYS);
    var ends = new long[groups.size()][plays];
    for (int play = 0; play < plays; play++) {
      play(ends, play);
    }
    var expected = new HashMap<PullRequestRef, Expected>();
    for (int i = 0; i < ends.length; i++) {
      Arrays.sort(ends[i]);
      var span = new Expected(at(ends[i][plays / 2]), at(ends[i][plays * 9 / 10]));
      groups.get(i).pullRequests().forEach(pr -> expected.put(pr, span));
    }
    return Collections.unmodifiableMap(expected);
  }

  private Instant at(long millis) {
    return now.plusMillis(millis);
  }

  /** Plays everything that is open to its end once; times are milliseconds from now. */
  private void play(long[][] ends, int play) {
    var free = new PriorityQueue<Long>(List.of());
    int slots = state.settings().concurrency();
    boolean thinksAhead =
        state.settings().speculationBudget() > 0
            && state.settings().speculates()
            && groups.size() <= slots;
    var decided = new long[groups.size()];
    var failedBelow = new long[groups.size()];
    for (int i = 0; i < groups.size(); i++) {
      Group group = groups.get(i);
      long begins = group.run().isPresent() ? 0 : begins(free, slots);
      long tested = group.passed() || group.failed() ? 0 : begins + length(group);
      long end = tested;
      long failed = -1;
      for (int one : below[i]) {
        end = Math.max(end, decided[one]);
        failed = Math.max(failed, failedBelow[one]);
      }
      if (failed > begins || (failed == 0 && group.run().isPresent())) {
        long length = length(Optional.empty());
        end = Math.max(end, (thinksAhead ? begins : failed) + length);
        free.add(Math.min(tested, failed));
        free.add(begins(free, slots) + length);
      } else {
        free.add(tested);
      }
      decided[i] = end;
      boolean itsOwn = group.failed() && failed < 0;
      boolean fails = itsOwn || random.nextDouble() >= passes[i];
      failedBelow[i] = fails ? end : failed;
      ends[i][play] = end;
    }
  }

  /** The time at which a slot is free: the first at once where not all are taken. */
  private static long begins(PriorityQueue<Long> free, int slots) {
    return free.size() < slots ? 0 : free.remove();
  }

  private long length(Group group) {
    return length(group.run().filter(Run::isInProgress).flatMap(Run::builtAt));
  }

  /** How long tests still take that have begun then, or that begin anew. */
  private long length(Optional<Instant> since) {
    long been = since.map(at -> Duration.between(at, now).toMillis()).orElse(0L);
    int first = 0;
    while (first < QUANTILES - 1 && lengths[first] <= been) {
      first++;
    }
    return Math.max(0, lengths[random.nextInt(first, QUANTILES)] - been);
  }
}
