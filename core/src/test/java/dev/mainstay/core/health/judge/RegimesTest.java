package dev.mainstay.core.health.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.mainstay.core.health.judge.CommitOutcome.Line;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RegimesTest {
  private static final double[][] MOVES = {
    {1 - Regimes.BREAKS - Regimes.SLIPS, Regimes.SLIPS, Regimes.BREAKS},
    {Regimes.MENDS_A_SLIP, 1 - Regimes.MENDS_A_SLIP, 0},
    {Regimes.MENDS, 0, 1 - Regimes.MENDS}
  };

  private static CommitOutcome commit(int failures, int passes) {
    return commit(failures, 0, passes);
  }

  private static CommitOutcome commit(int failures, int grouped, int passes) {
    return new CommitOutcome(
        new Line("main", "j"),
        "c",
        failures,
        grouped,
        0,
        passes,
        failures + grouped + passes,
        failures + grouped,
        Past.NOON,
        Past.NOON);
  }

  /** Every commit by itself, as the model is told. */
  private static double plain(List<CommitOutcome> commits, double rate, boolean sum) {
    double[] log = {
      sum ? Math.log(1 - Regimes.BEGINS_BROKEN) : 0,
      Double.NEGATIVE_INFINITY,
      Math.log(Regimes.BEGINS_BROKEN)
    };
    for (int i = 0; i < commits.size(); i++) {
      CommitOutcome commit = commits.get(i);
      double[] now = new double[3];
      for (int to = 0; to < 3; to++) {
        now[to] = i == 0 ? log[to] : Double.NEGATIVE_INFINITY;
        for (int from = 0; i > 0 && from < 3; from++) {
          boolean together = commit.grouped() > 0 && from == 0 && to == 2;
          double move = together ? Regimes.BREAKS_A_GROUP : MOVES[from][to];
          double way = log[from] + Math.log(move);
          now[to] = sum ? Regimes.sum(now[to], way) : Math.max(now[to], way);
        }
        double fails = to == 0 ? rate : 1 - Regimes.PASSES_WHILE_BROKEN;
        int failed = to == 0 ? commit.chances() : commit.failures();
        now[to] += failed * Math.log(fails) + commit.passes() * Math.log1p(-fails);
        now[to] +=
            to == 0
                ? commit.groupChances() * Math.log(Math.max(rate, Regimes.FAILS_IN_A_GROUP))
                : commit.grouped() * Math.log(fails);
      }
      log = now;
    }
    return sum
        ? Regimes.sum(log[0], Regimes.sum(log[1], log[2]))
        : Math.max(log[0], Math.max(log[1], log[2]));
  }

  @Test
  void what_is_passed_over_in_long_stretches_of_passes_changes_nothing() {
    for (int seed = 0; seed < 200; seed++) {
      var random = new Random(seed);
      var commits = new ArrayList<CommitOutcome>();
      double fails = Math.pow(random.nextDouble(), 4);
      for (int i = 1 + random.nextInt(80); i > 0; i--) {
        boolean failed = random.nextDouble() < fails;
        int more = random.nextInt(3);
        int passes = failed && more < 2 ? 0 : 1 + more;
        boolean together = failed && random.nextInt(3) == 0;
        commits.add(commit(failed && !together ? 1 : 0, together ? 1 : 0, passes));
      }
      double[] alike = commits.stream().mapToDouble(c -> 1).toArray();
      var track = new Track(commits, alike);
      for (double rate : FlakeRates.VALUES) {
        boolean[] course = new boolean[commits.size()];
        assertThat(Regimes.likeliest(track, rate, course))
            .isCloseTo(plain(commits, rate, false), within(1e-6));
        Regimes.Ends ends = Regimes.ends(track, rate);
        assertThat(Regimes.sum(ends.working(), ends.broken()))
            .isCloseTo(plain(commits, rate, true), within(1e-3));
      }
    }
  }

  @Test
  void a_stretch_of_failures_is_broken_from_its_first_commit_to_its_last() {
    var commits = new ArrayList<CommitOutcome>();
    for (int i = 0; i < 60; i++) {
      commits.add(i >= 30 && i < 34 ? commit(1, 0) : commit(0, 1));
    }
    boolean[] course = new boolean[60];
    Regimes.likeliest(
        new Track(commits, commits.stream().mapToDouble(c -> 1).toArray()), 0.001, course);
    for (int i = 0; i < 60; i++) {
      assertThat(course[i]).as("commit %d", i).isEqualTo(i >= 30 && i < 34);
    }
  }
}
