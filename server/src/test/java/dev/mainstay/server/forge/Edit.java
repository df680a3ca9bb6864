package dev.mainstay.server.forge;

import dev.mainstay.core.code.CommitSha;
import java.util.ArrayList;
import java.util.List;

/** A commit that an author makes in a test. Strings hold one byte in each character. */
public record Edit(
    List<CommitSha> parents, String author, String time, String message, List<Entry> entries) {
  /** A path with its mode and content; a mode of its own for "is gone". */
  public record Entry(String mode, String path, String content) {}

  public static final String GONE = "gone";
  static final String FILE = "100644";
  public static final String PROGRAM = "100755";
  public static final String LINK = "120000";
  public static final String SUBMODULE = "160000";

  public static Edit on(CommitSha... parents) {
    return new Edit(
        List.of(parents),
        "Ada <ada@example.org>",
        "1700000000 +0100",
        "Change something",
        List.of());
  }

  Edit by(String identity) {
    return new Edit(parents, identity, time, message, entries);
  }

  Edit at(String moment) {
    return new Edit(parents, author, moment, message, entries);
  }

  public Edit says(String text) {
    return new Edit(parents, author, time, text, entries);
  }

  public Edit file(String path, String content) {
    return entry(FILE, path, content);
  }

  Edit gone(String path) {
    return entry(GONE, path, "");
  }

  public Edit entry(String mode, String path, String content) {
    var more = new ArrayList<>(entries);
    more.add(new Entry(mode, path, content));
    return new Edit(parents, author, time, message, List.copyOf(more));
  }
}
