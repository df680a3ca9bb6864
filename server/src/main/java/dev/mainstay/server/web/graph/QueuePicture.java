package dev.mainstay.server.web.graph;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What the picture of a queue is made from. Entries are in the order of the queue; {@code href} is
 * where all of them are listed.
 */
public record QueuePicture(
    String branch, boolean parallel, int slots, String href, List<Entry> entries, List<Run> runs) {
  public QueuePicture {
    entries = List.copyOf(entries);
    runs = List.copyOf(runs);
  }

  /**
   * A pull request in the queue. {@code waitsFor} may name all that it stands on or only the
   * nearest; {@code aside} says that its batch failed and is being bisected.
   */
  public record Entry(
      int number,
      String title,
      String author,
      String state,
      String priority,
      List<Integer> waitsFor,
      Optional<String> testRunId,
      Optional<Integer> position,
      String reason,
      List<String> targets,
      String href,
      boolean aside) {
    public Entry {
      waitsFor = List.copyOf(waitsFor);
      targets = List.copyOf(targets);
    }
  }

  /** A test run: its members are tested together, on top of its dependents. */
  public record Run(
      String id,
      String kind,
      String status,
      List<Integer> members,
      List<Integer> dependents,
      int checksDone,
      int checksTotal,
      Instant since,
      String href) {
    public Run {
      members = List.copyOf(members);
      dependents = List.copyOf(dependents);
      checksTotal = Math.max(0, checksTotal);
      checksDone = Math.clamp(checksDone, 0, checksTotal);
    }

    boolean bisects() {
      return kind.equals("BISECTION");
    }
  }
}
