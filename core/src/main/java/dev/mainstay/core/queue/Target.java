package dev.mainstay.core.queue;

import dev.mainstay.core.code.CommitSha;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The branch everything merges into, where it is now, and where it was lately. {@code missing} says
 * that the repository was seen to have no such branch; {@code alarm}, that something is on it which
 * was not tested, and which a person must look at.
 */
public record Target(
    String branch,
    Optional<CommitSha> head,
    List<CommitSha> earlierHeads,
    boolean missing,
    Optional<String> alarm) {
  private static final int REMEMBERED = 200;

  public Target {
    earlierHeads = List.copyOf(earlierHeads);
  }

  /** A move is news unless it is an old one, told late or twice. */
  public boolean isNews(QueueEvent.TargetMoved move) {
    boolean fromBefore =
        !move.from().equals(head) && move.from().filter(earlierHeads::contains).isPresent();
    if (fromBefore || head.equals(Optional.of(move.to()))) {
      return false;
    }
    return !earlierHeads.contains(move.to()) || (head.isPresent() && head.equals(move.from()));
  }

  /** Moved to there, having been at these commits before. */
  public Target movedTo(CommitSha next, List<CommitSha> passed) {
    var earlier = new ArrayList<>(earlierHeads);
    head.ifPresent(earlier::add);
    earlier.addAll(passed);
    earlier.removeIf(next::equals);
    int surplus = Math.max(0, earlier.size() - REMEMBERED);
    return new Target(
        branch, Optional.of(next), earlier.subList(surplus, earlier.size()), false, alarm);
  }

  public Target seen(boolean there) {
    return new Target(branch, head, earlierHeads, !there, alarm);
  }

  /** With this alarm, or with none. */
  public Target with(Optional<String> newAlarm) {
    return new Target(branch, head, earlierHeads, missing, newAlarm);
  }
}
