package dev.mainstay.core.queue;

import dev.mainstay.core.code.PullRequestRef;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Pull requests that are tested and merged as one.
 *
 * <p>{@code standsOn} names the groups directly below it; what those stand on, it stands on too.
 * Without a run it waits for a slot because of {@code why}; where it {@code keepsPlace} it does so
 * in the line, else it goes back to those who wait. {@code direct} means that it needs no run.
 * {@code notBefore} is when the forge may be asked again. {@code half} is there in the side queue.
 * Nobody stands on a group that is {@code aside}: it does not merge with what it stands on.
 *
 * <p>{@code run} assumes what is likeliest of those ahead; {@code guesses} are runs beside it that
 * assume otherwise. {@code flakeRetries} is how often it was tested again because of flaky tests.
 */
public record Group(
    GroupId id,
    List<Change> members,
    List<GroupId> standsOn,
    Optional<Run> run,
    Reason why,
    boolean keepsPlace,
    boolean direct,
    Optional<Instant> notBefore,
    Optional<Half> half,
    boolean aside,
    List<Run> guesses,
    int flakeRetries) {
  public Group {
    members = List.copyOf(members);
    standsOn = List.copyOf(standsOn);
    guesses = List.copyOf(guesses);
  }

  /** A new group that waits for its first run. */
  public static Group of(GroupId id, List<Change> members, Reason why) {
    return new Group(
        id,
        members,
        List.of(),
        Optional.empty(),
        why,
        false,
        false,
        Optional.empty(),
        Optional.empty(),
        false,
        List.of(),
        0);
  }

  public boolean holds(PullRequestRef pr) {
    for (Change member : members) {
      if (member.pr().equals(pr)) {
        return true;
      }
    }
    return false;
  }

  public List<PullRequestRef> pullRequests() {
    var prs = new ArrayList<PullRequestRef>(members.size());
    for (Change member : members) {
      prs.add(member.pr());
    }
    return Collections.unmodifiableList(prs);
  }

  /** A group of nobody: its run tests the target branch by itself. */
  public boolean testsTarget() {
    return members.isEmpty();
  }

  public boolean isTesting() {
    return run.isPresent() && run.get().isInProgress();
  }

  /** Its run waits for the test branch. */
  public boolean isUnbuilt() {
    return isTesting() && run.orElseThrow().builtAt().isEmpty();
  }

  public boolean passed() {
    return direct || (run.isPresent() && run.get().succeeded());
  }

  public boolean failed() {
    return run.isPresent() && run.get().failed();
  }

  /** The reason for which its run failed, or else for which it needs one. */
  public Reason failure() {
    return run.flatMap(Run::failure).map(Run.Outcome.Failed::why).orElse(why);
  }

  /** The forge was unavailable, and is not to be asked again before this time. */
  public boolean rests(Instant now) {
    return notBefore.isPresent() && notBefore.get().isAfter(now);
  }

  public boolean needsRun() {
    return run.isEmpty() && !direct;
  }

  /** What its test branch holds below it in the side queue: parts of its batch that passed. */
  public List<Change> context() {
    return half.map(Half::context).orElse(List.of());
  }

  /** Its run and its guesses. */
  public List<Run> runs() {
    if (guesses.isEmpty()) {
      return run.isPresent() ? List.of(run.get()) : List.of();
    }
    var runs = new ArrayList<Run>(1 + guesses.size());
    run.ifPresent(runs::add);
    runs.addAll(guesses);
    return Collections.unmodifiableList(runs);
  }

  public Optional<Run> run(RunId wanted) {
    for (Run known : runs()) {
      if (known.id().equals(wanted)) {
        return Optional.of(known);
      }
    }
    return Optional.empty();
  }

  /** Others left: what was tested beside is no longer what there is to test. */
  public Group with(List<Change> left) {
    Edit edit = edit();
    edit.members = left;
    edit.guesses = List.of();
    return edit.done();
  }

  public Group on(List<GroupId> below) {
    Edit edit = edit();
    edit.standsOn = below;
    return edit.done();
  }

  /** It got the run that it waited for, or this one for its own. */
  public Group testedBy(Run started) {
    Edit edit = fresh();
    edit.run = Optional.of(started);
    if (run.isEmpty() && why.code() == ReasonCode.FLAKE_RETRY) {
      edit.flakeRetries++;
    }
    return edit.done();
  }

  /** One of its runs got further. */
  public Group with(Run known) {
    Edit edit = edit();
    edit.run = run.map(r -> r.id().equals(known.id()) ? known : r);
    edit.guesses = guesses.stream().map(r -> r.id().equals(known.id()) ? known : r).toList();
    return edit.done();
  }

  public Group guessing(Run started) {
    Edit edit = edit();
    edit.guesses = Stream.concat(guesses.stream(), Stream.of(started)).toList();
    return edit.done();
  }

  public Group with(Stream<Run> stillPossible) {
    Edit edit = edit();
    edit.guesses = stillPossible.toList();
    return edit.done();
  }

  /** This guess is its run now, and its run, if it is still possible, a guess. */
  public Group trusting(Run guess, boolean runIsPossible) {
    if (run.equals(Optional.of(guess))) {
      return this;
    }
    Edit edit = fresh();
    edit.run = Optional.of(guess);
    Stream<Run> others = guesses.stream().filter(r -> !r.id().equals(guess.id()));
    Stream<Run> led = runIsPossible ? run.stream() : Stream.empty();
    edit.guesses = Stream.concat(led, others).toList();
    return edit.done();
  }

  public Group because(Reason reason) {
    Edit edit = edit();
    edit.why = reason;
    return edit.done();
  }

  public Group withoutRun(Reason because, boolean inPlace) {
    Edit edit = fresh();
    edit.why = because;
    edit.keepsPlace = inPlace;
    return edit.done();
  }

  /** As if it had never been tested again because of flaky tests. */
  public Group unretried() {
    Edit edit = edit();
    edit.flakeRetries = 0;
    return edit.done();
  }

  public Group resting(Instant until) {
    Edit edit = edit();
    edit.notBefore = Optional.of(until);
    return edit.done();
  }

  public Group mergedDirectly() {
    Edit edit = fresh();
    edit.direct = true;
    return edit.done();
  }

  public Group with(Half known) {
    Edit edit = edit();
    edit.half = Optional.of(known);
    return edit.done();
  }

  public Group standing(boolean apart) {
    Edit edit = edit();
    edit.aside = apart;
    return edit.done();
  }

  private Edit edit() {
    return new Edit(this);
  }

  /** To begin anew: nothing is left of how it was tested before. */
  private Edit fresh() {
    Edit edit = edit();
    edit.run = Optional.empty();
    edit.keepsPlace = false;
    edit.direct = false;
    edit.notBefore = Optional.empty();
    edit.guesses = List.of();
    return edit;
  }

  private static final class Edit {
    private final GroupId id;
    private List<Change> members;
    private List<GroupId> standsOn;
    private Optional<Run> run;
    private Reason why;
    private boolean keepsPlace;
    private boolean direct;
    private Optional<Instant> notBefore;
    private Optional<Half> half;
    private boolean aside;
    private List<Run> guesses;
    private int flakeRetries;

    private Edit(Group g) {
      id = g.id;
      members = g.members;
      standsOn = g.standsOn;
      run = g.run;
      why = g.why;
      keepsPlace = g.keepsPlace;
      direct = g.direct;
      notBefore = g.notBefore;
      half = g.half;
      aside = g.aside;
      guesses = g.guesses;
      flakeRetries = g.flakeRetries;
    }

    private Group done() {
      return new Group(
          id,
          members,
          standsOn,
          run,
          why,
          keepsPlace,
          direct,
          notBefore,
          half,
          aside,
          guesses,
          flakeRetries);
    }
  }
}
