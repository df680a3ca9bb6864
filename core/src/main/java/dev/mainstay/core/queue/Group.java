package dev.mainstay.core.queue;

import dev.mainstay.core.code.PullRequestRef;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Pull requests that are tested and merged as one.
 *
 * <p>{@code standsOn} names the groups directly below it; what those stand on, it stands on too.
 * Without a run it waits for a slot because of {@code why}; where it {@code keepsPlace} it does so
 * in the line, else it goes back to those who wait. {@code direct} means that it needs no run.
 * {@code notBefore} is when the forge may be asked again. {@code half} is there in the side queue.
 * Nobody stands on a group that is {@code aside}: it does not merge with what it stands on.
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
    boolean aside) {
  public Group {
    members = List.copyOf(members);
    standsOn = List.copyOf(standsOn);
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
        false);
  }

  public boolean holds(PullRequestRef pr) {
    return members.stream().anyMatch(m -> m.pr().equals(pr));
  }

  public List<PullRequestRef> pullRequests() {
    return members.stream().map(Change::pr).toList();
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
    return run.flatMap(Run::failure).orElse(why);
  }

  /** The forge was unavailable, and is not to be asked again before this time. */
  public boolean rests(Instant now) {
    return notBefore.isPresent() && notBefore.get().isAfter(now);
  }

  public boolean needsRun() {
    return run.isEmpty() && !direct;
  }

  public Group with(List<Change> left) {
    return new Group(id, left, standsOn, run, why, keepsPlace, direct, notBefore, half, aside);
  }

  public Group on(List<GroupId> below) {
    return new Group(id, members, below, run, why, keepsPlace, direct, notBefore, half, aside);
  }

  public Group with(Run started) {
    return new Group(
        id,
        members,
        standsOn,
        Optional.of(started),
        why,
        false,
        false,
        Optional.empty(),
        half,
        aside);
  }

  public Group withoutRun(Reason because, boolean inPlace) {
    return new Group(
        id,
        members,
        standsOn,
        Optional.empty(),
        because,
        inPlace,
        false,
        Optional.empty(),
        half,
        aside);
  }

  public Group resting(Instant until) {
    return new Group(
        id, members, standsOn, run, why, keepsPlace, direct, Optional.of(until), half, aside);
  }

  public Group mergedDirectly() {
    return new Group(
        id, members, standsOn, Optional.empty(), why, false, true, Optional.empty(), half, aside);
  }

  public Group with(Half known) {
    return new Group(
        id, members, standsOn, run, why, keepsPlace, direct, notBefore, Optional.of(known), aside);
  }

  public Group standing(boolean apart) {
    return new Group(id, members, standsOn, run, why, keepsPlace, direct, notBefore, half, apart);
  }
}
