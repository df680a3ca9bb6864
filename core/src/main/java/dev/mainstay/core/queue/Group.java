package dev.mainstay.core.queue;

import dev.mainstay.core.code.PullRequestRef;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Pull requests that are tested and merged as one. {@code standsOn} names the groups directly below
 * it; what those stand on, it stands on too. Without a run it waits for a slot because of {@code
 * why}, not before {@code notBefore}.
 */
public record Group(
    GroupId id,
    List<Change> members,
    List<GroupId> standsOn,
    Optional<Run> run,
    Reason why,
    boolean keepsPlace,
    Optional<Instant> notBefore) {
  public Group {
    members = List.copyOf(members);
    standsOn = List.copyOf(standsOn);
  }

  public boolean holds(PullRequestRef pr) {
    return members.stream().anyMatch(m -> m.pr().equals(pr));
  }
}
