package dev.mainstay.core.queue;

import java.util.List;
import java.util.Optional;

/**
 * A part of a failed batch, and all that is known about it. It is tested on top of {@code context},
 * parts of the same batch that passed. {@code after} is the part whose outcome it waits for,
 * because its own may follow from it. {@code knownToFail} says that it did.
 */
public record Half(List<Change> context, Optional<GroupId> after, boolean knownToFail) {
  /** Nothing is known: it is tested on its own. */
  public static final Half ALONE = new Half(List.of(), Optional.empty(), false);

  public Half {
    context = List.copyOf(context);
  }
}
