package dev.mainstay.core.queue;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A test run of a group. {@code checks} holds the last word on each required status, {@code heard}
 * whether CI ever said anything. {@code exact} says that the target branch got nothing since the
 * run began but what the run contains. {@code bringNothing} are those of the tested that add no
 * commit to what the test branch holds before them.
 *
 * <p>Its test branch holds {@code lands} below what is tested: open changes ahead that it assumes
 * to merge. Those of {@code leaves} it was made without, assuming that they will not. {@code
 * results} is what test health told of its tests, {@code heldAtStart} counts what it held when it
 * began, of which some may have merged since.
 */
public record Run(
    RunId id,
    RunKind kind,
    CommitSha base,
    List<String> requiredStatuses,
    Map<String, CheckState> checks,
    boolean heard,
    boolean exact,
    Outcome outcome,
    Instant requestedAt,
    Optional<Instant> builtAt,
    Optional<CommitSha> commit,
    List<PullRequestRef> bringNothing,
    List<Change> lands,
    List<PullRequestRef> leaves,
    Optional<RunResults> results,
    int heldAtStart) {

  /**
   * The outcome of a run, so far. A run that is no longer wanted is cancelled and leaves the state.
   */
  public sealed interface Outcome {
    record InProgress() implements Outcome {}

    record Succeeded() implements Outcome {}

    /**
     * {@code blamesOther} says that it could not be built because of pull requests it merely stands
     * on.
     */
    record Failed(Reason why, boolean blamesOther) implements Outcome {}
  }

  public Run {
    requiredStatuses = List.copyOf(requiredStatuses);
    bringNothing = List.copyOf(bringNothing);
    lands = List.copyOf(lands);
    leaves = List.copyOf(leaves);
    checks = Collections.unmodifiableMap(new LinkedHashMap<>(checks));
  }

  /** A run that has just been asked for. */
  public static Run requested(
      RunId id,
      RunKind kind,
      CommitSha base,
      List<Change> lands,
      List<PullRequestRef> leaves,
      List<String> requiredStatuses,
      Instant now) {
    return new Run(
        id,
        kind,
        base,
        requiredStatuses,
        Map.of(),
        false,
        true,
        new Outcome.InProgress(),
        now,
        Optional.empty(),
        Optional.empty(),
        List.of(),
        lands,
        leaves,
        Optional.empty(),
        lands.size());
  }

  public boolean isInProgress() {
    return outcome instanceof Outcome.InProgress;
  }

  public boolean succeeded() {
    return outcome instanceof Outcome.Succeeded;
  }

  public boolean failed() {
    return outcome instanceof Outcome.Failed;
  }

  public Optional<Outcome.Failed> failure() {
    return outcome instanceof Outcome.Failed failed ? Optional.of(failed) : Optional.empty();
  }

  /** Its test branch holds one of these below what is tested. */
  public boolean standsOn(Collection<PullRequestRef> prs) {
    return lands.stream().anyMatch(c -> prs.contains(c.pr()));
  }

  /** It was made without one of these. */
  public boolean leavesOut(Collection<PullRequestRef> prs) {
    return leaves.stream().anyMatch(prs::contains);
  }

  /** The test branch could not be made. */
  public boolean isUnbuildable() {
    return failed() && builtAt.isEmpty();
  }

  /** It says something of these, too: its test branch holds them below what is tested. */
  public Run on(List<Change> changes) {
    Edit edit = edit();
    edit.lands = changes;
    return edit.done();
  }

  /** These ended as it assumed, and are no longer open. */
  public Run without(Collection<PullRequestRef> decided) {
    if (!standsOn(decided) && !leavesOut(decided)) {
      return this;
    }
    Edit edit = edit();
    edit.lands = lands.stream().filter(c -> !decided.contains(c.pr())).toList();
    edit.leaves = leaves.stream().filter(pr -> !decided.contains(pr)).toList();
    return edit.done();
  }

  /** Test health told this of its results. */
  public Run with(RunResults told) {
    Edit edit = edit();
    edit.results = Optional.of(told);
    return edit.done();
  }

  /** The required statuses of which nobody has said a word yet. */
  public List<String> missingStatuses() {
    return requiredStatuses.stream().filter(name -> !checks.containsKey(name)).toList();
  }

  public Run built(CommitSha tested, List<PullRequestRef> bringingNothing, Instant at) {
    Edit edit = edit();
    edit.builtAt = Optional.of(at);
    edit.commit = Optional.of(tested);
    edit.bringNothing = bringingNothing;
    return edit.done().concluded();
  }

  /** These of the tested bring nothing. */
  public Run bringing(List<PullRequestRef> nothing) {
    Edit edit = edit();
    edit.bringNothing = nothing;
    return edit.done();
  }

  /** CI spoke. The first final word on a status stays: what comes after it is late or doubled. */
  public Run told(String name, CheckState said) {
    Edit edit = edit();
    edit.heard = true;
    if (requiredStatuses.contains(name)) {
      edit.checks = new LinkedHashMap<>(checks);
      edit.checks.merge(name, said, (old, next) -> old == CheckState.PENDING ? next : old);
    }
    return edit.done().concluded();
  }

  public Run failed(Reason why) {
    return ended(new Outcome.Failed(why, false));
  }

  /** It could not be built because of others. */
  public Run blamingOthers(Reason why) {
    return ended(new Outcome.Failed(why, true));
  }

  public Run inexact() {
    Edit edit = edit();
    edit.exact = false;
    return edit.done();
  }

  private Run concluded() {
    for (String name : requiredStatuses) {
      Optional<Reason> fault = fault(name);
      if (fault.isPresent()) {
        return failed(fault.get());
      }
    }
    boolean allSucceeded =
        requiredStatuses.stream().allMatch(name -> checks.get(name) == CheckState.SUCCESS);
    return commit.isPresent() && allSucceeded ? ended(new Outcome.Succeeded()) : this;
  }

  private Optional<Reason> fault(String name) {
    return switch (checks.get(name)) {
      case FAILURE ->
          Optional.of(new Reason(ReasonCode.TEST_FAILED, "The status " + name + " failed."));
      case TIMED_OUT ->
          Optional.of(
              new Reason(ReasonCode.TEST_TIMEOUT, "The status " + name + " ran too long for CI."));
      case CANCELLED ->
          Optional.of(
              new Reason(
                  ReasonCode.CI_CANCELLED,
                  "CI cancelled the status %s each time it was tried: the change is not to blame."
                      .formatted(name)));
      case PENDING, SUCCESS -> Optional.empty();
      case null -> Optional.empty();
    };
  }

  private Run ended(Outcome end) {
    Edit edit = edit();
    edit.outcome = end;
    return edit.done();
  }

  private Edit edit() {
    return new Edit(this);
  }

  private static final class Edit {
    private final Run before;
    private Map<String, CheckState> checks;
    private boolean heard;
    private boolean exact;
    private Outcome outcome;
    private Optional<Instant> builtAt;
    private Optional<CommitSha> commit;
    private List<PullRequestRef> bringNothing;
    private List<Change> lands;
    private List<PullRequestRef> leaves;
    private Optional<RunResults> results;

    private Edit(Run r) {
      before = r;
      checks = r.checks;
      heard = r.heard;
      exact = r.exact;
      outcome = r.outcome;
      builtAt = r.builtAt;
      commit = r.commit;
      bringNothing = r.bringNothing;
      lands = r.lands;
      leaves = r.leaves;
      results = r.results;
    }

    private Run done() {
      return new Run(
          before.id,
          before.kind,
          before.base,
          before.requiredStatuses,
          checks,
          heard,
          exact,
          outcome,
          before.requestedAt,
          builtAt,
          commit,
          bringNothing,
          lands,
          leaves,
          results,
          before.heldAtStart);
    }
  }
}
