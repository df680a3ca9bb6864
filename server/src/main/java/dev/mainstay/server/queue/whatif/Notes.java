package dev.mainstay.server.queue.whatif;

import dev.mainstay.core.simulation.past.PastWorld;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What the past does not tell, in sentences. */
final class Notes {
  private Notes() {}

  static List<String> of(PastWorld.Told told, boolean cut) {
    var notes = new ArrayList<String>();
    notes.add(
        "Conflicts between changes that were never tested together are not known; none are"
            + " assumed.");
    notes.add(
        "Pauses, priorities, tests restarted by hand and settings that were changed meanwhile are"
            + " part of what was, and not of what is simulated.");
    notes.add(
        "Whoever was cancelled, closed, pushed to or merged by hand took slots then and takes none"
            + " here.");
    if (told.guessed() > 0) {
      notes.add(
          "Something is guessed of %s: the cause of a failure, or how long tests take."
              .formatted(changes(told.guessed())));
    }
    int unknown = told.changes() - told.targetsKnown();
    if (unknown > 0) {
      notes.add(
          "The impacted targets of %s are not known, and taken to be everything."
              .formatted(changes(unknown)));
    }
    if (cut) {
      notes.add(
          String.format(
              Locale.ROOT,
              "There was more than is played: only the last %,d submissions and %,d test runs are"
                  + " read.",
              PastReader.MOST_CHANGES,
              PastReader.MOST_RUNS));
    }
    return notes;
  }

  private static String changes(int count) {
    return count == 1 ? "1 change" : String.format(Locale.ROOT, "%,d changes", count);
  }
}
