package dev.mainstay.server.backup;

/** A backup that could not be made or restored; the sentence says why, and what to do. */
public final class BackupFault extends RuntimeException {
  BackupFault(String sentence) {
    super(sentence);
  }

  BackupFault(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
