package dev.mainstay.server.health.ingest;

import dev.mainstay.server.report.Missing;
import dev.mainstay.server.report.Skipped;
import java.util.ArrayList;
import java.util.List;

/** The parts of an upload that gave no results, each with its reason, some at most. */
final class Gaps {
  private static final int MOST_TOLD = 100;

  final List<Skipped> skips = new ArrayList<>();
  final List<Skipped> ignored = new ArrayList<>();
  final List<Missing> missing = new ArrayList<>();
  private int skipped;
  private int missings;
  private boolean unreadable;

  void add(Skipped skip) {
    if (skip.kind() == Skipped.Kind.IGNORED) {
      if (ignored.size() < MOST_TOLD) {
        ignored.add(skip);
      }
      return;
    }
    skipped++;
    unreadable |= skip.kind() == Skipped.Kind.UNREADABLE;
    if (skips.size() < MOST_TOLD) {
      skips.add(skip);
    }
  }

  void add(Missing more) {
    missings++;
    if (missing.size() < MOST_TOLD) {
      missing.add(more);
    }
  }

  int skipCount() {
    return skipped;
  }

  /** True where results may be missing that were meant to be here. */
  boolean areHidingResults() {
    return unreadable || missings > 0;
  }
}
