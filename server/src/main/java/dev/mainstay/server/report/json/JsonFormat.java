package dev.mainstay.server.report.json;

import dev.mainstay.server.report.RunTeller;

/** Reads the values of one kind of report: the whole document, or one line after the other. */
interface JsonFormat {
  /** Reads the value at the cursor. */
  void read(JsonCursor json, RunTeller teller);

  /** False where this is known, and has no results. */
  default boolean isReport() {
    return true;
  }

  /** True for a line that may be longer than any that is read, as it has no results. */
  default boolean mayBeTooLong(String start) {
    return false;
  }

  /** Called behind the last line of a file of lines, with its number. */
  default void ends(int line, RunTeller teller) {}
}
