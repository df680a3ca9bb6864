package dev.mainstay.server.queue;

import dev.mainstay.core.queue.LandedHow;
import dev.mainstay.core.queue.Priority;
import dev.mainstay.core.queue.PullRequestSnapshot.Mergeability;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.Reason;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * An entry as users see it: one submission of a pull request, open or ended. {@code waitsFor} names
 * the nearest that it has to wait for, at most {@link #MOST_WAITED_FOR}, in queue order. Without a
 * forge nothing is known of it but its number: title, author and address are empty then, and head
 * and base are not there. {@code chance} is there while it is open, {@code expected} while it can
 * be told when it will merge.
 */
public record PullRequestView(
    String id,
    int number,
    PullRequestState state,
    Instant stateChangedAt,
    Reason reason,
    Priority priority,
    boolean usedDefaultPriority,
    boolean noBatch,
    boolean open,
    String title,
    String author,
    String url,
    Optional<String> sha,
    Optional<String> baseBranch,
    Readiness readiness,
    Optional<Integer> position,
    Optional<String> testRunId,
    List<Integer> waitsFor,
    Instant submittedAt,
    Optional<Instant> endedAt,
    Optional<Landed> landed,
    Optional<Chance> chance,
    Optional<Expected> expected) {
  public static final int MOST_WAITED_FOR = 100;

  public PullRequestView {
    waitsFor = List.copyOf(waitsFor);
  }

  /** How a merged entry came onto the target branch, and the commit that branch then ended in. */
  public record Landed(String sha, LandedHow how) {}

  /** How likely it is to pass by itself, and what that hangs on, the strongest first. */
  public record Chance(double passes, List<Driver> drivers) {
    public Chance {
      drivers = List.copyOf(drivers);
    }
  }

  /** A trait, and by how much it is likelier to pass for it; below zero, less likely. */
  public record Driver(String trait, String value, double moves) {}

  /** The time by which it will have merged: as likely as not, and in nine cases of ten. */
  public record Expected(Instant likely, Instant late) {}

  /**
   * The conditions for an entry to be let in, and those that are not met yet; an entry that was let
   * in or has ended waits for none.
   */
  public record Readiness(
      boolean hasImpactedTargets,
      boolean requiresImpactedTargets,
      boolean doesBaseBranchMatch,
      Mergeability mergeability,
      List<String> waitingFor) {
    public Readiness {
      waitingFor = List.copyOf(waitingFor);
    }
  }
}
