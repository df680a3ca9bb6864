package dev.mainstay.server.queue.talk;

import java.util.Optional;

/** What somebody asked by, as it is kept: each is known by one name, and acts once. */
final class Source {
  private static final String COMMENT = "comment ";

  private Source() {}

  static String comment(String id) {
    return COMMENT + id;
  }

  /** The comment that a source is. */
  static Optional<String> commentOf(String source) {
    return source.startsWith(COMMENT)
        ? Optional.of(source.substring(COMMENT.length()))
        : Optional.empty();
  }
}
