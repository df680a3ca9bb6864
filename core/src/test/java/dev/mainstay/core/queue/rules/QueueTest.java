package dev.mainstay.core.queue.rules;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.ReasonCode;
import dev.mainstay.core.queue.Transition;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.assertj.core.api.Assertions;

/** A test about one queue, in the words of its users. */
abstract class QueueTest {
  static final Pr A = Pr.A;
  static final Pr B = Pr.B;
  static final Pr C = Pr.C;
  static final Pr D = Pr.D;
  static final Pr E = Pr.E;
  static final Pr F = Pr.F;
  static final Pr G = Pr.G;
  static final Pr H = Pr.H;
  static final Pr U = Pr.U;

  final QueueByHand queue = new QueueByHand();

  QueueAssert assertThat(QueueByHand scenario) {
    return new QueueAssert(scenario);
  }

  PullRequestAssert assertThat(Pr pr) {
    return new PullRequestAssert(queue, pr);
  }

  /** About the queue as a whole. */
  record QueueAssert(QueueByHand scenario) {
    QueueAssert reads(String picture) {
      Assertions.assertThat(scenario.toString()).isEqualTo(picture);
      return this;
    }

    QueueAssert is(QueueLifecycle lifecycle) {
      Assertions.assertThat(scenario.state.lifecycle()).isEqualTo(lifecycle);
      return this;
    }

    QueueAssert started(int runs) {
      Assertions.assertThat(scenario.runsStarted()).hasSize(runs);
      return this;
    }
  }

  /** About one pull request, open or over. */
  record PullRequestAssert(QueueByHand scenario, Pr pr) {
    PullRequestAssert is(PullRequestState state) {
      return went(state, scenario.historyOf(pr).getLast().reason().code());
    }

    PullRequestAssert wasMerged() {
      return is(PullRequestState.MERGED).isOver();
    }

    PullRequestAssert wasMerged(String code) {
      return went(PullRequestState.MERGED, code(code)).isOver();
    }

    PullRequestAssert wasRejected(String code) {
      return went(PullRequestState.FAILED, code(code)).isOver();
    }

    PullRequestAssert wasCancelled(String code) {
      return went(PullRequestState.CANCELLED, code(code)).isOver();
    }

    /** Its last move was to this state, for this reason. */
    PullRequestAssert went(PullRequestState state, String code) {
      return went(state, code(code));
    }

    private PullRequestAssert went(PullRequestState state, ReasonCode code) {
      Transition last = scenario.historyOf(pr).getLast();
      Assertions.assertThat(last.to()).isEqualTo(state);
      Assertions.assertThat(last.reason().code()).isEqualTo(code);
      return this;
    }

    private PullRequestAssert isOver() {
      Assertions.assertThat(scenario.state.entry(pr.ref())).isEmpty();
      return this;
    }

    /** All states it went through. */
    PullRequestAssert passedThrough(PullRequestState... states) {
      Assertions.assertThat(scenario.historyOf(pr).stream().map(Transition::to))
          .isEqualTo(Arrays.asList(states));
      return this;
    }

    PullRequestAssert neverWent(PullRequestState state) {
      Assertions.assertThat(scenario.historyOf(pr).stream().map(Transition::to))
          .doesNotContain(state);
      return this;
    }

    /** It waits outside, and this is why. */
    PullRequestAssert isNotReady(String... codes) {
      is(PullRequestState.NOT_READY);
      Entry entry = scenario.state.entry(pr.ref()).orElseThrow();
      Assertions.assertThat(
              Readiness.waitingFor(entry, scenario.state).stream().map(r -> r.code().code()))
          .isEqualTo(Arrays.asList(codes));
      Assertions.assertThat(entry.reason().code().code()).isEqualTo(codes[0]);
      return this;
    }

    PullRequestAssert says(String part) {
      Assertions.assertThat(scenario.historyOf(pr).getLast().reason().sentence()).contains(part);
      return this;
    }

    PullRequestAssert isTestedOn(String branch) {
      Assertions.assertThat(scenario.branchOf(pr)).isEqualTo(branch);
      return this;
    }

    PullRequestAssert waitsFor(Pr... prs) {
      List<PullRequestRef> refs = Arrays.stream(prs).map(Pr::ref).toList();
      Assertions.assertThat(new Places(scenario.state).waitsFor(pr.ref(), Integer.MAX_VALUE))
          .isEqualTo(refs);
      return this;
    }

    PullRequestAssert isAt(int position) {
      Assertions.assertThat(new Places(scenario.state).position(pr.ref())).contains(position);
      return this;
    }

    private static ReasonCode code(String code) {
      return ReasonCode.valueOf(code.toUpperCase(Locale.ROOT));
    }
  }
}
