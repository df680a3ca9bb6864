package dev.mainstay.cli.doctor;

import dev.mainstay.server.forge.Finding;
import java.util.Optional;

/** A finding, and where it was looked for. */
record Symptom(String area, Finding finding) {
  String level() {
    return switch (finding.level()) {
      case GOOD -> "ok";
      case ADVICE -> "warn";
      case MISSING -> "fail";
    };
  }

  boolean fails() {
    return finding.level() == Finding.Level.MISSING;
  }

  String sentence() {
    return finding.sentence();
  }

  /** How to mend it, where that is not in the sentence itself. */
  Optional<String> mend() {
    return finding.mend().filter(mend -> !mend.isEmpty());
  }

  String line() {
    return mend().map(mend -> sentence() + " " + mend).orElse(sentence());
  }
}
