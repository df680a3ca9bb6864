package dev.mainstay.core.queue;

import dev.mainstay.core.code.CommitSha;
import java.util.List;
import java.util.Optional;

/** The branch everything merges into, where it is now, and where it was lately. */
public record Target(String branch, Optional<CommitSha> head, List<CommitSha> earlierHeads) {
  public Target {
    earlierHeads = List.copyOf(earlierHeads);
  }
}
