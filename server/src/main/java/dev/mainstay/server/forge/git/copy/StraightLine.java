package dev.mainstay.server.forge.git.copy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A straight line of commits, each on the one before, read without a process. */
record StraightLine(MergeBase bases, Function<String, Optional<Commit>> commits) {
  /**
   * The commits down from a head to the first that one of the others holds, oldest first; nothing
   * where a merge is among them, or git has to be asked.
   */
  Optional<List<String>> from(String head, List<String> others, int most) {
    var ends = new HashSet<String>();
    for (String other : others) {
      switch (bases.find(head, other)) {
        case MergeBase.Answer.Shared(String sha) -> ends.add(sha);
        case MergeBase.Answer.Nothing() -> {}
        case MergeBase.Answer.AskGit() -> {
          return Optional.empty();
        }
      }
    }
    var line = new ArrayList<String>();
    Optional<String> next = Optional.of(head);
    while (next.isPresent() && !ends.contains(next.get())) {
      Optional<Commit> commit = commits.apply(next.get());
      if (commit.isEmpty() || commit.get().parents().size() > 1 || line.size() >= most) {
        return Optional.empty();
      }
      line.add(next.get());
      next = commit.get().parents().stream().findFirst();
    }
    return Optional.of(line.reversed());
  }
}
